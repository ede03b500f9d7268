"""The tables of a calibration study: shares of winners that are truly better, each with the count behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.studies.calibration.compared import TRULY, Compared
from nofluke.types import frozen
from nofluke.types.study import Series

# Table 1 of the paper is the middle: 0.00125 to 0.08 in octaves; the others continue it.
EDGES = (0.0, 0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1.0)
NEAR = "just significant"
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


@dataclass(frozen=True, slots=True)
class Share:
    """Of so many comparisons, between so many different pairs, the winner is better in so many."""

    comparisons: int
    pairs: int
    better: int

    @property
    def share(self) -> float:
        """The share of them; nan where there are none."""
        return self.better / self.comparisons if self.comparisons else math.nan


def share(found: Compared, target: str, rows: Mask) -> Share:
    """Count the comparisons in which one of the two is better in the target at all; ties there decide nothing."""
    decided = rows & ~np.isnan(found.better[target])
    pairs = len(np.unique(found.pair[decided]))
    return Share(int(decided.sum()), pairs, int(found.better[target][decided].sum()))


def _row(target: str, part: Share) -> dict[str, Any]:
    where = {} if target == TRULY else {"winner is better": f"on {target}"}
    return {
        **where,
        "comparisons": part.comparisons,
        "pairs": part.pairs,
        "better": part.better,
        "share": part.share,
    }


def _by_p(found: Compared) -> Table:
    rows = [
        {"p from": low, "p to": high, **_row(target, share(found, target, within(found, low, high)))}
        for target in found.better
        for low, high in pairwise(EDGES)
    ]
    return _columns(rows)


def _near(found: Compared, near: tuple[float, float]) -> Table:
    inside = np.asarray((found.p_value >= near[0]) & (found.p_value <= near[1]))
    rows = [
        {"p from": near[0], "p to": near[1], **_row(target, share(found, target, inside))} for target in found.better
    ]
    return _columns(rows)


def _by_gap(found: Compared, near: tuple[float, float]) -> Table:
    """Pairs in four groups by their true lead: the share belongs to the mix of pairs, not to p."""
    target = next(iter(found.better))
    leads = found.gap[np.unique(found.pair, return_index=True)[1]]
    edges = np.quantile(leads, [0.0, 0.25, 0.5, 0.75, 1.0])
    rows = []
    for index, (low, high) in enumerate(pairwise(edges)):
        inside = (found.gap >= low) & ((found.gap < high) | (index == 3))
        inside &= (found.p_value >= near[0]) & (found.p_value <= near[1])
        part = share(found, target, np.asarray(inside))
        rows.append({"true lead from": float(low), "true lead to": float(high), **_row(target, part)})
    return _columns(rows)


def series(found: Compared) -> Series:
    """The points of the picture: in each bin the mean p-value, the share and the count, for every target."""
    columns: dict[str, list[float]] = {"p": [], "share": [], "comparisons": []}
    labels: list[str] = []
    for target, better in found.better.items():
        for low, high in pairwise(EDGES):
            inside = within(found, low, high)
            part = share(found, target, inside)
            if not part.comparisons:
                continue
            columns["p"].append(float(found.p_value[inside & ~np.isnan(better)].mean()))
            columns["share"].append(part.share)
            columns["comparisons"].append(part.comparisons)
            labels.append(target)
    return Series("calibration", {name: frozen(values) for name, values in columns.items()}, {"target": tuple(labels)})


def _columns(rows: list[dict[str, Any]]) -> Table:
    return {column: tuple(row[column] for row in rows) for column in rows[0]}
