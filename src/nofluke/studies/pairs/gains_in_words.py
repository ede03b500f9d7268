"""What the study of gains says: the threshold, what it rests on and is worth, and what groups change."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.studies.pairs.labels import ALL, DIFFERENT, SAME
from nofluke.studies.pairs.thresholds import Rule, Threshold
from nofluke.studies.pairs.words import amount, caution, p_value_text, subject, threshold_text
from nofluke.types.base import counted
from nofluke.words.numbers import hundredths

# A threshold within so much of another is not called smaller.
CLEARLY = 0.95


def headline_of(found: Comparisons, by_label: Mapping[str, Threshold], rule: Rule) -> str:
    """Answer with the threshold of all pairs, or, where it rests on a handful, with what most pairs need."""
    whole = by_label[ALL]
    if whole.firm:
        return (
            f"On this test set a gain of {amount(whole.value)} in {found.metric} is usually significant at "
            f"{rule.level:g}: {rule.percentile:g} of 100 comparisons with {rule.near} had a smaller one."
        )
    most = amount(rule.errors * float(np.percentile(found.standard_error, rule.percentile)))
    told = (
        f"no comparison has {rule.near}, so that there is no threshold by the paper's rule"
        if not whole.near
        else f"the paper's rule says {amount(whole.value)}, but from only {counted(whole.near, 'comparison')} with "
        f"{rule.near}"
    )
    return (
        f"On this test set {rule.percentile:g} of 100 pairs would be just significant at {rule.level:g} with a gain of "
        f"{most} in {found.metric} or less; {told}."
    )


def sentences_of(found: Comparisons, by_label: Mapping[str, Threshold], rule: Rule) -> tuple[str, ...]:
    """Say what the threshold rests on, what it is worth, and what groups change."""
    whole = by_label[ALL]
    if not whole.near:
        return (f"Compared were {subject(found)}: {counted(whole.all, 'comparison')}.", *_groups(by_label, rule))
    first = (
        f"The threshold of {amount(whole.value)} rests on {counted(whole.near, 'comparison')} with {rule.near}, of "
        f"{whole.all:,} ({subject(found)})."
    )
    return (first, _worth(whole, rule), *_groups(by_label, rule))


def _worth(whole: Threshold, rule: Rule) -> str:
    """Say how far the threshold decides what is significant."""
    above = f"a gain of at least {amount(whole.value)}"
    if whole.kept == 1 and not whole.missed > 0:
        return f"Here all comparisons with {above} are significant at {rule.level:g}, and none with a smaller one."
    kept = "all" if whole.kept == 1 else f"{hundredths(whole.kept)} of 100"
    return (
        f"Of the comparisons with {above}, {kept} are significant at {rule.level:g}; so are "
        f"{'none' if math.isnan(whole.missed) else f'{hundredths(whole.missed)} of 100'} of those with a smaller one. "
        "The gain alone does not decide."
    )


def _groups(by_label: Mapping[str, Threshold], rule: Rule) -> tuple[str, ...]:
    same, different = by_label.get(SAME), by_label.get(DIFFERENT)
    if same is None or different is None:
        return ()
    if math.isnan(same.value) or math.isnan(different.value):
        empty = SAME if math.isnan(same.value) else DIFFERENT
        return (
            f"Whether systems of the same group need less cannot be said: no comparison of {empty} has {rule.near}.",
        )
    finding = (
        "as in the paper, similar systems are told apart by smaller gains"
        if same.value < CLEARLY * different.value
        else "unlike in the paper, systems of the same group do not need clearly smaller gains here"
    )
    return (
        f"Systems of the same group need {threshold_text(same)}, systems of different groups {amount(different.value)} "
        f"({different.near:,}): {finding}{caution((same, different))}.",
    )


def caption_of(found: Comparisons, rule: Rule) -> str:
    """Say what the columns of the table are."""
    return (
        f"Gains in {found.metric} of all pairs of {len(found.systems):,} systems on {found.n:,} items. Just "
        f"significant: {rule.near}. Threshold: {rule.percentile:g}th percentile of their gains; usual gain: their "
        f"median. Needed by most: {rule.percentile:g}th percentile over all pairs of {rule.errors:.3f} standard errors "
        f"of the pair's difference. {p_value_text(found)} Significant above and below: share of the comparisons with a "
        f"gain of at least, or less than, the threshold that have p <= {rule.level:g}."
    )
