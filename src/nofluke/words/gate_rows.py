"""The rows of a gate: what each is called, its figures and its verdict; and the items whose score changed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nofluke.errors import listing
from nofluke.types import Gate, GateRow, Table
from nofluke.words.fixes import DETAILS
from nofluke.words.numbers import end_of, figure, level_text, p_digits, signed, two_digits

MOST_ROWS = 8
_GRAVEST = ("worse", "not shown", "blind", "passed")
_SAID = {
    ("forbid", "passed"): "passed",
    ("forbid", "worse"): "worse",
    ("forbid", "blind"): "blind",
    ("require", "passed"): "not worse",
    ("require", "worse"): "worse",
    ("require", "not shown"): "not shown",
}
_EXPLAINED = {
    "baseline": "the score of what is released",
    "candidate": "the score of what is to be released",
    "could catch": "the true loss that is shown in 8 of 10 test sets",
    "adjusted p": "one-sided, corrected for the number of tests (Holm) where losses are forbidden",
}


def with_interval(row: GateRow) -> str:
    """The difference of a row with its interval."""
    if row.interval is None:
        return signed(row.difference, row.standard_error)
    low, high = (end_of(end, row.standard_error) for end in (row.interval.low, row.interval.high))
    level = level_text(row.interval.level)
    return f"{signed(row.difference, row.standard_error)}, {level} CI {low} to {high}"


def row_name(row: GateRow, result: Gate) -> str:
    """What a row is called: its task, and its metric where a task has several."""
    if row.averaged:
        return "average" if len(result.averages) == 1 else f"average {row.metric}"
    several = len({one.task for one in result.rows}) < len(result.rows)
    return " ".join(filter(None, (row.task, row.metric if several or not row.task else "")))


def ordered(result: Gate) -> list[GateRow]:
    """The gravest rows first, then by their evidence of a loss; averages before tasks."""

    def key(row: GateRow) -> tuple[int, bool, float, float]:
        evidence = row.adjusted if row.rule == "forbid" else -row.p_value if not math.isnan(row.p_value) else -2.0
        return _GRAVEST.index(row.verdict), not row.averaged, evidence, row.difference

    return sorted(result.every, key=key)


def row_sentence(row: GateRow, result: Gate) -> str:
    """What became of one row, with its figures."""
    where = row_name(row, result)
    figures = f"{with_interval(row)}, p = {p_digits(row.adjusted, result.alpha)}"
    if row.verdict == "worse":
        return f"The candidate is worse on {where}: {figures}."
    if row.verdict == "not shown":
        return f"A loss of {row.margin:g} or more is not ruled out on {where}: {figures}."
    if row.verdict == "blind":
        could = f"it could catch {caught(row)}"
        return f"Blind on {where}: a loss of {result.must_catch:g} would often go unnoticed ({could})."
    return f"Passed on {where}: {figures}."


def verdict_of(row: GateRow) -> str:
    """The verdict of a row in a word or two."""
    return _SAID[row.rule, row.verdict]


def table(result: Gate, most: int = MOST_ROWS) -> Table:
    """A row for each task, the worst first; at most so many."""
    rows = ordered(result)
    holm = "p (Holm)" if not result.required and len(result.rows) > 1 else "p"
    columns = (result.noun, "items", "baseline", "candidate", "difference", "verdict", holm)
    cells = tuple(
        (
            row_name(row, result),
            f"{row.n:,}",
            *(figure(score, row.standard_error) for score in row.scores),
            signed(row.difference, row.standard_error),
            verdict_of(row),
            p_digits(row.adjusted, result.alpha),
        )
        for row in rows[:most]
    )
    figures = ("items", "baseline", "candidate", "difference", holm)
    caption = " ".join(filter(None, (_rest(rows[most:]), _about_p(result))))
    return Table(columns, cells, caption, figures=figures, explain=_EXPLAINED)


def _about_p(result: Gate) -> str:
    """Say what small p-values show, where some rows have a margin."""
    if not result.required:
        return ""
    if not result.forbidden:
        return "A small p shows that the margin is kept."
    return f"A small p shows a kept margin ({row_name(result.required[0], result)}) or a loss (elsewhere, Holm)."


def _rest(rows: Sequence[GateRow]) -> str:
    if not rows:
        return ""
    failed = sum(row.verdict != "passed" for row in rows)
    what = f"{failed:,} of them failed" if failed else "none failed"
    return f"{len(rows):,} more, {what}: {DETAILS}."


def full_table(result: Gate) -> Table:
    """Every row with its metric, its interval, what it is held to and what it could have caught."""
    level = level_text(1 - 2 * result.alpha)
    columns = (
        *(result.noun, "metric", "items", "baseline", "candidate", "difference", f"{level} CI"),
        *("adjusted p", "verdict", "could catch"),
    )
    rows = tuple(
        (
            row.task if not row.averaged else f"average of {row.averaged:,}",
            row.metric,
            f"{row.n:,}",
            *(figure(score, row.standard_error) for score in row.scores),
            signed(row.difference, row.standard_error),
            _ends(row),
            p_digits(row.adjusted, result.alpha),
            verdict_of(row) + (f" (margin {row.margin:g})" if row.margin is not None else ""),
            caught(row),
        )
        for row in ordered(result)
    )
    figures = ("items", "baseline", "candidate", "difference", f"{level} CI", "adjusted p", "could catch")
    lower = dict.fromkeys(row.metric for row in result.every if not row.higher_is_better)
    caption = f"Lower is better: {listing(lower)}; a positive difference is a gain." if lower else ""
    return Table(columns, rows, caption, figures=figures, explain=_EXPLAINED)


def _ends(row: GateRow) -> str:
    if row.interval is None:
        return ""
    low, high = (end_of(end, row.standard_error) for end in (row.interval.low, row.interval.high))
    return f"{low} to {high}"


def caught(row: GateRow) -> str:
    """The loss that a row finds in 80 of 100 test sets; under a margin that is the margin itself."""
    if row.rule == "require":
        return f"{row.margin:g}"
    return "unknown" if math.isnan(row.caught) else two_digits(row.caught)


def flips_title(result: Gate, most: int = 20) -> str:
    """How many items differ, and how many of them are shown."""
    shown = min(len(result.flips), most)
    part = f", the {shown:,} that differ most" if shown < result.flipped else ""
    return f"Items whose score changed ({result.flipped:,}{part})"


def flips_table(result: Gate, most: int | None = None) -> Table:
    """The items whose score changed, those that differ most first, losses before gains."""
    several = len({row.metric for row in result.rows}) > 1
    texts = any(flip.text for flip in result.flips)
    rows = tuple(
        (
            *([flip.task] if any(row.task for row in result.rows) else []),
            flip.item,
            *([flip.metric] if several else []),
            f"{flip.baseline:.4g}",
            f"{flip.candidate:.4g}",
            "lost" if flip.difference < 0 else "won",
            *([flip.text] if texts else []),
        )
        for flip in result.flips[:most]
    )
    columns = (
        *([result.noun] if any(row.task for row in result.rows) else []),
        "item",
        *(["metric"] if several else []),
        "baseline",
        "candidate",
        "change",
        *(["text"] if texts else []),
    )
    return Table(columns, rows, figures=("baseline", "candidate"), explain=_EXPLAINED)
