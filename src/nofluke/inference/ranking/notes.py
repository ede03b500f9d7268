"""What is worth knowing about a ranking: identical systems, too few units, one-sided tests of skewed differences."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.ranking.family import Claims
from nofluke.inference.ranking.panel import flipped_units, units_of
from nofluke.types import Sample
from nofluke.types.base import counted

# Tests whose smallest one-sided p-value is 2 to the power of minus the number of units.
_SIGNED = ("permutation", "sign", "wilcoxon", "mcnemar")
_NAMED = 5


def notes_on(sample: Sample, method: str, claims: Claims, adjust: str, alpha: float, *, unit: str) -> tuple[str, ...]:
    """Collect the notes that do not depend on the p-values."""
    return (
        *_identical(sample, unit),
        *_too_few(sample, method, claims, adjust, alpha, unit),
        *_skewed(sample, method, claims, unit),
        *_family(claims, adjust),
    )


def _identical(sample: Sample, unit: str) -> tuple[str, ...]:
    if not sample.paired:
        return ()
    names: dict[bytes, list[str]] = {}
    for index, name in enumerate(sample.systems):
        names.setdefault(np.ascontiguousarray(sample.statistics[:, index]).tobytes(), []).append(name)
    same = [" = ".join(group) for group in names.values() if len(group) > 1]
    if not same:
        return ()
    more = f" and {len(same) - _NAMED} more" if len(same) > _NAMED else ""
    return (
        f"some systems score the same on every {unit}, so nothing can separate them: {'; '.join(same[:_NAMED])}{more}.",
    )


def _too_few(sample: Sample, method: str, claims: Claims, adjust: str, alpha: float, unit: str) -> tuple[str, ...]:
    if method not in _SIGNED or not sample.paired or adjust not in ("holm", "bonferroni"):
        return ()
    units = units_of(sample)
    if claims.one_sided_size * 2.0**-units <= alpha:
        return ()
    needed = math.ceil(math.log2(claims.one_sided_size / alpha))
    what = "cluster" if sample.clusters is not None else unit
    return (
        f"with {counted(units, what)} the smallest possible p-value is {2.0**-units:.2g}, so after the "
        f"correction nothing can be separated; {needed:,} {what}s are the least.",
    )


def _skewed(sample: Sample, method: str, claims: Claims, unit: str) -> tuple[str, ...]:
    """Flips of skewed differences are only approximate for equal means when one side is tested."""
    if method != "permutation" or claims.alternative == "two-sided" or not sample.aggregate.linear:
        return ()
    values = flipped_units(sample).astype(np.float64)
    n, size = values.shape
    skewed = 0
    for i in range(size - 1):
        d = values[:, i : i + 1] - values[:, i + 1 :]
        d -= d.mean(axis=0)
        second, third = (d**2).mean(axis=0), (d**3).mean(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            skewed += int(np.count_nonzero(np.abs(third / second**1.5) / math.sqrt(n) > 0.1))
    if not skewed:
        return ()
    what = counted(n, "cluster" if sample.clusters is not None else unit)
    pairs = "1 pair" if skewed == 1 else f"{skewed:,} pairs"
    return (
        f"the differences of {pairs} are skewed for {what}: as tests of equal means their one-sided p-values are only "
        "approximate.",
    )


def _family(claims: Claims, adjust: str) -> tuple[str, ...]:
    notes: list[str] = []
    if claims.baseline >= 0:
        notes.append(
            "only pairs with the baseline were tested, which is fair if it was fixed before the scores were seen; to "
            "find the best system compare all pairs."
        )
        if claims.alternative != "two-sided":
            tested, other = ("better", "worse") if claims.alternative == "greater" else ("worse", "better")
            notes.append(
                f"only whether systems are {tested} than the baseline was tested; whether any is {other} was not, and "
                "this says nothing about it."
            )
    elif claims.alternative == "greater":
        notes.append(
            "each pair was tested one-sided, for the system with the better score: the side comes from the data, so "
            "the chance of a false claim is up to twice the level stated. It is there to reproduce published figures."
        )
    if adjust == "bh":
        notes.append(
            "Benjamini and Hochberg's procedure needs positive dependence, which pairs that share systems need not "
            "have; 'by' holds always. Only the share of false claims is bounded: rank ranges carry no confidence."
        )
    elif adjust == "by":
        notes.append("a bound on the share of false claims: rank ranges and groups carry no confidence as a whole.")
    return tuple(notes)
