"""Scores that nearly live on any coarse grid: how much of each flip tail is steps that a smooth approximation misses.

|psi(t)|^2 = prod (1 - c sin^2(t u)) <= e^(-H(t)), c = 1 / cosh^2(s u), H(t) = sum c sin^2(t u). Where most sizes are
nearly multiples of some q, H falls to nearly 0 again at t = pi / q. For every row H on a grid of frequencies is one FFT
of the histogram of its sizes, and sqrt(H) cannot fall by more than sqrt(sum c u^2) per unit of t in between; where that
leaves room for a resonance, the peak itself is looked at. Seen are all periods down to some thousandth of the
deviation: the steps of a finer grid are no more than a thousandth of a tail.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from nofluke.engine.flips.peaks import climb, quick_climb
from nofluke.engine.pairs.table import BoolArray
from nofluke.types import FloatArray, IntArray

# Frequencies are seen up to this, in units of 1 / deviation: a lobe there holds at most 2 s / t of the main one.
_FURTHEST = 12_000.0
# Grid points are so far apart that sqrt(H) falls by at most this, or by this part of a typical value, half way between.
_LOSS, _SHARE_LOST = 0.75, 0.2
_LEAST_POINTS, _MOST_POINTS = 1 << 11, 1 << 15
# Steps below this part of a tail are not looked at.
_NOTHING = 1e-4
_MOST_PEAKS = 512
# Of deep tails, in which hundreds of peaks may have room, a grid shows in those that may hold most.
_FIRST_PEAKS = 32
# Every item can only dampen a resonance: some of them, on a coarser grid, show that nearly all rows have none.
_SOME_ITEMS = (600, 2_400)
# Of sqrt(H) at a place without resonance, so much remains after chance, and so much of that shows that there is none.
_TYPICAL, _SHOWS = 0.8, 6.0
# Waves of more sizes than this are held in parts.
_FEW_SIZES = 400
# Entries of tables held at a time.
_BLOCK = 1 << 18


def low_resonance(
    sizes: FloatArray,
    tilt: FloatArray,
    curvature: FloatArray,
    start: FloatArray,
    end: FloatArray,
    deep: BoolArray,
    counts: FloatArray | None = None,
) -> FloatArray:
    """Give the share of every row's tail that lies in resonances between the frequencies `start` and `end`.

    Rows have a sum of squares of 1; `tilt` is that of the contour and `curvature` is sum c u^2. The main lobe has died
    away at `start`, and `end` is where the lattice that the approximation knows of begins again. Of `deep` rows only
    the peaks that may hold most are added up. `counts` repeat the sizes, all of which are looked at then.
    """
    n = sizes.shape[1] if counts is None else int(counts.sum(axis=1).max())
    spacing = max(2.0 * _LOSS, math.sqrt(2.0 * n) * _SHARE_LOST)
    points = _points(spacing)
    left = np.flatnonzero(start < end)
    for finer, some in enumerate(_SOME_ITEMS):
        every = max(1, n // some) if counts is None else 1
        items = -(-n // every)
        coarse = _points(2.0 * math.sqrt(n / items) * max(_TYPICAL * math.sqrt(items / 2.0) - _SHOWS, 1.0)) << finer
        if left.size and (coarse < points or n >= 2 * some):
            of_left = sizes[left], tilt[left], curvature[left], start[left]
            left = left[_not_excluded(*of_left, every, coarse, _of_rows(counts, left))]
    found = np.zeros(len(sizes))
    size = max(1, _BLOCK // points)
    for first in range(0, left.size, size):
        part = left[first : first + size]
        most = np.where(deep[part], _FIRST_PEAKS, _MOST_PEAKS)
        found[part] = _of_some(
            sizes[part], tilt[part], start[part], end[part], most, spacing, points, _of_rows(counts, part)
        )
    return found


def _of_rows(counts: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if counts is None else counts[rows]


def _points(spacing: float) -> int:
    """Give the number of points, a power of two, of which a quarter reach the furthest frequency."""
    points = 1 << math.ceil(math.log2(4.0 * _FURTHEST / spacing))
    return min(max(points, _LEAST_POINTS), _MOST_POINTS)


def _not_excluded(
    sizes: FloatArray,
    tilt: FloatArray,
    curvature: FloatArray,
    start: FloatArray,
    every: int,
    points: int,
    counts: FloatArray | None,
) -> BoolArray:
    """Say in which rows every so many items leave room for a resonance beyond `start`."""
    cell = 4.0 * _FURTHEST / points
    squares = sizes * sizes
    # sin^2 x >= x^2 - x^4 / 3, so H >= t^2 curvature - t^4 fourth / 3, enough up to here: there the main lobe dies away
    # and nothing else.
    fourth = np.einsum("ij,ij->i", squares, squares if counts is None else counts * squares)
    enough = _least_root(tilt, start, np.zeros(len(sizes))) ** 2
    near = np.sqrt(1.5 / fourth * (curvature + np.sqrt(np.maximum(curvature**2 - fourth * enough / 0.75, 0.0))))
    some = np.ascontiguousarray(sizes[:, ::every])
    weights = _curvatures(some, tilt)
    if counts is not None:
        weights *= counts
    loss = np.sqrt(np.einsum("ij,ij,ij->i", weights, some, some)) * cell / 2.0
    heights = _cosines(some, weights, np.full(len(sizes), cell), points)
    heights[(np.arange(heights.shape[1]) + 0.5) * cell <= np.maximum(near, start)[:, None]] = -np.inf
    room = weights.sum(axis=1) - 2.0 * _least_root(tilt, start, loss) ** 2
    open_rows: BoolArray = heights.max(axis=1, initial=-np.inf) > room
    return open_rows


def _least_root(tilt: FloatArray, start: FloatArray, loss: FloatArray) -> FloatArray:
    """Give the sqrt(H) above which, less `loss`, the modulus is nothing even at `start`, where a lobe holds most."""
    root: FloatArray = np.sqrt(2.0 * np.log(np.maximum(2.0 * np.maximum(tilt, 1.0) / start / _NOTHING, 1.0))) + loss
    return root


def _curvatures(sizes: FloatArray, tilt: FloatArray) -> FloatArray:
    """Give c = 1 / cosh^2(s u) = 4e / (1 + e)^2, e = e^(-2su), in which nothing overflows."""
    shrunk = sizes * (-2.0 * tilt)[:, None]
    np.exp(shrunk, out=shrunk)
    plus = 1.0 + shrunk
    plus *= plus
    shrunk *= 4.0
    shrunk /= plus
    return shrunk


def _of_some(
    sizes: FloatArray,
    tilt: FloatArray,
    start: FloatArray,
    end: FloatArray,
    most_peaks: IntArray,
    spacing: float,
    points: int,
    counts: FloatArray | None,
) -> FloatArray:
    curvature = _curvatures(sizes, tilt)
    weights = curvature if counts is None else counts * curvature
    total = weights.sum(axis=1)
    steep = np.sqrt(np.einsum("ij,ij,ij->i", weights, sizes, sizes))
    cell = spacing / np.maximum(steep, 1e-9)
    heights = _cosines(sizes, weights, cell, points)
    least = _least_root(tilt, start, np.full(tilt.size, spacing / 2.0))
    open_cells = heights > (total - 2.0 * least * least)[:, None]
    # A place in phase is a peak of the sum; its neighbours are the same place.
    open_cells[:, 1:-1] &= (heights[:, 1:-1] >= heights[:, :-2]) & (heights[:, 1:-1] >= heights[:, 2:])
    found = np.zeros(tilt.size)
    for row in np.flatnonzero(open_cells.any(axis=1)).tolist():
        ends = float(start[row]), float(end[row])
        places = np.flatnonzero(open_cells[row])
        places = places[(places * cell[row] > ends[0]) & ((places - 1) * cell[row] < ends[1])]
        roots = np.sqrt(np.maximum(total[row] - heights[row, places], 0.0) / 2.0) - spacing / 2.0
        lobes = 2.0 * max(float(tilt[row]), 1.0) / (places * cell[row])
        most = np.exp(-(np.maximum(roots, 0.0) ** 2) / 2.0) * lobes
        chosen = np.argsort(-most, kind="stable")[: most_peaks[row]]
        places = places[chosen[most[chosen] > _NOTHING]]
        if places.size:
            law = sizes[row], curvature[row], None if counts is None else counts[row]
            found[row] = _held(*law, places * cell[row], float(tilt[row]), ends)
    return found


def _cosines(sizes: FloatArray, weights: FloatArray, cell: FloatArray, points: int) -> FloatArray:
    """Give sum w cos(2 t u) at t = 0, cell, 2 cell, ...; the two nearest points of a table share every weight."""
    rows = len(sizes)
    places = sizes * (cell[:, None] * points / math.pi)
    whole = places.astype(np.int64)
    share = np.subtract(places, whole, out=places)
    share *= weights
    # The number of points is a power of two, so that a mask takes the place in its round; its end is its beginning.
    whole &= points - 1
    whole += (points + 1) * np.arange(rows)[:, None]
    size = rows * (points + 1)
    table = np.bincount(whole.ravel(), (weights - share).ravel(), size)
    whole += 1
    table += np.bincount(whole.ravel(), share.ravel(), size)
    rounds = table.reshape(rows, points + 1)
    rounds[:, 0] += rounds[:, -1]
    spectrum = np.fft.rfft(rounds[:, :-1], axis=1)[:, : points // 4 + 1].real
    # Sharing takes off a part of every wave, on the average this one and at most about as much again.
    dampened = np.sinc(np.arange(points // 4 + 1) / points) ** 2
    result: FloatArray = spectrum / dampened * (2.0 - dampened)
    return result


def _held(
    sizes: FloatArray,
    curvature: FloatArray,
    counts: FloatArray | None,
    frequencies: FloatArray,
    tilt: float,
    ends: tuple[float, float],
) -> float:
    """Add up what the resonances near these frequencies hold of the main lobe."""
    weights = curvature if counts is None else counts * curvature
    go = quick_climb if sizes.size <= _FEW_SIZES else partial(climb, modulus=False)
    peaks = math.pi * go(frequencies / math.pi, sizes, weights)
    peaks = np.unique(np.round(peaks[(peaks > ends[0]) & (peaks < ends[1] * (1.0 + 1e-6))], 6))
    sines = np.sin(np.outer(peaks, sizes))
    logs = np.log1p(-curvature * sines * sines * (1.0 - 1e-12))
    moduli = np.exp(0.5 * (logs.sum(axis=1) if counts is None else logs @ counts))
    return float((moduli * 2.0 * max(tilt, 1.0) / peaks).sum())
