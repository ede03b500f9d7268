"""What the record of a study needs: the line that repeats it, shares with their counts, and checked settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from nofluke.inference.intervals.proportions import clopper_pearson
from nofluke.inference.ranking.systems import Selection
from nofluke.noting import signature
from nofluke.types import Interval, Sample, Study

LEVEL = 0.95


def recorded(name: str, settings: Mapping[str, Any], **parts: Any) -> Study:
    """Give the study with its settings and the line that repeats it; settings that are None were not used."""
    used = {key: value for key, value in settings.items() if value is not None}
    signed = signature("study", name, {key: _short(value) for key, value in used.items()})
    return Study(name=name, settings=used, signature=signed, **parts)


def looked_at(selection: Selection) -> dict[str, Any]:
    """Give what of the scores a study looked at, where it is not all of them, as usual.

    >>> looked_at(Selection(metric="f1", clusters=False))
    {'metric': 'f1', 'clusters': False}
    """
    usual = Selection()
    return {
        field.name: getattr(selection, field.name)
        for field in fields(selection)
        if getattr(selection, field.name) != getattr(usual, field.name)
    }


def _short(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(_short(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def unit_of(sample: Sample) -> str:
    """Name what is swapped or drawn as a whole: an item, a unit of several items, or a cluster."""
    if sample.clusters is not None:
        return "cluster"
    return "unit" if sample.unit_size > 1 else "item"


def rate(count: int, of: int) -> Interval:
    """Give the exact 95% interval of a simulated rate."""
    error = (1 - LEVEL) / 2
    return clopper_pearson(count, of, error, error, LEVEL)
