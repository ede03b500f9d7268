"""A ranking in the sentences a paper prints, and what stands below the tables of its report."""

from __future__ import annotations

import math

import numpy as np

from nofluke.errors import By
from nofluke.inference.ranking.family import directions_hold
from nofluke.types import Ranking
from nofluke.types.base import counted
from nofluke.words.computed import interval_method
from nofluke.words.names import better_scores
from nofluke.words.numbers import figure, level_text, with_article
from nofluke.words.ranking import headline, not_shown, pairs_tested, size_of
from nofluke.words.ranking_details import correction, p_values_are, power, promise
from nofluke.words.ranking_tables import group_letters, scale_of_scores
from nofluke.words.tasks import averaged_over

_RANGES = (
    "A rank range begins at 1 plus the systems shown to be better, and ends at all systems minus those shown to be "
    "worse."
)


def paper_sentence(result: Ranking, metric: str) -> str:
    """The ranking in one sentence for a paper; `metric` is its name with the settings it was computed with."""
    how = f"{metric}, {result.label}, {pairs_tested(result)}, {correction(result)}"
    return f"{headline(result).rstrip('.')} ({how}, alpha = {result.alpha:g}, {size_of(result)})."


def paper_paragraph(result: Ranking, metric: str) -> str:
    """The ranking in a paragraph for a paper: scores, test, effect sizes, correction and power."""
    tested = pairs_tested(result)
    were = "was" if result.pairs == 1 else "were"
    scale = scale_of_scores(result)
    first, last = (f"{figure(result.scores[at], scale)} ({result.systems[at]})" for at in (0, -1))
    parts = (
        headline(result),
        f"Scores ({'' if metric == 'score' else f'{metric}, '}{better_scores(result)}) run from {first} to {last}.",
        f"{tested[0].upper()}{tested[1:]} {were} tested by {with_article(result.label)} ({size_of(result)}).",
        p_values_are(result),
        _effect_sizes(result),
        promise(result),
        power(result),
        _RANGES if directions_hold(result) and not result.baseline else "",
    )
    return " ".join(part for part in parts if part)


def _effect_sizes(result: Ranking) -> str:
    """How far apart the tested pairs are where a claim stands, and where none does."""
    tested = np.triu(~np.isnan(result.p_values) | ~np.isnan(result.p_values.T), 1)
    stands = tested & (result.better | result.better.T)
    scale, apart = scale_of_scores(result), np.abs(result.differences)
    one_sided = bool(result.baseline) and result.alternative != "two-sided"
    shown, unclear = "pairs with a clear difference", "the other pairs"
    if one_sided:
        shown, unclear = f"systems {not_shown(result).removeprefix('not ')}", f"systems {not_shown(result)}"
    said = []
    if stands.any():
        if result.pairs == 1:
            return f"Effect size: the difference in {result.metric} is {figure(float(apart[stands][0]), scale)}."
        low, high = (figure(float(end(apart[stands])), scale) for end in (np.min, np.max))
        said.append(f"{low if low == high else f'{low} to {high}'} for {shown}")
    if (tested & ~stands).any():
        which = unclear if stands.any() or one_sided else "all pairs"
        said.append(f"at most {figure(float(apart[tested & ~stands].max()), scale)} for {which}")
    return f"Effect size: the difference in {result.metric} is {', and '.join(said)}."


def caption(result: Ranking, metric: str) -> str:
    """What stands below the table of systems."""
    where = f" on {result.datasets[0]}" if len(result.datasets) == 1 else averaged_over(result)
    own = next((interval_method(interval) for interval in result.intervals if interval is not None), "")
    hold = f" They hold together with {level_text(1 - result.alpha)} confidence." if directions_hold(result) else ""
    tested = pairs_tested(result)
    parts = (
        f"{len(result.systems):,} systems{where} by {metric} ({better_scores(result)}), {size_of(result)}.",
        f"{tested[0].upper()}{tested[1:]}: {result.label}, {correction(result)}; alpha = {result.alpha:g}.",
        "" if result.baseline else f"Ranks: those that the clear differences leave open.{hold}",
        f"Intervals: of each score by itself ({own})." if own else "",
        legend(result),
    )
    return " ".join(part for part in parts if part)


def legend(result: Ranking) -> str:
    """What the letters mean: readers would take all pairs without a common one for clearly different."""
    if result.baseline or not group_letters(result):
        return ""
    others = result.open_outside_groups
    neither = f", and neither do {counted(others, 'pair')} without one" if others > 1 else ""
    neither = ", and neither does 1 pair without one" if others == 1 else neither
    return f"Systems that share a letter show no clear difference{neither}."


def explanations(result: Ranking) -> dict[str, str]:
    """What the columns of the table of systems are."""
    return {
        result.metric: f"the {result.metric} of each system",
        "ranks": "every place that the clear differences leave open for the system",
        "better than": "how many systems it is shown to be better than",
        "worse than": "how many systems are shown to be better",
        "mean rank": "the mean over datasets of the place among all systems; 1 is best",
        "group": "systems that share a letter are neighbours of which no two differ clearly; others may be unclear too",
        "difference": f"against {result.baseline}, so that positive means better than it",
        "verdict": f"whether the system is shown to be better or worse than {result.baseline}",
    }


def where_pairs_are(result: Ranking) -> str:
    """Where the table of all pairs is that is too long to show."""
    where = By(
        python="p_values, adjusted and better of the result",
        shell="nofluke rank ... --pairs pairs.csv",
        page="the downloads as CSV or JSON",
    )
    return f"The table of all {result.pairs:,} pairs: {where}."


def pairs_caption(result: Ranking) -> str:
    """What stands below the table of pairs."""
    sided = "two-sided" if result.family == "pairs" and result.alternative == "two-sided" else "one-sided"
    return f"A positive difference means that the first of a pair is better; p is {sided}."


def explanations_of_pairs(limits: str) -> dict[str, str]:
    """What the columns of the table of pairs are; `limits` heads the joint intervals."""
    return {
        limits: "limits that hold for all differences at once",
        "difference": "how much better the first of the pair is than the second",
        "verdict": "which of the two systems is shown to be better, if any",
    }


def omnibus_caption(result: Ranking) -> str:
    """What stands below the tests of all systems at once."""
    critical = result.critical_difference
    told = (
        f" By Nemenyi's test mean ranks {critical:.3g} or more apart differ clearly at {result.alpha:g}. Its verdict "
        "on two systems depends on the others."
    )
    return f"Such a test can show that some systems differ, not which.{told if math.isfinite(critical) else ''}"
