"""What systems score: the totals that a metric gives over all items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nofluke.types.base import Value
from nofluke.types.notes import Note


@dataclass(frozen=True, slots=True)
class Scored(Value):
    """The score of every system over the same `n` items, as the metric has it; `signature` says how it was scored."""

    metric: str
    higher_is_better: bool
    n: int
    scores: Mapping[str, float]
    dataset: str = ""
    notes: tuple[Note, ...] = ()
    signature: str = ""
