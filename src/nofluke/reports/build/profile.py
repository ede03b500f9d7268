"""Profile and Choices as reports: what the scores look like before any test, which tests fit them, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nofluke.types import Choice, Choices, Profile, Report, Summary, Table
from nofluke.words import profile as words


def build_profile(result: Profile) -> Report:
    """Say what the scores of both systems and their differences look like."""
    a, b = result.a.name, result.b.name
    summaries = {"a": result.a, "b": result.b, "difference": result.difference}
    return Report(
        kind="Profile",
        title=f"{a} and {b}, item by item",
        headline=words.headline(result),
        sentences=(),
        main=words.scores_table(result),
        sections=(),
        records=tuple({"part": part, **_record(summary)} for part, summary in summaries.items()),
        short=words.short_sentence(result),
        long=words.long_sentence(result),
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


def build_choices(result: Choices) -> Report:
    """Say which test to take, which others would do, and which would not."""
    first = result.rows[0]
    return Report(
        kind="Choices",
        title="Which test fits these data?",
        headline=words.test_to_take(result),
        sentences=(),
        main=replace(choices_table(result.rows), caption=words.rules_caption(result)),
        sections=(),
        records=tuple(
            {"method": row.method, "verdict": row.verdict, "reason": str(row.reason), "citation": row.citation}
            for row in result.rows
        ),
        short=words.test_in_short(result),
        long=words.test_in_full(result),
        notes=tuple(map(str, result.notes)),
        citations=(first.citation,) if first.citation else (),
        settings={"rules": result.rules},
    )


def choices_table(choices: Iterable[Choice]) -> Table:
    """The recommendation; methods judged alike for the same reason share a row."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for choice in choices:
        grouped.setdefault((choice.verdict, str(choice.reason), choice.citation), []).append(choice.method)
    rows = tuple(
        (verdict, ", ".join(methods), f"{reason} [{citation}]" if citation else reason)
        for (verdict, reason, citation), methods in grouped.items()
    )
    strong = tuple(number for number, row in enumerate(rows) if row[0] == "preferred")
    return Table(columns=("verdict", "test", "why"), rows=rows, strong=strong)
