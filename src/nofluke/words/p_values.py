"""What p-values as they were read say: how many there are, for which systems, from where."""

from __future__ import annotations

import math

from nofluke.types import Answer, PValues, Table
from nofluke.types.base import counted
from nofluke.words.numbers import given_digits

_MOST_ROWS = 8
_MOST_NOTES = 3


def answer(result: PValues) -> Answer:
    """How many p-values there are, and the first of them."""
    a, b = result.systems
    scored = not all(math.isnan(value) for value in result.scores.ravel())
    left = len(result.datasets) - _MOST_ROWS
    rows = [
        (
            name,
            *([f"{score:.4g}" for score in result.scores[place]] if scored else []),
            given_digits(result.p_values[place]),
        )
        for place, name in enumerate(result.datasets[:_MOST_ROWS])
    ]
    source = f" ({result.source})" if result.source else ""
    return Answer(
        verdict=f"{counted(len(result.datasets), 'p-value')} for {a} and {b}{source}.",
        table=Table(
            columns=("dataset", *(result.systems if scored else []), "p"),
            rows=tuple(rows),
            caption=f"{left:,} more." if left > 0 else "",
            figures=(a, b, "p"),
        ),
        notes=tuple(str(note) for note in result.notes)[:_MOST_NOTES],
    )
