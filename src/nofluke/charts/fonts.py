"""Which characters of a chart no font of this computer has: pixels would show empty boxes in their place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from nofluke.charts.drawing import Chart
from nofluke.charts.theme import FONT

# Kinds of files that hold drawn letters; the others keep the text, and the reader's own fonts show it.
DRAWN_LETTERS = ("png", "pdf")
_MOST = 200  # characters looked up: some three thousandths of a second each
_PRIVATE = "\U0010fffd"  # a private character at the end of Unicode, which no font has
_UNSEEN = ("C", "M", "Z")  # control characters, marks on other letters, spaces


def missing_characters(chart: Chart) -> str:
    """Give the characters in a chart's texts that would be drawn as empty boxes here."""
    texts = _texts(chart.to_dict(validate=False))
    letters = dict.fromkeys(letter for text in texts for letter in text if not letter.isascii())
    seen = [letter for letter in letters if not unicodedata.category(letter).startswith(_UNSEEN)]
    if not seen:
        return ""
    box = _drawn(_PRIVATE)
    return "".join(letter for letter in seen[:_MOST] if _drawn(letter) == box)


def _texts(part: Any) -> Iterator[str]:
    """All strings of a specification, at any depth."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from (text for value in part.values() for text in _texts(value))
    elif isinstance(part, Iterable):
        yield from (text for value in part for text in _texts(value))


def _drawn(letter: str) -> bytes:
    import vl_convert

    text = f'<text x="2" y="18" font-size="16" font-family="{escape(FONT)}">{escape(letter)}</text>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">{text}</svg>'
    return bytes(vl_convert.svg_to_png(picture))
