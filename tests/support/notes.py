"""Notes of a result by their codes."""

from __future__ import annotations

from typing import Any

from nofluke.types import Note


def codes(result: Any) -> tuple[str, ...]:
    """The codes of a result's notes, in their order."""
    return tuple(note.code for note in result.notes if isinstance(note, Note))


def facts(result: Any, code: str) -> dict[str, Any]:
    """The facts of the one note with this code."""
    (found,) = (note for note in result.notes if isinstance(note, Note) and note.code == code)
    return dict(found.facts)
