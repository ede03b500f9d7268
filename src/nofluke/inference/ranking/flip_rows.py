"""Sign flips of many rows of whole numbers at once: saddlepoint for all that it suits, exact for the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.sign_tails import flip_saddle
from nofluke.engine.tail import EXACT_BOUND
from nofluke.inference.ranking.panel import FEW_UNITS, PairTable, Progress
from nofluke.types import FloatArray, IntArray

_LOG2 = math.log(2.0)
# Sums of few different sizes move in steps of their own, which a smooth approximation misses: by a factor of 2 for
# ranks of 50 items with 10 different sizes.
_MANY_SIZES = 25


class Rows(NamedTuple):
    """Some pairs (first[r], second[r]) and their rows of differences, positive where the first is better.

    `thresholds` are what the sums under random signs are compared with, the observed sums unless given.
    """

    first: IntArray
    second: IntArray
    values: IntArray
    thresholds: IntArray | None = None


class BothTails(NamedTuple):
    """Logs of P(T >= t) and P(T <= t) for t >= 0, and the bound of their relative errors."""

    ahead: float
    behind: float
    bound: float


ExactTails = Callable[[IntArray, int], BothTails]


def by_flips(sizes: IntArray, led: int) -> BothTails:
    """Give both tails at `led` >= 0 by the engine of single tests; T moves in steps of at least 1."""
    reached, beyond = flip_tail(sizes, led), flip_tail(sizes, led + 1)
    behind = math.log1p(-math.exp(beyond.log_p)) if beyond.log_p < 0 else -math.inf
    return BothTails(reached.log_p, behind, max(reached.bound, beyond.bound))


class _Tails(NamedTuple):
    """For every row: logs of P(T >= t) and P(T <= t), the relative error, and whether it is a bound."""

    upper: FloatArray
    lower: FloatArray
    error: FloatArray
    exact: npt.NDArray[np.bool_]


def flip_rows(
    blocks: Iterable[Rows],
    systems: int,
    *,
    exact_all: bool,
    validity: str,
    exact_tails: ExactTails = by_flips,
    progress: Progress = None,
) -> PairTable:
    """Give the tails of every row's sum t under random signs T, as a table of pairs.

    The relative error of a saddlepoint is estimated by the first terms left out. Rows with few items or few different
    sizes, or with one sign only, are exact, by `exact_tails(sizes, |t|)`.
    """
    log_p, bound = np.zeros((systems, systems)), np.zeros((systems, systems))
    exact = np.eye(systems, dtype=bool)
    done, total = 0, systems * (systems - 1) // 2
    for first, second, values, given in blocks:
        led = values.sum(axis=1) if given is None else given
        found = _tails(values, led, exact_tails, exact_all=exact_all)
        log_p[first, second], log_p[second, first] = found.upper, found.lower
        bound[first, second] = bound[second, first] = found.error
        exact[first, second] = exact[second, first] = found.exact
        done += len(first)
        if progress is not None:
            progress(done, total)
    computed = np.where(exact & (bound <= EXACT_BOUND), "exact", np.where(exact, "inversion", "saddlepoint"))
    return PairTable(log_p, computed, bound, validity)


def _tails(values: IntArray, led: IntArray, exact_tails: ExactTails, *, exact_all: bool) -> _Tails:
    size = len(values)
    found = _Tails(np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size, dtype=bool))
    sizes = np.abs(values)
    nonzero = np.count_nonzero(sizes, axis=1)
    wanted = np.ones(size, dtype=bool) if exact_all else _unsuited(values, sizes, nonzero)
    rows = np.flatnonzero(~wanted)
    if rows.size:
        _approximate(found, values[rows], led[rows], rows, nonzero[rows])
    for row in np.flatnonzero(wanted).tolist():
        tails = exact_tails(sizes[row], abs(int(led[row])))
        pair = (tails.ahead, tails.behind) if led[row] >= 0 else (tails.behind, tails.ahead)
        found.upper[row], found.lower[row] = pair
        found.error[row], found.exact[row] = tails.bound, True
    return found


def _unsuited(values: IntArray, sizes: IntArray, nonzero: IntArray) -> npt.NDArray[np.bool_]:
    """Which rows a smooth approximation does not suit."""
    one_sided = (values >= 0).all(axis=1) | (values <= 0).all(axis=1)
    ordered = np.sort(sizes, axis=1)
    different = np.count_nonzero(np.diff(ordered, axis=1, prepend=0) > 0, axis=1)
    unsuited: npt.NDArray[np.bool_] = one_sided | (different < _MANY_SIZES) | (nonzero <= FEW_UNITS)
    return unsuited


def _approximate(found: _Tails, values: IntArray, led: IntArray, rows: IntArray, nonzero: IntArray) -> None:
    step = np.gcd.reduce(values, axis=1)
    scaled = np.abs(values).astype(np.float64)
    deviation = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    scaled /= deviation[:, None]
    # Sums lie on a lattice with steps of twice the common divisor: the first point that reaches the threshold.
    reached = np.abs(led) + (values.sum(axis=1) - np.abs(led)) % (2 * step)
    saddle = flip_saddle(scaled, reached / deviation, step / deviation)
    ahead = np.clip(saddle.log_tail, -nonzero * _LOG2, -1e-300)
    point = np.minimum(saddle.point, np.exp(ahead))
    behind = np.log1p(-np.minimum(np.exp(ahead) - point, 0.5))
    found.upper[rows], found.lower[rows] = np.where(led >= 0, ahead, behind), np.where(led >= 0, behind, ahead)
    # Sums of few items are separate atoms: about 1 / sqrt(their number in the tail) is chance.
    atoms = np.exp(np.minimum(-0.5 * (ahead + nonzero * _LOG2), 0.0))
    found.error[rows] = np.maximum(saddle.error, atoms)
