"""What there is to know of a gate beside its verdict."""

from __future__ import annotations

from nofluke.errors import Option, listing
from nofluke.words.notes import Sayings
from nofluke.words.numbers import p_text, two_digits


def _other_scales(tasks: tuple[tuple[str, str], ...]) -> str:
    told = [f"{task} ({metric})" for task, metric in tasks]
    return f"On other scales, so not in the average: {listing(told, 4)}."


def _average_lost(metric: str, averages: int, tasks: int, loss: float, p_value: float) -> str:
    which = f"average {metric}" if averages > 1 else "average"
    hold = f"{Option('require', 'not-worse')} and {Option('margin')} on the average"
    return (
        f"The {which} of {tasks:,} tasks loses {two_digits(loss)} ({p_text(p_value)}), which no task shows alone. To "
        f"hold the gate to it: {hold}."
    )


GATE: Sayings = {
    "average_lost": _average_lost,
    "identical": "Baseline and candidate have the same score on every item: check that they are not the same files.",
    "other_scales": _other_scales,
}
