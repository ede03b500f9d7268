"""A Profile as a report: what the scores look like before any test."""

from __future__ import annotations

import math

from nofluke.inference.wording import SHARES, decimals_for, kind_in_words
from nofluke.types import Profile, Report, Summary, Table
from nofluke.types.base import counted

_COLUMNS = ("", "mean", "median", "sd", "min", "max")


def build_profile(result: Profile) -> Report:
    """Say what the scores of A and B and their differences look like."""
    a, b = result.a.name, result.b.name
    better, worse, tied = (
        ("has more on", "less", "as much") if result.kind == SHARES else ("is better on", "worse", "tied")
    )
    counts = f"{a} {better} {result.wins:,}, {worse} on {result.losses:,}, {tied} on {result.ties:,}"
    summaries = {"a": result.a, "b": result.b, "difference": result.difference}
    return Report(
        kind="Profile",
        title=f"{a} and {b}, item by item",
        headline=f"{result.n:,} pairs of {kind_in_words(result.kind)}: {counts}.",
        sentences=(f"Differences are oriented so that positive means {a} is better.",),
        main=scores_table(result),
        sections=(),
        records=tuple({"part": part, **_record(summary)} for part, summary in summaries.items()),
        short=f"n = {counted(result.n, 'item')}; {counts}.",
        long=f"We looked at {result.n:,} pairs of {kind_in_words(result.kind)}: {counts}; "
        f"the differences have mean {result.difference.mean:.4g}, median {result.difference.median:.4g}, standard "
        f"deviation {result.difference.sd:.4g}{_skewed(result)}.",
        notes=result.notes,
        systems=(a, b),
        settings={"normality alpha": result.normality.alpha},
    )


def _skewed(profile: Profile) -> str:
    return "" if math.isnan(profile.skewness) else f" and skewness {profile.skewness:.2f}"


def scores_table(profile: Profile) -> Table:
    """The summaries of A, B and A - B; ties, skewness and normality stand below."""
    summaries = (profile.a, profile.b, profile.difference)
    digits = max(5, min(8, decimals_for(profile.difference.sd) + 2)) if profile.difference.sd > 0 else 5
    remarks = f"{kind_in_words(profile.kind)}; {profile.ties:,} of {profile.n:,} tied; {profile.shape}"
    return Table(
        columns=_COLUMNS,
        rows=tuple((summary.name, *_cells(summary, digits)) for summary in summaries),
        caption=remarks,
        figures=_COLUMNS[1:],
    )


def _cells(summary: Summary, digits: int) -> tuple[str, ...]:
    figures = (summary.mean, summary.median, summary.sd, summary.minimum, summary.maximum)
    return tuple(f"{value:.{digits}f}" for value in figures)


def _record(summary: Summary) -> dict[str, float | int | str]:
    return {
        "name": summary.name,
        "n": summary.n,
        "mean": summary.mean,
        "median": summary.median,
        "sd": summary.sd,
        "minimum": summary.minimum,
        "maximum": summary.maximum,
    }
