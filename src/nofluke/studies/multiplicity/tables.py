"""The simulated world of many datasets, and the tables of what is claimed in it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.studies.multiplicity.theory import Chances, Groups, independent
from nofluke.studies.recording import rate
from nofluke.types import FloatArray, IntArray, frozen
from nofluke.types.study import Series

COUNT = "count"
# What the paper prints in section 5, P(k-hat > k), for its two simulations.
PRINTED: dict[str, dict[str, float]] = {
    "independent": {COUNT: 0.963, "bonferroni": 0.001, "fisher": 0.021},
    "dror": {COUNT: 0.943, "bonferroni": 0.046, "fisher": 0.234},
}


@dataclass(frozen=True, slots=True)
class Plan:
    """The simulated world: groups of (datasets, correlation of their test statistics), true effects and their size."""

    groups: Groups
    shared_factor: bool
    effects: int
    shift: float
    alpha: float
    preset: str

    @property
    def datasets(self) -> int:
        """How many datasets there are."""
        return sum(size for size, _ in self.groups)

    @property
    def independent(self) -> bool:
        """Whether no two test statistics are correlated."""
        return independent(self.groups, shared_factor=self.shared_factor)

    @property
    def shifts(self) -> FloatArray:
        """What a true effect adds to each test statistic; the effects are spread evenly over the datasets."""
        moved = np.zeros(self.datasets)
        moved[np.arange(self.effects) * self.datasets // max(self.effects, 1)] = self.shift
        return moved


def rates(
    plan: Plan, counts: Mapping[str, IntArray], repetitions: int, theory: Mapping[str, Chances]
) -> dict[str, tuple[Any, ...]]:
    """One row a method: how often it claims more than the truth, and more than one too many."""
    nothing = Chances(math.nan, math.nan)
    rows = []
    printed = PRINTED.get(plan.preset, {}) if plan.datasets == 100 and not plan.effects and plan.alpha == 0.05 else {}
    for name, values in counts.items():
        over, further = int(np.sum(values > plan.effects)), int(np.sum(values > plan.effects + 1))
        range_ = rate(over, repetitions)
        known = theory.get(name, nothing)
        rows.append(
            {
                "method": name,
                "k-hat > k": over / repetitions,
                "from": range_.low,
                "to": range_.high,
                "in theory": known.more_than_none,
                "k-hat > k + 1": further / repetitions,
                "in theory too": known.more_than_one,
                "mean k-hat": float(values.mean()),
                "largest k-hat": int(values.max()),
                **({"printed": printed.get(name, math.nan)} if printed else {}),
            }
        )
    return {column: tuple(row[column] for row in rows) for column in rows[0]}


def distribution(counts: Mapping[str, IntArray]) -> dict[str, tuple[Any, ...]]:
    """In how many studies each number of datasets was claimed, by method."""
    largest = max(int(values.max()) for values in counts.values())
    tallies = {name: np.bincount(values, minlength=largest + 1) for name, values in counts.items()}
    kept = np.flatnonzero(sum(tallies.values()))
    return {
        "k-hat": tuple(kept.tolist()),
        **{name: tuple(tally[kept].tolist()) for name, tally in tallies.items()},
    }


def histogram(counts: Mapping[str, IntArray]) -> Series:
    """The bars of the picture: the share of studies by method and number claimed."""
    labels: list[str] = []
    claimed: list[float] = []
    often: list[float] = []
    for name, values in counts.items():
        tally = np.bincount(values)
        labels += [name] * len(tally)
        claimed += list(range(len(tally)))
        often += (tally / len(values)).tolist()
    return Series("k-hat", {"k-hat": frozen(claimed), "share": frozen(often)}, {"method": tuple(labels)})
