"""Data on which a registered method has something to say, and data on which it has not; chosen by its facts alone.

A new method is served as it registers: what it needs stands in its facts. Only options without which a method refuses
to run are named here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nofluke.registry import Method

# Items on which A and B differ by noise, and the gain that makes A clearly better without leaving their range.
_NOISE = np.tile([-0.21, 0.14, 0.02, -0.05, 0.31, -0.12, 0.08, -0.17, 0.05, -0.03], 10)
_LEVEL = np.round(0.3 + 0.4 * np.abs(np.sin(np.arange(100))), 2)
_GAIN = 0.15
# Tests of 0/1 scores of two groups say so in their text only.
COUNTS = ("chi_square",)

OPTIONS: dict[str, dict[str, Any]] = {
    "bounded_mean": {"low": 0.0, "high": 1.2},
    "corrected_resampled_t": {"rho": 0.1},
    "gwet_ac2": {"weights": "linear"},
}


def options_of(method: Method) -> dict[str, Any]:
    return OPTIONS.get(method.name, {})


def scores_for(method: Method, clear: bool) -> tuple[np.ndarray, np.ndarray]:
    """Scores of A and B: with a clear difference, or with none to speak of."""
    if method.facts["needs"] == "binary" or method.name in COUNTS:
        b = (np.arange(60) % 3 == 0).astype(int)
        a = b.copy()
        a[[1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23] if clear else [1]] = 1
        a[[0] if clear else [0, 3]] = 0
        return a, b
    gain = _GAIN * (2 if method.facts["needs"] == "unpaired" else 1) if clear else 0.0
    return np.round(_LEVEL + _NOISE + gain, 2), _LEVEL


def systems_for(method: Method, clear: bool) -> dict[str, np.ndarray]:
    a, b = scores_for(method, clear)
    return {"A": a, "B": b, "C": np.roll(b, 1)}


def datasets_for(method: Method, clear: bool) -> Any:
    """What a posterior takes: two sequences, or several datasets where it needs those."""
    if method.facts["needs"] != "datasets":
        return scores_for(method, clear)
    pairs = [(_LEVEL[i : i + 4] + _NOISE[i : i + 4] + (_GAIN if clear else 0.0), _LEVEL[i : i + 4]) for i in range(9)]
    return ({f"set {i}": pair for i, pair in enumerate(pairs)}, None)


def ratings_for(method: Method, clear: bool) -> list[list[int]]:
    """Ratings 1 to 3 of twelve items: annotators who mostly agree, or who hardly do."""
    annotators = 2 if method.facts["needs"] == "two annotators" else 3
    rows = [[1 + i % 3] * annotators for i in range(24)]
    for number, row in enumerate(rows):
        if number % (8 if clear else 2) == 0:
            row[-1] = 1 + (row[-1] % 3)
    return rows


def table_for(method: Method, clear: bool) -> list[list[float]]:
    """Datasets x systems."""
    if "0 or 1" in method.facts["needs"]:
        rows = [[1, 0, 0], [1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]] * 4
        return rows if clear else [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]] * 4
    steps = [0.1, 0.0, -0.1] if clear else [0.0, 0.0, 0.0]
    return [[round(_LEVEL[i] + step + _NOISE[3 * i + j] / 9, 3) for j, step in enumerate(steps)] for i in range(12)]


def p_values(clear: bool) -> list[float]:
    return [1e-5, 3e-4, 0.002, 0.011, 0.6] if clear else [0.91, 0.2, 0.55, 0.37, 0.8]
