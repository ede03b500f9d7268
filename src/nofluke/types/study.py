"""An experiment of one of the papers, rerun on the user's data or by simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nofluke.types.base import Drawable, FloatArray, Value


@dataclass(frozen=True, slots=True, eq=False)
class Series(Value):
    """Points of one picture: equally long columns by name; text columns (labels) in `labels`."""

    name: str
    columns: Mapping[str, FloatArray]
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Study(Drawable):
    """Tables (column -> values) and series of an experiment, with the settings that give them again.

    The first table is the main one, which a paper would print; `captions` say what a table shows, by its name, and
    `meanings` what a column holds. `charts` are names of registered charts, the most telling first.
    """

    name: str
    title: str
    question: str
    settings: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, tuple[float | str | bool, ...]]]
    series: Mapping[str, Series]
    charts: tuple[str, ...]
    headline: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    citations: tuple[str, ...]
    signature: str
    captions: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences, self.signature])
