"""The simulation of a curve: how many of the drawn test sets are significant, size by size, and the check of p."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from nofluke.executors import in_replicates, is_spread, ordered
from nofluke.inference.intervals.proportions import clopper_pearson
from nofluke.types import FloatArray

Progress = Callable[[int, int], None] | None
# A source gives, for a size, blocks of (what was drawn, log p-values).
Source = Callable[[int], Iterator[tuple[FloatArray, FloatArray]]]

_BAND = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """Power with its band; for each size the test set whose p-value came closest to the level; and all distances."""

    power: FloatArray
    low: FloatArray
    high: FloatArray
    closest: tuple[tuple[int, FloatArray, float], ...]
    distances: FloatArray


class Drawing(Protocol):
    """What draws test sets; it can be sent to other processes, where its source is made anew."""

    @property
    def source(self) -> Source:
        """Give blocks of test sets of a size, with their p-values."""


@dataclass(frozen=True, slots=True, eq=False)
class _OfSize:
    """The significant test sets of one size, the one whose p-value came closest to the level, and all distances."""

    hits: int
    closest: tuple[int, FloatArray, float] | None
    distances: FloatArray


def simulate(drawing: Drawing, sizes: Sequence[int], iterations: int, level: float, progress: Progress) -> Simulated:
    """Count significant test sets. Ctrl-C stops between blocks; `progress` gets (test sets done, all)."""
    total = iterations * len(sizes)
    if is_spread():
        found = list(ordered(partial(_of_size, level), drawing, sizes, in_replicates(progress, iterations, total)))
    else:
        shares = (
            None if progress is None else partial(_report, progress, place * iterations, total)
            for place in range(len(sizes))
        )
        found = [_of_size(level, drawing, size, share) for size, share in zip(sizes, shares, strict=True)]
    error = (1 - _BAND) / 2
    bands = [clopper_pearson(of_size.hits, iterations, error, error, _BAND) for of_size in found]
    return Simulated(
        np.array([of_size.hits for of_size in found]) / iterations,
        np.array([band.low for band in bands]),
        np.array([band.high for band in bands]),
        tuple(of_size.closest for of_size in found if of_size.closest is not None),
        np.concatenate([of_size.distances for of_size in found]),
    )


def _report(progress: Callable[[int, int], None], before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _of_size(level: float, drawing: Drawing, size: int, report: Callable[[int], None] | None = None) -> _OfSize:
    edge, hits = math.log(level) + 1e-12, 0
    best: tuple[int, FloatArray, float] | None = None
    distances: list[FloatArray] = []
    for drawn, logs in drawing.source(size):
        hits += int(np.sum(logs <= edge))
        apart = np.abs(logs - math.log(level))
        distances.append(apart)
        nearest = int(np.argmin(apart))
        if best is None or apart[nearest] < abs(best[2] - math.log(level)):
            best = (size, drawn[nearest].copy(), float(logs[nearest]))
        if report is not None:
            report(sum(map(len, distances)))
    return _OfSize(hits, best, np.concatenate(distances))


@dataclass(frozen=True, slots=True)
class Check:
    """What the test said of test sets closest to the level: verdicts changed, largest errors of p, verdicts open."""

    checked: int
    changed: int
    relative: float
    absolute: float
    undecided: float


# In logarithms: p-values smaller than a ten-thousandth of the level.
_FAR_BELOW = 9.2


def check(
    simulated: Simulated, exact: Callable[[FloatArray], float], level: float, fits: Callable[[int], bool], most: int
) -> Check:
    """Compare p-values closest to the level, spread over the sizes, with those of the test.

    `undecided` is the share of all test sets whose p-value lies within the largest error of the level: the power
    cannot be further off than that through inner errors of this size.
    """
    able = [entry for entry in simulated.closest if fits(entry[0])]
    chosen = [able[round(index)] for index in np.linspace(0, len(able) - 1, min(most, len(able)))] if able else []
    relative, absolute, changed = [0.0], [0.0], 0
    edge = math.log(level) + 1e-12
    for _, row, log_p in chosen:
        truth = exact(row)
        # Far below the level digits do not matter, and approximations have a floor there.
        if math.isfinite(truth) and max(truth, log_p) > edge - _FAR_BELOW:
            relative.append(abs(math.expm1(log_p - truth)))
            absolute.append(abs(math.exp(log_p) - math.exp(truth)))
            changed += (truth <= edge) != (log_p <= edge)
    largest = max(relative)
    undecided = float(np.mean(simulated.distances <= math.log1p(largest) + 1e-15))
    return Check(len(chosen), changed, largest, max(absolute), undecided)


def crossing(sizes: FloatArray, power: FloatArray, target: float) -> float:
    """Give the size at which a curve, made to rise by pooling neighbours, reaches the target; nan where it does not."""
    risen = _rising(power)
    if risen[-1] < target:
        return math.nan
    index = int(np.argmax(risen >= target))
    if index == 0:
        return float(sizes[0])
    below, above = risen[index - 1], risen[index]
    return float(sizes[index - 1] + (sizes[index] - sizes[index - 1]) * (target - below) / (above - below))


def _rising(power: FloatArray) -> FloatArray:
    """Pool adjacent violators: the closest curve that never falls."""
    blocks: list[tuple[float, int]] = []
    for value in power.tolist():
        blocks.append((value, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (first, many), (second, more) = blocks[-2:]
            blocks[-2:] = [((first * many + second * more) / (many + more), many + more)]
    return np.repeat([value for value, _ in blocks], [count for _, count in blocks])
