"""An experiment of one of the papers, rerun on the user's data or by simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nofluke.types.base import Drawable, FloatArray, Value
from nofluke.types.call import Call
from nofluke.types.notes import Note


@dataclass(frozen=True, slots=True, eq=False)
class Series(Value):
    """Points of one picture: equally long columns by name; text columns (labels) in `labels`."""

    name: str
    columns: Mapping[str, FloatArray]
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Study(Drawable):
    """Tables (column -> values) and series of an experiment, with the settings that give them again.

    The first table is the main one, which a paper would print. `charts` are names of registered charts, the most
    telling first. `facts` are what the study's sentences need beside tables and settings (words/studies has a file for
    each study, by its name); `notes` are remarks on its input.
    """

    name: str
    settings: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, tuple[float | str | bool, ...]]]
    series: Mapping[str, Series]
    charts: tuple[str, ...]
    citations: tuple[str, ...]
    signature: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    call: Call | None = None
