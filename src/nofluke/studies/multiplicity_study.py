"""On how many of many datasets is A better, when nothing is known to be: Dror et al. 2017, section 5, by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np

from nofluke.check import check_count, check_number
from nofluke.engine.randomness import MULTIPLICITY, Stream, filled, in_chunks
from nofluke.errors import InputError, unknown
from nofluke.inference.multiplicity.partial_conjunction import METHODS, at_most, count_effects, partial_conjunction
from nofluke.noting import called
from nofluke.options import ADVANCED, LEVEL, NAME_OF_DRAWS, Opt, listed
from nofluke.registry import COMBINATIONS
from nofluke.studies.multiplicity_theory import Chances, Groups, chances, independent
from nofluke.studies.recording import rate, recorded
from nofluke.types import FloatArray, IntArray, Study, frozen
from nofluke.types.study import Series

Progress = Callable[[int, int], None] | None

_DROR: Groups = ((34, 0.0), (33, 0.2), (33, 0.5))
_MOST = 1 << 22

COUNT = "count"
# What the paper prints in section 5, P(k-hat > k), for its two simulations.
PRINTED: dict[str, dict[str, float]] = {
    "independent": {COUNT: 0.963, "bonferroni": 0.001, "fisher": 0.021},
    "dror": {COUNT: 0.943, "bonferroni": 0.046, "fisher": 0.234},
}


@called("studies.multiplicity")
def multiplicity(
    dependence: str | Sequence[tuple[int, float]] = "independent",
    *,
    datasets: Annotated[int, Opt("Number of datasets, where all are independent.")] = 100,
    effects: Annotated[int, Opt("On so many datasets A is truly better.")] = 0,
    shift: Annotated[float, Opt("Size of a true effect, in standard errors.")] = 3.0,
    shared_factor: Annotated[bool, Opt("One common factor for all correlated groups.")] = False,
    alpha: Annotated[float, Opt("Level of the claims.", bounds=LEVEL)] = 0.05,
    methods: Annotated[
        Sequence[str],
        Opt("Partial conjunctions beside counting, with commas between them. Default: bonferroni,fisher,simes."),
    ] = ("bonferroni", "fisher", "simes"),
    repetitions: Annotated[int, Opt("Number of simulated studies.")] = 10_000,
    seed: Annotated[int, Opt("Seed of the simulation.", ADVANCED, NAME_OF_DRAWS)] = 0,
    progress: Progress = None,
) -> Study:
    """How often does counting significant datasets claim too many, and do the corrected counts keep their promise?

    Dror et al. (2017), section 5. `dependence` is "independent" (N `datasets`), "dror" (their second simulation: 34
    independent datasets, 33 correlated at 0.2 and 33 at 0.5), or groups [(datasets, correlation), ...]. On `effects`
    datasets A is truly better: there the test statistic, standard normal elsewhere, is raised by `shift`. Groups have
    common factors of their own, or with shared_factor=True one factor for all. k-hat is the number of datasets on which
    A is claimed to be better: "count" is the number of p-values at most alpha, the others are partial conjunctions.

    >>> study = multiplicity(datasets=20, repetitions=500)
    >>> study.tables["too many claimed"]["method"]
    ('count', 'bonferroni', 'fisher', 'simes')
    """
    plan = _plan(dependence, datasets, effects, shift, shared_factor, alpha)
    methods = tuple(listed(methods))
    for name in methods:
        if name not in METHODS:
            raise unknown("partial conjunction", name, METHODS)
    repetitions = check_count(repetitions, "repetitions", 1, 10_000_000)
    counts = simulated_counts(plan, methods, repetitions, seed, progress)
    theory = chances(plan.groups, alpha, shared_factor=shared_factor) if not effects else {}
    table = rates(plan, counts, repetitions, theory)
    return recorded(
        "multiplicity",
        {
            "dependence": plan.preset or ",".join(f"{size}:{correlation:g}" for size, correlation in plan.groups),
            "datasets": plan.datasets,
            "effects": effects,
            "shift": shift if effects else None,
            "shared_factor": shared_factor if not plan.independent else None,
            "methods": methods,
            "alpha": alpha,
            "repetitions": repetitions,
            "seed": seed,
        },
        tables={"too many claimed": table, "claims": distribution(counts)},
        series={"k-hat": histogram(counts)},
        charts=("k_hat_histogram",),
        citations=_citations(plan, methods),
        facts={"groups": plan.groups},
    )


def _citations(plan: Plan, methods: tuple[str, ...]) -> tuple[str, ...]:
    """Cite the paper, and the methods used."""
    cited = ["Dror et al. 2017", "Benjamini and Heller 2008"]
    if not plan.independent:
        cited.append("Benjamini, Krieger and Yekutieli 2006")
    cited += [COMBINATIONS[name].cite for name in methods if name in COMBINATIONS]
    return tuple(dict.fromkeys(cited))


def _plan(
    dependence: str | Sequence[tuple[int, float]],
    datasets: int,
    effects: int,
    shift: float,
    shared_factor: bool,
    alpha: float,
) -> Plan:
    datasets = check_count(datasets, "datasets", 1, 100_000)
    preset = ""
    if isinstance(dependence, str):
        if dependence not in PRINTED:
            raise unknown("dependence", dependence, PRINTED)
        preset, groups = dependence, _DROR if dependence == "dror" else ((datasets, 0.0),)
    else:
        groups = tuple(
            (
                check_count(size, "datasets of a group", 1, 100_000),
                check_number(value, "correlation", 0.0, 1.0, closed=True),
            )
            for size, value in dependence
        )
    total = sum(size for size, _ in groups)
    if not groups:
        raise InputError("no groups of datasets were given.", fix="give some, such as [(34, 0.0), (33, 0.5)].")
    check_count(effects, "effects", 0, total)
    check_number(shift, "shift", 0.0, 1e3, closed=True)
    return Plan(
        groups, bool(shared_factor), effects, shift, check_number(alpha, "alpha", 1e-12, 0.5, closed=True), preset
    )


def simulated_counts(
    plan: Plan, methods: tuple[str, ...], repetitions: int, seed: int, progress: Progress
) -> dict[str, IntArray]:
    """Give k-hat of every repetition, by method; "count" is the number of p-values at most alpha."""
    drawn = in_chunks(partial(_counts, seed), (plan, methods), repetitions, progress)
    found = filled(np.empty((repetitions, 1 + len(methods)), np.int64), drawn)
    return dict(zip((COUNT, *methods), found.T, strict=True))


def _counts(seed: int, shared: tuple[Plan, tuple[str, ...]], chunk: tuple[int, int]) -> IntArray:
    """Simulate one chunk: a column for "count" and one for every method."""
    from scipy.special import log_ndtr, ndtr

    (plan, methods), number = shared, chunk[1]
    stream, found = Stream(seed, MULTIPLICITY, chunk[0]), np.empty((number, 1 + len(methods)), np.int64)
    rows = max(1, min(number, _MOST // (plan.datasets + len(plan.groups))))
    for first in range(0, number, rows):
        part = slice(first, min(number, first + rows))
        z = statistics(plan, stream, part.stop - first)
        p, logs = ndtr(-z), log_ndtr(-z)
        found[part, 0] = at_most(p, plan.alpha).sum(axis=1)
        for column, name in enumerate(methods, start=1):
            found[part, column] = count_effects(partial_conjunction(p, name, logs), plan.alpha)
    return found


def statistics(plan: Plan, stream: Stream, rows: int) -> FloatArray:
    """Draw (rows, N) test statistics: root(rho) times the group's factor plus root(1 - rho) times the dataset's own.

    That is the construction of Benjamini, Krieger and Yekutieli (2006, section 6.1), which the paper follows.
    """
    from scipy.special import ndtri

    factors = 1 if plan.shared_factor else len(plan.groups)
    normals = ndtri(stream.uniforms(rows * (plan.datasets + factors))).reshape(rows, plan.datasets + factors)
    z = normals[:, factors:]
    start = 0
    for index, (size, correlation) in enumerate(plan.groups):
        common = normals[:, [0 if plan.shared_factor else index]]
        part = slice(start, start + size)
        z[:, part] = math.sqrt(correlation) * common + math.sqrt(1 - correlation) * z[:, part]
        start += size
    shifted: FloatArray = z + plan.shifts
    return shifted


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
