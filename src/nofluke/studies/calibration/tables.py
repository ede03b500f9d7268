"""The tables of a calibration study: shares of winners that are truly better, each with the count behind it."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nofluke.types import frozen
from nofluke.types.study import Series

if TYPE_CHECKING:
    from nofluke.studies.calibration.study import Compared

# Table 1 of the paper is the middle: 0.00125 to 0.08 in octaves; the others continue it.
EDGES = (0.0, 0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1.0)
NEAR = "near p = 0.05"
BY_P = "by p-value"
BY_GAP = "by true lead"
Table = dict[str, tuple[Any, ...]]
Mask = npt.NDArray[np.bool_]


def built(found: Compared, near: tuple[float, float], *, across: bool) -> dict[str, Table]:
    """All tables, the paper's Table 1 first."""
    tables = {BY_P: _by_p(found), NEAR: _near(found, near)}
    if not across:
        tables[BY_GAP] = _by_gap(found, near)
    return tables


def within(found: Compared, low: float, high: float) -> Mask:
    """Which p-values lie in a bin; the lower end belongs to it, and so does 1."""
    inside = (found.p_value >= low) & ((found.p_value < high) | (high == EDGES[-1]))
    return np.asarray(inside)


def share(found: Compared, target: str, rows: Mask) -> tuple[int, int, float]:
    """How many comparisons there are, in how many the winner is better, and the share."""
    values = found.better[target][rows]
    count, won = int(np.sum(~np.isnan(values))), int(np.nansum(values))
    return count, won, won / count if count else math.nan


def _by_p(found: Compared) -> Table:
    rows = []
    for low, high in pairwise(EDGES):
        inside = within(found, low, high)
        row: dict[str, Any] = {
            "p from": low,
            "p to": high,
            "comparisons": int(inside.sum()),
            "pairs": len(np.unique(found.pair[inside])),
        }
        for target in found.better:
            row[target] = share(found, target, inside)[2]
        rows.append(row)
    return _columns(rows)


def _near(found: Compared, near: tuple[float, float]) -> Table:
    inside = np.asarray((found.p_value >= near[0]) & (found.p_value <= near[1]))
    rows = []
    for target in found.better:
        count, won, part = share(found, target, inside)
        rows.append(
            {
                "winner is better": "in truth" if target == "truly better" else f"on {target}",
                "p from": near[0],
                "p to": near[1],
                "comparisons": count,
                "pairs": len(np.unique(found.pair[inside])),
                "better": won,
                "share": part,
            }
        )
    return _columns(rows)


def _by_gap(found: Compared, near: tuple[float, float]) -> Table:
    """Near 0.05, pairs in four groups by their true lead: the share belongs to the mix of pairs, not to p."""
    target = next(iter(found.better))
    leads = found.gap[np.unique(found.pair, return_index=True)[1]]
    edges = np.quantile(leads, [0.0, 0.25, 0.5, 0.75, 1.0])
    rows = []
    for index, (low, high) in enumerate(pairwise(edges)):
        inside = (found.gap >= low) & ((found.gap < high) | (index == 3))
        inside &= (found.p_value >= near[0]) & (found.p_value <= near[1])
        count, won, part = share(found, target, np.asarray(inside))
        rows.append(
            {
                "true lead from": float(low),
                "true lead to": float(high),
                "comparisons": count,
                "better": won,
                "share": part,
            }
        )
    return _columns(rows)


def series(found: Compared) -> Series:
    """The points of the picture: in each bin the mean p-value, the share and the count, for every target."""
    columns: dict[str, list[float]] = {"p": [], "share": [], "comparisons": []}
    labels: list[str] = []
    for target in found.better:
        for low, high in pairwise(EDGES):
            inside = within(found, low, high)
            count, _, part = share(found, target, inside)
            if not count:
                continue
            middle = math.sqrt(max(low, EDGES[1] / 2) * min(high, 0.5))
            columns["p"].append(middle)
            columns["share"].append(part)
            columns["comparisons"].append(count)
            labels.append(target)
    return Series("calibration", {name: frozen(values) for name, values in columns.items()}, {"target": tuple(labels)})


def _columns(rows: list[dict[str, Any]]) -> Table:
    return {column: tuple(row[column] for row in rows) for column in rows[0]}
