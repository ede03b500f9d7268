"""Several test sets with the same systems: all pairs are compared on each, and each gets its threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.engine.pairs.table import Progress
from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.studies.pairs.looking import Look, check_varies
from nofluke.studies.pairs.points import series_of
from nofluke.studies.pairs.thresholds import Rule, Threshold
from nofluke.types import Sample, Series

_STEPS = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One test set: its comparisons, its threshold, and the gain that its usual pair needs (nan: none varies)."""

    found: Comparisons
    limit: Threshold
    usual: float


Parts = Mapping[str, Part]


def compare_parts(samples: Mapping[str, Sample], look: Look, rule: Rule, progress: Progress | None) -> dict[str, Part]:
    """Compare all pairs on every test set."""
    parts: dict[str, Part] = {}
    for place, (name, sample) in enumerate(samples.items()):
        found = look.compare(sample, _share_of(progress, place, len(samples)))
        parts[name] = Part(found, rule.threshold(found.gain, found.p_value), usual_gain(found, rule))
    check_varies(part.found for part in parts.values())
    return parts


def _share_of(progress: Progress | None, place: int, parts: int) -> Progress | None:
    """Report the progress of one part as that of all; parts count alike, whatever they count themselves."""
    if progress is None:
        return None
    return lambda done, total: progress(place * _STEPS + done * _STEPS // max(total, 1), parts * _STEPS)


def usual_gain(found: Comparisons, rule: Rule) -> float:
    """Give the gain that the usual pair needs: the median over pairs that vary, nan where none does."""
    varying = found.standard_error[found.standard_error > 0]
    return rule.errors * float(np.median(varying)) if varying.size else math.nan


def columns_of(parts: Parts) -> dict[str, tuple[Any, ...]]:
    """Give the columns that the tables of test sets have in common."""
    return {
        "just significant": tuple(part.limit.near for part in parts.values()),
        "threshold": tuple(part.limit.value for part in parts.values()),
        "needed by the usual pair": tuple(part.usual for part in parts.values()),
    }


def points_of(parts: Parts) -> dict[str, Series]:
    """Give the comparisons on every test set as points."""
    return {name: series_of(part.found, (name,) * part.found.size, name) for name, part in parts.items()}
