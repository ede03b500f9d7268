"""What Ratings say of themselves: how many there are, of what and by whom."""

from __future__ import annotations

from nofluke.types import Answer, Ratings
from nofluke.types.base import counted


def answer(result: Ratings) -> Answer:
    """Their number, the items, the annotators and the labels."""
    by = f"{counted(len(result.items), 'item')} by {counted(len(result.annotators), 'annotator')}"
    return Answer(f"{counted(len(result.label), 'rating')} of {by}, {counted(len(result.categories), 'label')}")
