"""What systems score by a metric; whether they differ is for a comparison to say."""

from __future__ import annotations

from nofluke.types import Answer, Scored, Table
from nofluke.types.base import counted
from nofluke.words.notes import matters

_MOST_ROWS, _MOST_NOTES = 8, 3


def answer(result: Scored) -> Answer:
    """One line on what was scored, and the systems with their scores."""
    rows = tuple((name, f"{value:.4f}") for name, value in result.scores.items())
    more = len(rows) - _MOST_ROWS
    return Answer(
        verdict=headline(result),
        table=Table(
            columns=("", " "),
            rows=rows[:_MOST_ROWS],
            figures=(" ",),
            caption=f"{counted(more, 'more system')}: --details" if more > 0 else "",
        ),
        points=(("Metric", result.signature),) if "|" in result.signature else (),
        notes=tuple(str(note) for note in result.notes if matters(note))[:_MOST_NOTES],
    )


def headline(result: Scored) -> str:
    """What was scored, over how many items."""
    direction = "higher" if result.higher_is_better else "lower"
    where = f" on {result.dataset}" if result.dataset else ""
    systems = counted(len(result.scores), "system")
    return f"{result.metric} of {systems}{where}, {counted(result.n, 'item')} ({direction} is better)."


def only_scores(result: Scored) -> tuple[str, ...]:
    """Say that scores alone are no comparison, where there is something to compare."""
    if len(result.scores) < 2:
        return ()
    return ("These are scores alone. Whether the systems really differ is a question for nofluke compare or rank.",)


def caption(result: Scored) -> str:
    """What the table shows, and how it was scored."""
    return headline(result) + (f" Scored as {result.signature}." if result.signature else "")


def sentence(result: Scored) -> str:
    """The sentence for a paper."""
    direction = "higher" if result.higher_is_better else "lower"
    where = f" on {result.dataset}" if result.dataset else ""
    listed = ", ".join(f"{name} {value:.4f}" for name, value in result.scores.items())
    systems, over = counted(len(result.scores), "system"), counted(result.n, "item")
    return f"We scored {systems}{where} by {result.metric} ({direction} is better) over {over}: {listed}."
