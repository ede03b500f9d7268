"""What the studies of gains say in words, with the paper's warnings."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nofluke.inference.wording import figure
from nofluke.registry import TESTS
from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.studies.pairs.labels import ALL, DIFFERENT, SAME
from nofluke.studies.pairs.thresholds import FEW, Threshold
from nofluke.types.base import counted

CITATION = "Berg-Kirkpatrick et al. 2012"
# A threshold within so much of another is not called smaller.
_CLEARLY = 0.95


def amount(value: float) -> str:
    """A gain in figures: two digits that matter.

    >>> amount(0.38123), amount(1.104), amount(0.00512)
    ('0.38', '1.1', '0.0051')
    """
    return figure(value, abs(value)) if value else "0"


def subject(found: Comparisons) -> str:
    """Say what was compared."""
    return f"all pairs of {counted(len(found.systems), 'system')} on {counted(found.n, 'item')}"


def gain_text(found: Comparisons) -> str:
    """Say how p-values were computed."""
    if found.method == "bootstrap":
        how = "paired bootstrap, how often a resampled test set shows more than twice the gain"
    else:
        how = TESTS[found.method].label
    draws = f"{found.resamples:,} shared draws correct the tangent of the metric" if found.resamples else found.computed
    return f"{how} ({draws})"


def headline_of(found: Comparisons, by_label: Mapping[str, Threshold], percentile: float) -> str:
    """Answer with the threshold of all pairs, or, where it rests on a handful, with what most pairs need."""
    whole = by_label[ALL]
    if whole.near >= FEW:
        return (
            f"On this test set a gain of {amount(whole.value)} in {found.metric} is usually significant: "
            f"{percentile:g} of 100 comparisons with a p-value near 0.05 had a smaller one."
        )
    most = amount(float(np.percentile(found.needed, percentile))) if found.size else "nothing"
    told = (
        "no comparison has a p-value near 0.05, so that there is no threshold by the paper's rule"
        if not whole.near
        else f"the paper's rule says {amount(whole.value)}, but from only "
        f"{counted(whole.near, 'comparison')} with a p-value near 0.05"
    )
    return (
        f"On this test set {percentile:g} of 100 pairs would be just significant with a gain of {most} in "
        f"{found.metric} or less; {told}."
    )


def sentences_of(found: Comparisons, by_label: Mapping[str, Threshold]) -> tuple[str, ...]:
    """Say what the threshold rests on, what it is worth, and what groups change."""
    whole = by_label[ALL]
    first = (
        f"The threshold rests on {counted(whole.near, 'comparison')} with a p-value near 0.05, of {whole.all:,} "
        f"comparisons ({subject(found)})."
    )
    if math.isnan(whole.value):
        return (first,)
    decides = whole.kept == 1 and whole.missed == 0
    worth = (
        "Here all comparisons with at least that gain are significant at 0.05, and none with a smaller one."
        if decides
        else f"Of the comparisons with at least that gain {_share(whole.kept)} are significant at 0.05; so are "
        f"{_share(whole.missed)} of those with a smaller one. The gain alone does not decide."
    )
    return (first, worth, *_groups(by_label))


def _groups(by_label: Mapping[str, Threshold]) -> tuple[str, ...]:
    same, different = by_label.get(SAME), by_label.get(DIFFERENT)
    if same is None or different is None:
        return ()
    if math.isnan(same.value) or math.isnan(different.value):
        empty = SAME if math.isnan(same.value) else DIFFERENT
        return (
            f"Whether systems of the same group need less cannot be said: no comparison of {empty} has a p-value near "
            "0.05.",
        )
    finding = (
        "as in the paper, similar systems are told apart by smaller gains"
        if same.value < _CLEARLY * different.value
        else "unlike in the paper, systems of the same group do not need clearly smaller gains here"
    )
    caution = "" if min(same.near, different.near) >= FEW else "; with so few comparisons this may be chance"
    return (
        f"Systems of the same group need {amount(same.value)} ({counted(same.near, 'comparison')} near 0.05), systems "
        f"of different groups {amount(different.value)} ({different.near:,}): {finding}{caution}.",
    )


def _share(share: float) -> str:
    return "none" if math.isnan(share) else f"{100 * share:.0f} of 100"


def few_note(by_label: Mapping[str, Threshold]) -> tuple[str, ...]:
    """Warn where a percentile rests on a handful, or on nothing."""
    few = [f"{label} ({row.near})" for label, row in by_label.items() if 0 < row.near < FEW]
    none = [label for label, row in by_label.items() if not row.near]
    notes = []
    if few:
        notes.append(
            f"thresholds of fewer than {FEW} comparisons are little more than their largest gain: {', '.join(few)}."
        )
    if none:
        notes.append(f"no comparison with a p-value near 0.05, so no threshold: {', '.join(none)}.")
    return tuple(notes)


def common_notes(found: Comparisons) -> tuple[str, ...]:
    """The paper's warnings, and how its p-value differs from the one of compare."""
    notes = [
        "the threshold belongs to this test set, this metric and systems like these; size and domain of the test set "
        "and the similarity of the systems all move it (Berg-Kirkpatrick et al. 2012, sections 3 and 4).",
        "a threshold does not replace a significance test: use it only where outputs of past systems cannot be had.",
        "p is one-sided in the direction that came out, as in the paper; the p-value that compare gives for a pair is "
        "about twice as large.",
        "comparisons share systems and items, so they are not independent: no error bar can be put on the threshold.",
    ]
    if found.method == "bootstrap" and found.units < 100:
        notes.append(
            f"with {found.units:,} items the bootstrap's p-values are a little too small; --method permutation is not "
            "so optimistic."
        )
    if found.identical:
        notes.append(f"{counted(found.identical, 'pair')} of systems with the same scores on every item left out.")
    if found.by_flips:
        notes.append(
            f"for {counted(found.by_flips, 'pair')} no resample can show more than twice the gain: there the p-value "
            "is that of the sign-flip permutation test."
        )
    return tuple(notes)


# What columns are; the caption explains all others.
MEANINGS = {
    "comparisons": "pairs of systems that were compared",
    "p near 0.05": "comparisons with a p-value near 0.05: the threshold rests on them",
    "usual gain": "the median gain of the comparisons with a p-value near 0.05",
    "threshold": "a gain that is usually significant: nearly all comparisons with p near 0.05 had a smaller one",
    "needed by most": "a gain with which nearly all pairs would be just significant",
    "needed by the usual pair": "the gain with which half of the pairs would be just significant",
    "significant above": "share of the comparisons with at least the threshold that have p < 0.05",
    "significant below": "share of the comparisons with less than the threshold that have p < 0.05",
    "times the size before": "the gain needed by the usual pair, against that of the row above",
    "by the square-root law": "the same, if only the number of items mattered",
    "items there": "how many items the test set has; as many are taken of each as the smallest has",
}
