"""A Profile as a report: what the scores look like before any test."""

from __future__ import annotations

from nofluke.types import Profile, Report, Summary
from nofluke.words.profile import headline, long_sentence, scores_table, short_sentence


def build_profile(result: Profile) -> Report:
    """Say what the scores of both systems and their differences look like."""
    a, b = result.a.name, result.b.name
    summaries = {"a": result.a, "b": result.b, "difference": result.difference}
    return Report(
        kind="Profile",
        title=f"{a} and {b}, item by item",
        headline=headline(result),
        sentences=(),
        main=scores_table(result),
        sections=(),
        records=tuple({"part": part, **_record(summary)} for part, summary in summaries.items()),
        short=short_sentence(result),
        long=long_sentence(result),
        notes=tuple(map(str, result.notes)),
        systems=(a, b),
        settings={"normality alpha": result.normality.alpha},
    )


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
