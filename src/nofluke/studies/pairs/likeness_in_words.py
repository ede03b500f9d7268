"""What the study of similarity says: whether pairs that are more alike need less, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from nofluke.engine.correlation import average_ranks
from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.studies.pairs.gains_in_words import CLEARLY
from nofluke.studies.pairs.thresholds import FEW, Rule, Threshold
from nofluke.studies.pairs.words import amount, caution, rule_text, subject, threshold_text
from nofluke.types import FloatArray
from nofluke.types.base import counted

# A rank correlation nearer to 0 than this is not called a relation.
_HARDLY = 0.3
# Correlations this many times as far apart as chance makes those of equally similar pairs are not chance alone.
_CHANCE = 1.25


def headline_of(found: Comparisons, usual: Sequence[float], rule: Rule) -> str:
    """Answer with the gains that the least and the most similar pairs need."""
    low, high = usual[0], usual[-1]
    said = "Similar systems need less" if high < CLEARLY * low else "Similar systems do not need clearly less here"
    if by_chance(found):
        said = "Whether similar systems need less cannot be told here, because all pairs are about equally alike"
    return (
        f"{said}: the least similar pairs need a gain of {amount(low)} in {found.metric} to be just significant at "
        f"{rule.level:g}, the most similar {amount(high)}."
    )


def by_chance(found: Comparisons) -> bool:
    """Whether the correlations of pairs differ no more than those of equally similar pairs do by chance.

    Among such pairs the ones that look more alike need less all the same: one draw of items decides both.
    """
    known = found.correlation[np.isfinite(found.correlation)]
    return bool(np.std(known) < _CHANCE * (1.0 - float(np.mean(known)) ** 2) / math.sqrt(found.units))


def sentences_of(found: Comparisons, needed: FloatArray, limits: Mapping[str, Threshold]) -> tuple[str, ...]:
    """Say how likeness and the needed gain go together, and what the paper's rule says at both ends."""
    usable = np.isfinite(found.correlation)
    together = rank_correlation(found.correlation[usable], needed[usable])
    of = f"Over {subject(found)} the rank correlation between likeness and the gain needed is {together:.2f}"
    if math.isnan(together):
        first = "How likeness and the gain needed go together cannot be said: one of them is the same for all pairs."
    elif usable.sum() < FEW:
        first = f"{of}; from {counted(int(usable.sum()), 'pair')} nothing can be concluded."
    elif by_chance(found):
        return (
            f"{of}; but correlations differ no more than chance makes those of equally similar pairs differ on "
            f"{counted(found.units, found.unit)}, and nothing can be concluded.",
        )
    else:
        first = f"{of}: {_finding(together)}."
    return (first, *_ends(limits))


def _finding(together: float) -> str:
    if together < -_HARDLY:
        return "as in the paper, likeness moves the curve to smaller gains"
    if together > _HARDLY:
        return "unlike in the paper, pairs that are more alike need larger gains here"
    return "unlike in the paper, likeness hardly moves the curve"


def _ends(limits: Mapping[str, Threshold]) -> tuple[str, ...]:
    known = [(name, limit) for name, limit in limits.items() if limit.near]
    if len(known) < 2:
        return ()
    (low, first), (high, last) = known[0], known[-1]
    less = "smaller" if last.value < CLEARLY * first.value else "not clearly smaller"
    return (
        f"By the paper's rule the threshold of the most similar pairs is {less}: {threshold_text(first)} for "
        f"correlations of {low}, {threshold_text(last)} for {high}{caution((first, last))}.",
    )


def rank_correlation(x: FloatArray, y: FloatArray) -> float:
    """Spearman's, as a description: pairs share systems, so no test of it is made.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([9.0, 4.0, 1.0]))
    -1.0
    """
    ranks = [average_ranks(values) for values in (x, y)]
    if any(one.size < 2 or np.ptp(one) == 0 for one in ranks):
        return math.nan
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def caption_of(found: Comparisons, rule: Rule) -> str:
    """Say what the columns of the table are."""
    return (
        f"All pairs of {len(found.systems):,} systems on {found.n:,} items by the correlation of their item scores, "
        f"gain in {found.metric}. {rule_text(found, rule)}"
    )
