"""How items were matched and what was left out."""

from __future__ import annotations

from nofluke.types.base import counted
from nofluke.words.notes import Sayings


def _items(matched: int, missing: tuple[tuple[str, int], ...], dropped: int, by: str, leftover: int) -> str:
    """Half a sentence without a full stop: it stands in titles and behind names."""
    text = f"{counted(matched, 'item')} matched by {by}"
    if dropped:
        lacking = ", ".join(f"{count:,} without a score of {name}" for name, count in missing)
        text += f"; {dropped:,} left out" + (f" ({lacking})" if lacking else "")
    if leftover:
        were = "was" if leftover == 1 else "were"
        text += f"; {counted(leftover, 'item')} at the end did not fill a unit and {were} left out"
    return text


SAYINGS: Sayings = {"items": _items}
