"""An experiment of one of the papers, rerun on the user's data or by simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nofluke.types.base import FloatArray, Value


@dataclass(frozen=True, slots=True, eq=False)
class Series(Value):
    """Points of one picture: equally long columns by name; text columns (labels) in `labels`."""

    name: str
    columns: Mapping[str, FloatArray]
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Study(Value):
    """Tables (column -> values) and series of an experiment, with the settings that give them again."""

    name: str
    title: str
    question: str
    settings: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, tuple[Any, ...]]]
    series: Mapping[str, Series]
    charts: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    citations: tuple[str, ...]
    signature: str

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
