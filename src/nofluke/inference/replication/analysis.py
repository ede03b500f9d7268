"""The numbers of a replicability analysis: counts, lists and partial-conjunction p-values at one level."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from nofluke.align.strata import are_row_numbers
from nofluke.errors import InputError, listing, unknown
from nofluke.inference.multiplicity.closed_testing import fisher_closure
from nofluke.inference.multiplicity.corrections import bh, by, holm, hommel
from nofluke.inference.multiplicity.partial_conjunction import (
    METHODS,
    at_most,
    count_effects,
    partial_conjunction,
    running_maximum,
)
from nofluke.types import FloatArray, Note, frozen, note
from nofluke.types.base import SMALLEST

# The list that belongs to each count: both come from closed testing with the same test.
LIST_OF = {"bonferroni": "holm", "simes": "hommel", "fisher": "fisher"}

METHOD_UNDER = {"unknown": "bonferroni", "positive": "simes", "independent": "fisher"}


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the p-values say at one level, by every method; `method` is the one valid under the stated dependence."""

    p_values: FloatArray
    method: str
    counts: Mapping[str, int]
    raw: Mapping[str, FloatArray]
    monotone: Mapping[str, FloatArray]
    adjusted: Mapping[str, FloatArray]
    identified_by: Mapping[str, tuple[str, ...]]

    @property
    def count(self) -> int:
        """The number of datasets that may be claimed."""
        return self.counts[self.method]

    @property
    def identified(self) -> tuple[str, ...]:
        """The datasets that may be named, by the closed test that gave the count."""
        return self.identified_by[LIST_OF[self.method]]


def analyse(
    p_values: FloatArray, log_p_values: FloatArray, datasets: tuple[str, ...], level: float, dependence: str
) -> Analysis:
    """Count and name the datasets with an effect, by every method; the logarithms reach below the smallest float."""
    logs = np.minimum(log_p_values, 0.0)
    p = np.maximum(p_values, SMALLEST)
    raw = {name: frozen(partial_conjunction(p, name, logs)) for name in METHODS}
    adjusted = {
        "holm": frozen(holm(p)),
        "hommel": frozen(hommel(p)),
        "fisher": frozen(np.maximum(fisher_closure(logs), SMALLEST)),
        "bh": frozen(bh(p)),
        "by": frozen(by(p)),
    }
    return Analysis(
        p_values=frozen(p),
        method=METHOD_UNDER[dependence],
        counts={
            "count": int(at_most(p, level).sum()),
            **{name: int(count_effects(values, level)) for name, values in raw.items()},
        },
        raw=raw,
        monotone={name: frozen(running_maximum(values)) for name, values in raw.items()},
        adjusted=adjusted,
        identified_by={
            name: tuple(dataset for dataset, stands in zip(datasets, at_most(values, level), strict=True) if stands)
            for name, values in adjusted.items()
        },
    )


def check_dependence(dependence: str) -> None:
    """Refuse a kind of dependence that is not known."""
    if dependence not in METHOD_UNDER:
        raise unknown("kind of dependence", str(dependence), METHOD_UNDER)


def reasons(dependence: str, size: int, level: float) -> dict[str, Note]:
    """Say of every count other than the answer why it is not the answer."""
    found = {"count": note("replicate.each_alone", datasets=size, level=level)}
    if dependence == "unknown":
        found["fisher"] = note("replicate.needs_independence")
        found["simes"] = note("replicate.needs_positive_dependence")
    elif dependence == "positive":
        found["bonferroni"] = note("replicate.assumes_less", allowed=METHOD_UNDER[dependence])
        found["fisher"] = note("replicate.needs_independence")
    else:
        found["bonferroni"] = note("replicate.assumes_less", allowed=METHOD_UNDER[dependence])
        found["simes"] = note("replicate.not_chosen_before")
    return found


def shared_items(ids: Mapping[str, Collection[str]]) -> Note | None:
    """Find the datasets that share items, by ids that are not bare row numbers; None where none do."""
    homes = _homes({name: labels for name, labels in ids.items() if not are_row_numbers(labels)})
    if not homes:
        return None
    names = dict.fromkeys(name for where in homes.values() for name in where)
    return note("replicate.shared_items", items=len(homes), example=next(iter(homes)), datasets=tuple(names))


def same_row_numbers(ids: Mapping[str, Collection[str]]) -> bool:
    """Whether datasets number their items alike, so that nobody can tell from the ids whether items are shared."""
    return bool(_homes({name: labels for name, labels in ids.items() if are_row_numbers(labels)}))


def _homes(ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Give the datasets of every id that more than one of them has."""
    counts = Counter(one for labels in ids.values() for one in set(labels))
    twice = {one for one, count in counts.items() if count > 1}
    found: dict[str, list[str]] = {}
    if twice:
        for name, labels in ids.items():
            for one in dict.fromkeys(labels):
                if one in twice:
                    found.setdefault(one, []).append(name)
    return found


def refuse_independence(dependence: str, shared: Note | None, *, by_ids: bool = False) -> None:
    """Refuse the assumption of independence where the data contradict it."""
    if dependence == "independent" and shared is not None:
        raise InputError(
            f"the datasets cannot be taken as independent: {shared}",
            fix="leave the dependence unknown (the default)"
            + ("; if equal ids stand for different items, put the dataset's name in front of them." if by_ids else "."),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sided:
    """One-sided p-values for one claim, and their logarithms."""

    p_values: FloatArray
    logs: FloatArray


def one_sided(p_values: FloatArray, logs: FloatArray, signs: FloatArray, datasets: tuple[str, ...]) -> dict[str, Sided]:
    """Turn two-sided p-values with a sign into those for "A is better" (greater) and "B is better" (less).

    p/2 in the direction of the sign, 1 - p/2 against it, and 1 for both where the scores are equal.
    """
    unknown = [name for name, sign in zip(datasets, signs, strict=True) if math.isnan(sign)]
    if unknown:
        raise InputError(
            f"two-sided p-values do not say who is better, and the direction is unknown on {listing(unknown, 5)}.",
            fix="give scores_a and scores_b, or signs (1 where A is better, -1 where B is, 0 where they are equal); "
            "in a file a column for each system's score, or a column sign.",
        )
    half, half_log = p_values / 2, logs - math.log(2)

    def towards(side: float) -> Sided:
        along, off = signs == side, signs == -side
        p = np.where(along, half, np.where(off, 1 - half, 1.0))
        return Sided(p, np.where(along, half_log, np.where(off, np.log1p(-half), 0.0)))

    return {"greater": towards(1.0), "less": towards(-1.0)}


def against_claim(signs: FloatArray, alternative: str, datasets: tuple[str, ...]) -> tuple[str, ...]:
    """Name the datasets whose effect points away from the claim."""
    wrong = signs > 0 if alternative == "less" else signs < 0
    return tuple(name for name, flag in zip(datasets, wrong, strict=True) if flag)


def contradicted(
    p_values: FloatArray, signs: FloatArray, alternative: str, datasets: tuple[str, ...]
) -> tuple[str, ...]:
    """Name the datasets whose p-value speaks for the claim (below 1/2) while the scores speak against it."""
    against = set(against_claim(signs, alternative, datasets))
    return tuple(name for name, p in zip(datasets, p_values, strict=True) if p < 0.5 and name in against)
