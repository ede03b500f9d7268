"""What the study of gains says: the threshold, what it rests on and is worth, and what groups change."""

from __future__ import annotations

from typing import Any

from nofluke.types import Study, Table
from nofluke.types.base import counted
from nofluke.words.numbers import hundredths
from nofluke.words.studies import pairs
from nofluke.words.studies.pairs import CLEARLY, ENOUGH, PAPER, Limit, amount, level, limit_text, metric, near, subject

QUESTION = "How large a gain is usually significant on this test set?"
LIKE = pairs
_ALL, _SAME, _DIFFERENT = "all pairs", "same group", "different groups"


def title(study: Study) -> str:
    """Name the metric."""
    return f"How large a gain in {metric(study)} is usually significant?"


def headline(study: Study) -> str:
    """Answer with the threshold of all pairs, or, where it rests on a handful, with what most pairs need."""
    whole, percent = pairs.limits(study)[_ALL], f"{study.settings['percentile']:g}%"
    if whole.firm:
        return (
            f"A gain of {amount(whole.value)} in {metric(study)} is usually significant at {level(study):g} on this "
            f"test set: {percent} of the comparisons with {near(study)} had a smaller gain."
        )
    most = amount(_row(study)["needed by most"])
    rule = (
        f"The rule of {PAPER} gives no number: no comparison has {near(study)}."
        if not whole.near
        else f"The rule of {PAPER} gives {amount(whole.value)}, but from only {counted(whole.near, 'comparison')} with "
        f"{near(study)}."
    )
    return (
        f"Gains of {most} or more in {metric(study)} are usually significant at {level(study):g} on this test set: "
        f"that is enough for {percent} of the pairs. {rule}"
    )


def sentences(study: Study) -> tuple[str, ...]:
    """Say what the threshold rests on, what it is worth, and what groups change."""
    whole = pairs.limits(study)[_ALL]
    worth = (" ".join(_worth(study, whole, f" at {level(study):g}")),) if whole.near else ()
    return (_basis(study, whole), *worth, *_groups(study))


def _row(study: Study) -> dict[str, Any]:
    """The row of all pairs."""
    table = pairs.main_table(study)
    place = table["pairs"].index(_ALL)
    return {column: values[place] for column, values in table.items() if column != "pairs"}


def _basis(study: Study, whole: Limit) -> str:
    if not whole.firm:
        # How few comparisons the threshold rests on stands in the headline.
        return f"Compared were {subject(study)}: {counted(_row(study)['comparisons'], 'comparison')}."
    return (
        f"The gain of {amount(whole.value)} rests on {counted(whole.near, 'comparison')} with {near(study)}, of "
        f"{_row(study)['comparisons']:,} ({subject(study)})."
    )


def _worth(study: Study, whole: Limit, at: str = "") -> tuple[str, ...]:
    """How far the threshold decides what is significant: with a second sentence where it does not."""
    kept, missed = (_row(study)[f"significant {side}"] for side in ("above", "below"))
    decides = kept == 1 and not missed > 0
    share = "all" if kept == 1 else f"{hundredths(kept)}%"
    below = f"{hundredths(missed)}%" if missed > 0 else "none"
    said = f"Observed gains of {amount(whole.value)} or more: {share} significant{at}; smaller ones: {below}."
    return (said,) if decides else (said, "The gain alone does not decide.")


def _groups(study: Study) -> tuple[str, ...]:
    found = pairs.limits(study)
    same, different = found.get(_SAME), found.get(_DIFFERENT)
    if same is None or different is None:
        return ()
    if not same.near or not different.near:
        empty = _DIFFERENT if same.near else _SAME
        return (
            f"Whether systems of the same group need less cannot be said: no comparison of {empty} has {near(study)}.",
        )
    finding = (
        f"As in {PAPER}, systems of the same group need smaller gains"
        if same.value < CLEARLY * different.value
        else f"Unlike in {PAPER}, systems of the same group do not need clearly smaller gains here"
    )
    return (
        f"{finding}{pairs.caution((same, different))}.",
        f"Systems of the same group need {limit_text(same)}, of different groups {limit_text(different)}.",
    )


def shown(study: Study) -> Table:
    """The thresholds by kind of pair, those of all pairs first."""
    table = pairs.main_table(study)
    enough = f"needed by {study.settings['percentile']:g}%"
    headings = ("pairs", "number", near(study), ENOUGH, enough)
    columns = ("pairs", "comparisons", "just significant", "threshold", "needed by most")
    rows = [
        (str(name), f"{number:,}", f"{few:,}", amount(limit), amount(most))
        for name, number, few, limit, most in zip(*(table[column] for column in columns), strict=True)
    ]
    return Table(headings, tuple(sorted(rows, key=lambda row: row[0] != _ALL)), figures=headings[1:])


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """What the threshold is worth, what groups change, and the test."""
    whole = pairs.limits(study)[_ALL]
    worth = (("Check", _worth(study, whole)[0]),) if whole.near else ()
    return (*worth, *(("Groups", line) for line in _groups(study)[:1]), ("Test", pairs.how_tested(study)))


def captions(study: Study) -> dict[str, str]:
    """Say what the columns of the table are."""
    percentile = f"{study.settings['percentile']:g}th percentile"
    return {
        "thresholds": f"Gains in {metric(study)} of {subject(study)}. Just significant: {near(study)}. Usually enough: "
        f"{percentile} of their gains; usual gain: their median. Needed by most: {percentile} over all pairs of "
        f"{pairs.errors(study):.3f} standard errors of the pair's difference. {pairs.p_value_text(study)} Significant "
        "above and below: share of the comparisons with a gain of at least, or less than, that gain that have "
        f"p <= {level(study):g}."
    }
