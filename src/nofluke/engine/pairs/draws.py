"""What the bootstrap must know of every pair before it chooses a path: lead, spread, lattice and tails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nofluke.engine.pairs.table import Block, BoolArray, blocks, coarsest, steps, totals
from nofluke.types import FloatArray, IntArray

# Exponents of the Chernoff bounds, in units of 1 / deviation, and how far away the bounds are asked for.
_TILT = 8.0
_BELOW = 8.5
_ABOVE = 14.7
_ROUNDING = 1.2e-6


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPairs:
    """All pairs first < second, one entry each; `ahead` leads `behind` by `lead` >= 0 in total.

    `leads` are the leads as Python integers. `deviation` is that of the sum D* of n drawn differences, `step` that of
    its lattice; `reach` and `exceed` are the least values of D* on it that are at least, and more than, 2 lead. `same`
    pairs agree on every item; `beyond` means that no resample reaches 2 lead. `log_alias` bounds the chance of a D*
    more than 8.5 deviations below its mean or 14.7 above.
    """

    systems: int
    first: IntArray
    second: IntArray
    ahead: IntArray
    behind: IntArray
    leads: list[int]
    lead: FloatArray
    deviation: FloatArray
    step: IntArray
    reach: FloatArray
    exceed: FloatArray
    same: BoolArray
    beyond: BoolArray
    log_alias: FloatArray

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return self.first.size


def _next_point(least: int, step: int, offset: int) -> float:
    """Give the least of offset + step Z that is at least `least`."""
    return float(least + (offset - least) % step) if step else float(offset)


def describe(systems: IntArray) -> DrawnPairs:
    """Measure all pairs, a block of differences at a time."""
    sums, known = totals(systems), coarsest(systems)
    parts = [_measure(block, sums, known) for block in blocks(systems)]
    first, second, deviation, step, offset, largest, alias = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    signed = [sums[i] - sums[j] for i, j in zip(first.tolist(), second.tolist(), strict=True)]
    leading, leads = np.array([lead >= 0 for lead in signed]), [abs(lead) for lead in signed]
    offset, n = np.where(leading, offset, -offset), systems.shape[1]
    tops, grids = largest.tolist(), list(zip(leads, step.tolist(), (n * o for o in offset.tolist()), strict=True))
    return DrawnPairs(
        systems=len(systems),
        first=first,
        second=second,
        ahead=np.where(leading, first, second),
        behind=np.where(leading, second, first),
        leads=leads,
        lead=np.array(leads, dtype=np.float64),
        deviation=deviation,
        step=step,
        reach=np.array([_next_point(2 * lead, grid, origin) for lead, grid, origin in grids]),
        exceed=np.array([_next_point(2 * lead + 1, grid, origin) for lead, grid, origin in grids]),
        same=(step == 0) & (offset == 0),
        beyond=np.array([2 * lead > n * top for lead, top in zip(leads, tops, strict=True)]),
        log_alias=alias,
    )


def _measure(block: Block, sums: list[int], known: int) -> tuple[FloatArray | IntArray, ...]:
    number, n = block.differences.shape
    offset = block.differences[:, 0].copy()
    lattice = block.differences - offset[:, None]
    # Differences of differences are multiples of what all differences are multiples of.
    step = steps(np.abs(lattice), known)
    lead = np.array([float(sums[block.first] - sums[j]) for j in block.others.tolist()])
    ahead = lead >= 0
    largest = np.where(ahead, block.differences.max(axis=1), -block.differences.min(axis=1))
    values = block.differences.astype(np.float64) - (lead / n)[:, None]
    deviation = np.sqrt(np.einsum("ij,ij->i", values, values))
    values *= np.where(ahead, 1.0, -1.0)[:, None] / np.maximum(deviation, 1e-300)[:, None]
    below, above = _log_chernoff(-values, _BELOW), _log_chernoff(values, _ABOVE)
    first = np.full(number, block.first)
    return first, block.others, deviation, step, offset, largest, np.logaddexp(below, above)


def _log_chernoff(values: FloatArray, distance: float) -> FloatArray:
    """Bound log P(sum of n draws >= distance) by n log mean e^(sy) - s distance.

    Single precision is enough for a bound; its rounding, twenty times 6e-8 at most, is added.
    """
    n = values.shape[1]
    scaled = np.minimum(values * _TILT, 80.0).astype(np.float32)
    np.exp(scaled, out=scaled)
    sums = scaled.sum(axis=1).astype(np.float64)
    result: FloatArray = n * (np.log(sums / n) + _ROUNDING) - _TILT * distance
    return result
