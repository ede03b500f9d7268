"""The whole law of a pair of sums, item by item: slow, but every term is positive, so no tail is too deep."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.lattice2d.tilt import TiltedPair

# 2^-items must be a normal float.
_MOST_ITEMS = 1000
_MOST_POINTS = 1 << 24


def dense_steps(pair: TiltedPair) -> float:
    """Give the work, in additions; infinite where the table would be too large."""
    _, width, _, height = _extent(pair)
    items = int(pair.counts.sum())
    return float(width) * height * items if items <= _MOST_ITEMS and width * height <= _MOST_POINTS else math.inf


def dense_tail(pair: TiltedPair) -> float:
    """Give log P(event) from the law of (X, Y) under fair signs, right to about items * 2^-53."""
    first_x, width, first_y, height = _extent(pair)
    law, more = np.zeros((width, height)), np.empty((width, height))
    law[-first_x, -first_y] = 1.0
    for x, y, count in zip(pair.x.tolist(), pair.y.tolist(), pair.counts.tolist(), strict=True):
        to_x, from_x = _overlap(x, width)
        to_y, from_y = _overlap(y, height)
        for _ in range(count):
            law *= 0.5
            np.copyto(more, law)
            law[to_x, to_y] += more[from_x, from_y]
    basis, y_values = pair.basis, np.arange(first_y, first_y + height)
    least = pair.event.least_of(pair.start_v - 2 * basis.step_v * y_values)
    last = (pair.start_u - least - 2 * basis.shear * y_values) // (2 * basis.step_u) - first_x
    p = math.fsum(float(law[: max(0, end + 1), column].sum()) for column, end in enumerate(last.tolist()))
    return math.log(p) if p > 0 else -math.inf


def _extent(pair: TiltedPair) -> tuple[int, int, int, int]:
    """Give the first X and how many, the first Y and how many: all that can be reached."""
    ends = [int(np.dot(clip(steps, 0), pair.counts)) for steps in (pair.x, pair.y) for clip in (np.minimum, np.maximum)]
    return ends[0], ends[1] - ends[0] + 1, ends[2], ends[3] - ends[2] + 1


def _overlap(step: int, size: int) -> tuple[slice, slice]:
    if step >= 0:
        return slice(step, size), slice(0, size - step)
    return slice(0, size + step), slice(-step, size)
