"""What a SelfCheck says: whether runs of one system differ more than chance allows."""

from __future__ import annotations

from nofluke.errors import listing
from nofluke.types import Answer, SelfCheck, Table
from nofluke.types.base import counted
from nofluke.words.fixes import DETAILS
from nofluke.words.numbers import level_text, p_digits, p_text

_MOST_ROWS = 6


def answer(result: SelfCheck) -> Answer:
    """The verdict, the tasks that differ most, and what that says."""
    return Answer(
        verdict=headline(result),
        table=table(result),
        points=tuple(zip(("Check", "Limits"), sentences(result)[:2], strict=True)),
        notes=tuple(sentences(result)[2:]),
        tone="worse" if result.outcome == "alarm" else "open",
    )


def headline(result: SelfCheck) -> str:
    """Alarm, or nothing found; never that all is well."""
    several = counted(len(result.tasks), result.noun)
    differ = f"{result.alarms:,} of {several} differ{'s' if result.alarms == 1 else ''} between runs of one system"
    if result.outcome == "alarm":
        return f"Alarm: {differ}, more than chance explains ({p_text(result.p_value)})."
    return f"Nothing found: {differ} ({p_text(result.p_value)})."


def sentences(result: SelfCheck) -> tuple[str, ...]:
    """What was compared, and what it does not show."""
    level = level_text(result.alpha)
    check = (
        f"The first half of the runs against the second, every {result.noun} once, two-sided at {level}; "
        f"about {result.alpha * len(result.tasks):.2g} of {len(result.tasks):,} would differ by chance."
    )
    if result.outcome == "alarm":
        limits = "Either runs drift or items are matched wrongly. Do not trust a gate on these logs."
    else:
        limits = "This is no proof that a gate keeps its level: it looks at runs and matching, not at other items."
    left = f"Not looked at (one run, or not asked for): {listing(result.left_out, 3)}." if result.left_out else ""
    return tuple(filter(None, (check, limits, left)))


def table(result: SelfCheck, most: int = _MOST_ROWS) -> Table:
    """The tasks by their p-values."""
    tasks = sorted(result.tasks, key=lambda task: task.p_value)
    rows = tuple(
        (
            task.task or task.metric,
            f"{task.n:,}",
            f"{task.runs[0]:,} and {task.runs[1]:,}",
            *(f"{score:.{_decimals(task.scores)}f}" for score in task.scores),
            p_digits(task.p_value, result.alpha),
            "differs" if task.alarm else "unclear",
        )
        for task in tasks[:most]
    )
    columns = (result.noun, "items", "runs", "first", "second", "p", "verdict")
    rest = f"{len(tasks) - most:,} more: {DETAILS}." if len(tasks) > most else ""
    explain = {name: f"the score of the {name} half of the runs" for name in ("first", "second")}
    return Table(columns, rows, rest, figures=("items", "first", "second", "p"), explain=explain)


def _decimals(scores: tuple[float, float]) -> int:
    """As many decimals as either score needs, three at most."""
    return min(3, max(len(f"{score:.4g}".partition(".")[2]) for score in scores))


def title(result: SelfCheck) -> str:
    """What the report is about."""
    return f"Runs of one system against each other on {counted(len(result.tasks), result.noun)}"
