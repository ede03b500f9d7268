"""Test sets in which a few scores outweigh all others: how those fall is counted out, the others are smooth.

The sum falls into humps then, one for every way the heavy scores can fall, which neither a series nor a saddlepoint
sees. Given that way, what is left is an ordinary sum: tails are mixtures of ordinary tails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray, IntArray

# A score whose square is more than this part of the squares of all smaller ones is heavy; so many groups at most are
# counted out, and ways with less than this part of the level are left out.
_OUTWEIGHS = 0.25
_MOST_GROUPS = 6
_NEGLIGIBLE = 1e-7
# Sums of many terms, none of them heavy, do not get so many standard deviations away from their mean.
_OUT_OF_REACH = 12.0
# Rounding of a threshold that lies on the lattice, in steps.
_ROUNDING = 1e-9
# Numbers held at a time.
_BLOCK = 1 << 20

BoolArray = npt.NDArray[np.bool_]


def near_level(logs: FloatArray, correction: FloatArray, level: float) -> BoolArray:
    """Whether the saddlepoint has to decide: the series might be on the wrong side of the level.

    The error of the series is of the order of its correction squared; three times the correction is far more.
    """
    return np.abs(logs - math.log(level)) < 0.1 + 3.0 * correction


def on_lattice(threshold: FloatArray, step: FloatArray, *, strict: bool = False) -> FloatArray:
    """Give the first multiple of the step at the threshold, or above it if strict; steps of 0 are no lattice."""
    there = np.where(step > 0, step, 1.0)
    steps = threshold / there
    whole = np.floor(steps + _ROUNDING) + 1.0 if strict else np.ceil(steps - _ROUNDING)
    return np.where(step > 0, whole * there, threshold)


def may_be_heavy(squares: FloatArray, counts: FloatArray) -> IntArray:
    """Give the rows whose largest square outweighs the others; `squares` is (groups,) or (rows, groups)."""
    present = np.where(counts > 0, squares, 0.0)
    place = present.argmax(axis=1)[:, None]
    largest = np.take_along_axis(present, place, 1)[:, 0]
    # Left out of the sum, not taken off it: beside a giant nothing would be left.
    np.put_along_axis(present, place, 0.0, 1)
    others = np.einsum("ij,ij->i", present, counts)
    return np.flatnonzero((largest > _OUTWEIGHS * others) & (others > 0))


def falling(values: FloatArray, counts: FloatArray) -> tuple[IntArray, FloatArray, FloatArray, IntArray, FloatArray]:
    """Sort every row from the farthest value in, those that are not there last; values are (groups,) or as counts.

    Gives the order, the counts and values in it, how many groups of each row are heavy, and the counts of the others.
    """
    order = np.argsort(np.where(counts > 0, -np.abs(values), 1.0), axis=1, kind="stable")
    held, fallen = (np.take_along_axis(one, order, 1) for one in (counts, np.broadcast_to(values, counts.shape)))
    squares = fallen * fallen
    smaller = np.cumsum((held * squares)[:, ::-1], axis=1)[:, ::-1][:, 1 : _MOST_GROUPS + 1]
    outweighs = (squares[:, : smaller.shape[1]] > _OUTWEIGHS * smaller) & (smaller > 0)
    heavy = np.asarray(np.logical_and.accumulate(outweighs, axis=1).sum(axis=1))
    return order, held, fallen, heavy, np.where(np.arange(held.shape[1]) < heavy[:, None], 0.0, held)


def in_blocks(places: IntArray, width: int) -> Iterator[IntArray]:
    """Give places some at a time, as many as rows of this width can be held."""
    step = max(1, _BLOCK // width)
    yield from (places[first : first + step] for first in range(0, places.size, step))


def row_sums(counts: FloatArray, values: FloatArray) -> FloatArray:
    """Give the sum of each row; values are (groups,) or as counts."""
    total: FloatArray = counts @ values if values.ndim == 1 else np.einsum("ij,ij->i", counts, values)
    return total


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """How heavy scores can fall: of which row, its log chance, what is owed by the others, and their draws."""

    row: IntArray
    log_chance: FloatArray
    owed: FloatArray
    draws: FloatArray

    def chosen(self, which: BoolArray | IntArray) -> Ways:
        """Give some of the ways."""
        return Ways(self.row[which], self.log_chance[which], self.owed[which], self.draws[which])

    def times(self, first: FloatArray, last: FloatArray) -> tuple[Ways, IntArray]:
        """Repeat every way for the whole numbers first ... last, and give these."""
        begin, often = first.astype(np.int64), (last - first).astype(np.int64) + 1
        which = np.repeat(np.arange(len(often)), often)
        return self.chosen(which), np.arange(len(which)) - np.repeat(np.cumsum(often) - often - begin, often)


def all_ways(draws: FloatArray) -> Ways:
    """Begin with nothing decided; signs have no draws."""
    return Ways(np.arange(len(draws)), np.zeros(len(draws)), np.zeros(len(draws)), draws.copy())


def by_signs(
    ways: Ways, heavy: BoolArray, counts: FloatArray, leaning: FloatArray, sizes: FloatArray, level: float
) -> Ways:
    """Decide how many scores of one group of each heavy row are below 0; `leaning` is those above minus those below."""
    number = np.where(heavy, counts, 0.0)[ways.row]
    spread = 10.0 * np.sqrt(number) + 8.0
    first, last = np.maximum(np.floor(number / 2 - spread), 0.0), np.minimum(np.ceil(number / 2 + spread), number)
    wider, below = ways.times(first, last)
    number = np.where(heavy, counts, 0.0)[wider.row]
    log_chance = wider.log_chance + _log_choices(number, below) - number * math.log(2.0)
    # Observed minus what falls now: 0 where the group falls as it is, whatever its size.
    moved = np.where(heavy, leaning, 0.0)[wider.row] - number + 2.0 * below
    return _likely(Ways(wider.row, log_chance, wider.owed + sizes[wider.row] * moved, wider.draws), level)


def by_draws(
    ways: Ways,
    heavy: BoolArray,
    counts: FloatArray,
    items: FloatArray,
    values: FloatArray,
    factor: float,
    level: float,
) -> Ways:
    """Decide how often one group of each heavy row is drawn: it has `counts` of the `items` that are left.

    The threshold is `factor` times what the row holds.
    """
    share = np.where(heavy, counts / items, 0.0)
    mean = ways.draws * share[ways.row]
    spread = 10.0 * np.sqrt(mean) + np.where(heavy, 16.0, 0.0)[ways.row]
    first, last = np.maximum(np.floor(mean - spread), 0.0), np.minimum(np.ceil(mean + spread), ways.draws)
    wider, drawn = ways.times(first, last)
    row, left = wider.row, wider.draws - drawn
    # Where nothing is heavy nothing is drawn, with certainty.
    log_chance = _log_choices(wider.draws, drawn) + left * np.log1p(-share[row])
    log_chance += drawn * np.log(np.where(drawn > 0, share[row], 1.0))
    owed = wider.owed + (factor * np.where(heavy, counts, 0.0)[row] - drawn) * values[row]
    return _likely(Ways(row, wider.log_chance + log_chance, owed, left), level)


def _log_choices(number: FloatArray, chosen: IntArray) -> FloatArray:
    from scipy.special import gammaln

    logs: FloatArray = gammaln(number + 1.0) - gammaln(chosen + 1.0) - gammaln(number - chosen + 1.0)
    return logs


def _likely(ways: Ways, level: float) -> Ways:
    return ways.chosen(ways.log_chance > math.log(_NEGLIGIBLE * level))


def mixed(
    ways: Ways,
    rows: int,
    distance: FloatArray,
    deviation: FloatArray,
    series: Callable[[IntArray], tuple[FloatArray, FloatArray]],
    saddlepoint: Callable[[IntArray], FloatArray],
    level: float,
) -> FloatArray:
    """Give the log tails of all rows as mixtures over the ways.

    `distance` is how far the threshold lies above the mean of the others, `deviation` their standard deviation.
    `series` gives tails of ways and the size of their correction, `saddlepoint` better ones, for rows near the level.
    """
    chance = np.exp(ways.log_chance)
    tails, corrections = np.where(distance <= 0, 1.0, 0.0), np.zeros(len(distance))
    within = np.flatnonzero((np.abs(distance) <= _OUT_OF_REACH * deviation) & (deviation > 0))
    tails[within], corrections[within] = series(within)

    def total(terms: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(ways.row, weights=chance * terms, minlength=rows), dtype=np.float64)

    whole = np.clip(total(tails), 1e-300, 1.0)
    near = near_level(np.log(whole), total(tails * corrections) / whole, level)
    better = within[near[ways.row[within]]]
    if better.size:
        tails[better] = saddlepoint(better)
        whole = np.clip(total(tails), 1e-300, 1.0)
    return np.log(whole)
