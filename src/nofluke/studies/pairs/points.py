"""Comparisons as points of a picture, with the names of their systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nofluke.errors import InputError
from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.types import FloatArray, Series, frozen


def series_of(found: Comparisons, labels: Sequence[str], name: str = "comparisons") -> Series:
    """Give every comparison as a point."""
    return Series(
        name,
        {
            "gain": frozen(found.gain),
            "confidence": frozen(1.0 - found.p_value),
            "p_value": frozen(found.p_value),
            "correlation": frozen(found.correlation),
        },
        {
            "label": tuple(labels),
            "better": tuple(found.systems[i] for i in found.better.tolist()),
            "worse": tuple(found.systems[i] for i in found.worse.tolist()),
        },
    )


def given_points(name: str, gain: FloatArray, p: FloatArray, where: str = "") -> Series:
    """Give points of which only gain and p-value are known; anything else than such is refused."""
    right = gain.shape == p.shape and gain.size and np.isfinite(gain).all() and (gain >= 0).all()
    if not right or not ((p >= 0) & (p <= 1)).all():
        raise InputError(
            f"the comparisons {name!r} are none: gains are not negative, p-values lie between 0 and 1, and every "
            "comparison has both.",
            where=where,
            fix="check the table.",
        )
    columns = {"gain": frozen(gain), "confidence": frozen(1.0 - p), "p_value": frozen(p)}
    return Series(name, columns, {"label": (name,) * len(p)})
