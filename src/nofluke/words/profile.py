"""What is known before any test: what the scores look like (Profile), and which test fits them (Choices)."""

from __future__ import annotations

import math

from nofluke.registry import TESTS
from nofluke.types import Answer, Choice, Choices, Profile, Summary, Table
from nofluke.types.base import counted
from nofluke.words.numbers import decimals_for, with_article

_COLUMNS = ("", "mean", "median", "sd", "min", "max")
_KINDS = {
    "shares": "shares in the score of all items",
    "binary": "0/1 scores",
    "ratings": "ratings",
    "counts": "counts",
    "whole numbers": "whole-number scores",
}
_MOST_NOTES = 3


def answer(result: Profile | Choices) -> Answer:
    """Who is better on how many items, the usual figures, and the shape of the differences; or the test to take."""
    if isinstance(result, Choices):
        return _of_tests(result)
    return Answer(
        verdict=headline(result),
        table=scores_table(result, with_caption=False),
        points=(("Shape", f"{shape(result)}."), ("Sign", sign_sentence(result))),
        notes=tuple(map(str, result.notes))[:_MOST_NOTES],
    )


def headline(result: Profile) -> str:
    """Count the pairs, and the items on which each is better."""
    return f"{result.n:,} pairs of {kind_in_words(result.kind)}: {counts(result)}."


def counts(result: Profile) -> str:
    """On how many items the first is better, worse and tied."""
    better, worse, tied = (
        ("has more on", "less", "as much") if result.kind == "shares" else ("is better on", "worse", "tied")
    )
    return f"{result.a.name} {better} {result.wins:,}, {worse} on {result.losses:,}, {tied} on {result.ties:,}"


def sign_sentence(result: Profile) -> str:
    """Say what a positive difference means."""
    return f"A positive difference means that {result.a.name} is better."


def kind_in_words(kind: str) -> str:
    """Name the kind of scores in a sentence."""
    return _KINDS.get(kind, f"{kind} scores")


def shape(result: Profile) -> str:
    """The skewness of the differences, where they vary, and what is known of their normality."""
    normality = {
        "normal": "may be normal",
        "not normal": "do not look normal",
        "constant": "normality was not tested: all differences are equal",
        "few": "normality was not tested: the Shapiro-Wilk test needs 3 values",
        "many": "normality was not tested: the Shapiro-Wilk test is made for 5,000 values at most",
    }.get(result.normality.conclusion, result.normality.conclusion)
    if result.normality.conclusion in ("normal", "not normal"):
        normality = f"the differences {normality} (Shapiro-Wilk, level {result.normality.alpha:g})"
    skewed = "" if math.isnan(result.skewness) else f"skewness of the differences {result.skewness:.2f}; "
    text = skewed + normality
    return text[:1].upper() + text[1:]


def centre_sentence(profile: Profile) -> str:
    """Whether mean or median describes the differences; "" where their skewness is not known."""
    if math.isnan(profile.skewness):
        return ""
    skewed = f"The skewness of the differences is {profile.skewness:.2f}"
    if profile.recommended_statistic == "median":
        return f"{skewed}, beyond 0.5 either way: the median describes them better than the mean (Zhu et al. 2020)."
    return f"{skewed}, within 0.5 of zero: the mean describes them (Zhu et al. 2020)."


def scores_table(profile: Profile, *, with_caption: bool = True) -> Table:
    """The summaries of both systems and of their differences; ties, skewness and normality stand below."""
    summaries = (profile.a, profile.b, profile.difference)
    digits = max(5, min(8, decimals_for(profile.difference.sd) + 2)) if profile.difference.sd > 0 else 5
    told = f"{kind_in_words(profile.kind)}; {profile.ties:,} of {profile.n:,} tied. {shape(profile)}."
    return Table(
        columns=_COLUMNS,
        rows=tuple((summary.name, *_cells(summary, digits)) for summary in summaries),
        caption=f"{told[:1].upper()}{told[1:]} {sign_sentence(profile)}" if with_caption else "",
        figures=_COLUMNS[1:],
    )


def _cells(summary: Summary, digits: int) -> tuple[str, ...]:
    figures = (summary.mean, summary.median, summary.sd, summary.minimum, summary.maximum)
    return tuple(f"{value:z.{digits}f}" for value in figures)


def short_sentence(result: Profile) -> str:
    """The counts for a paper."""
    return f"n = {counted(result.n, 'item')}; {counts(result)}."


def long_sentence(result: Profile) -> str:
    """The counts and the usual figures of the differences for a paper."""
    d = result.difference
    skewed = "" if math.isnan(result.skewness) else f" and skewness {result.skewness:.2f}"
    return (
        f"We looked at {result.n:,} pairs of {kind_in_words(result.kind)}: {counts(result)}; the differences have mean "
        f"{d.mean:.4g}, median {d.median:.4g}, standard deviation {d.sd:.4g}{skewed}."
    )


def _of_tests(result: Choices) -> Answer:
    """The test to take and why; the names of the others."""
    by_verdict = {
        "Also fit": [row.method for row in result.rows[1:] if row.verdict != "inappropriate"],
        "Do not fit": [row.method for row in result.rows if row.verdict == "inappropriate"],
    }
    return Answer(
        verdict=test_to_take(result),
        points=tuple((label, f"{', '.join(names)}.") for label, names in by_verdict.items() if names),
        notes=tuple(map(str, result.notes)),
    )


def test_to_take(result: Choices) -> str:
    """Name the test to take, and why."""
    first = result.rows[0]
    return f"Take {_label(first)} ({first.method}): it {first.reason}."


def _label(choice: Choice) -> str:
    return with_article(TESTS[choice.method].label if choice.method in TESTS else choice.method)


def rules_caption(result: Choices) -> str:
    """Say whose rules judged."""
    return f"How tests are judged for these data (rules: {result.rules})."


def test_in_short(result: Choices) -> str:
    """The choice for a paper."""
    first = result.rows[0]
    return f"We used {_label(first)} ({first.citation})."


def test_in_full(result: Choices) -> str:
    """The choice for a paper, with its reason."""
    first = result.rows[0]
    return (
        f"We used {_label(first)} ({first.citation}), the preferred test for such data (rules: {result.rules}): it "
        f"{first.reason}."
    )
