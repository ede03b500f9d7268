"""A remark, a reason, an assumption: a code with the facts its sentence needs. words/notes/ says it in English."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.types.base import Value


@dataclass(frozen=True, slots=True)
class Note(Value):
    """What is to be said, as `room.what` and facts sorted by name; facts are numbers, names, notes or tuples of them.

    Make one by `note`, which sorts the facts and takes NumPy's numbers for Python's. str() is its sentence.
    """

    code: str
    facts: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> Any:
        return dict(self.facts)[name]

    def __plain__(self) -> dict[str, Any]:
        return {"code": self.code, "facts": dict(self.facts)}

    def __str__(self) -> str:
        from nofluke.words.notes import said

        return said(self)


def note(code: str, /, **facts: Any) -> Note:
    """Make a note of a code and its facts.

    >>> note("read.columns_unused", columns=["year", "n"]).facts
    (('columns', ('year', 'n')),)
    """
    return Note(code, tuple(sorted((name, _fact(value)) for name, value in facts.items())))


def _fact(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return tuple(map(_fact, value))
    # JSON has no nan: what is unknown is None from the start, so that a note read back is the same note.
    return None if isinstance(value, float) and math.isnan(value) else value
