"""Bootstrap tests of the mean, shift form, for all pairs of systems: one matrix product per Fourier node serves all.

For system i ahead of j by t in total, [i, j] is P(D* >= 2t) with D* the total of n items drawn with replacement. With
nodes t_k = (2k + 1) pi / L the sum (1/2) + (1/L) sum_k g / sin(t_k g / 2) Im[psi(t_k) e^(-i t_k x)] is the tail up to
P(|D* - x| > L); g is the step of the lattice of D* and x lies half a step below the threshold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.engine.pairs.binary import two_valued
from nofluke.engine.pairs.draw_saddlepoint import draw_saddle
from nofluke.engine.pairs.draws import DrawnPairs, describe
from nofluke.engine.pairs.resonance import draw_resonance
from nofluke.engine.pairs.table import BoolArray, PairTails, Progress, checked
from nofluke.engine.pairs.trinomial import two_valued_bootstrap
from nofluke.engine.tail import EXACT_BOUND
from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray

Deep = Literal["saddlepoint", "exact"]

# Below this the absolute accuracy of the shared nodes is too little, and the tail is computed on its own.
DEEP = 1e-8
_FARTHEST = 6.2
_MARGIN = 8.5
_ALIAS = math.log(1e-14)
_QUIET = 1e-14
_LOBE = 8.0
# Standard deviations of the sum in steps of its lattice, below which the nodes would reach its period.
_FINE = 12.0
# One product per node costs as much as so many tails one by one.
_PAIRS_PER_NODE = 12
_BLOCK = 1 << 18
_POOR = 1e-3
ComplexArray = npt.NDArray[np.complex128]

_SLICE = 128
# Adding and taking away 1.5 * 2^k rounds to multiples of 2^(k - 52).
_TO_COARSE = 1.5 * 2.0**29
_TO_FINE = 1.5 * 2.0**6
_FINEST = 2.0**-46
# Root mean square of what is cut off each factor, dither included.
ROUNDING = _FINEST / math.sqrt(6.0)
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(slots=True, eq=False)
class _Found:
    """Upper tails P(D* >= 2t), lower tails P(D* <= 2t) of the pairs, how they were computed, and the relative error."""

    upper: FloatArray
    lower: FloatArray
    computed: npt.NDArray[np.str_]
    error: FloatArray


def all_pairs_bootstrap(
    scores: npt.NDArray[Any], *, deep: Deep = "saddlepoint", progress: Progress | None = None
) -> PairTails:
    """How likely is a lead twice the observed one when items are drawn again, for all pairs at once?

    `scores` is (n, S), whole multiples of one step, higher = better. Entry [i, j] is log P(D* >= 2t), [j, i] the other
    tail P(D* <= 2t); -inf where no resample can reach 2t. Entries computed "gram" are right to about 1e-12 in absolute
    terms and `bound` is that over p. Tails below 1e-8 are computed by saddlepoint (`bound` is an estimate; exactly when
    it exceeds 1e-3), or all exactly with deep="exact"; pairs that the shared nodes do not suit are exact.

    >>> import numpy as np
    >>> tails = all_pairs_bootstrap(np.array([[1, 0], [0, 0], [0, 0]]))
    >>> round(float(np.exp(tails.log_p[0, 1])), 12)  # P(Bin(3, 1/3) >= 2)
    0.259259259259
    """
    if deep not in ("saddlepoint", "exact"):
        raise InputError(f"deep = {deep!r} is not known.", fix="choose saddlepoint or exact.")
    systems = checked(scores)
    if two_valued(systems):
        return two_valued_bootstrap(systems)
    pairs = describe(systems)
    zeros = [np.zeros(pairs.size) for _ in range(3)]
    found = _Found(zeros[0], zeros[1], np.full(pairs.size, "exact", "<U11"), zeros[2])
    beyond = pairs.beyond
    found.upper[beyond] = -np.inf
    smooth, suited = _suits(systems, pairs)
    shared = ~(beyond | pairs.same) & suited & (pairs.lead <= _FARTHEST * pairs.deviation)
    alone = ~(beyond | pairs.same | shared)
    for rows in _groups(pairs, np.flatnonzero(shared)):
        done = _gram(systems, pairs, found, rows)
        alone[rows[~done]] = True
    far = alone & (pairs.lead > _FARTHEST * pairs.deviation)
    far |= ~alone & ~beyond & ~pairs.same & (found.upper < math.log(DEEP))
    if deep == "saddlepoint":
        rows = np.flatnonzero(far & smooth)
        good = _saddlepoints(systems, pairs, found, rows)
        alone[rows[good]], far[rows[good]] = False, False
    _one_by_one(systems, pairs, found, np.flatnonzero(alone | far), progress)
    return _square(pairs, found)


def _suits(systems: IntArray, pairs: DrawnPairs) -> tuple[BoolArray, BoolArray]:
    """Say which sums are smooth on their lattice, and which of them have a fine one and tails inside the period."""
    deviation, step = np.zeros((len(systems),) * 2), np.zeros((len(systems),) * 2, np.int64)
    deviation[pairs.first, pairs.second], step[pairs.first, pairs.second] = pairs.deviation, pairs.step
    smooth: BoolArray = draw_resonance(systems, deviation, step)[pairs.first, pairs.second] < _QUIET
    return smooth, smooth & (pairs.step * _FINE < pairs.deviation) & (pairs.log_alias < _ALIAS)


def _groups(pairs: DrawnPairs, rows: IntArray) -> list[IntArray]:
    """Share the pairs out into octaves of the deviation, which can share nodes."""
    groups = []
    rows = rows[np.argsort(pairs.deviation[rows], kind="stable")]
    while rows.size:
        least = pairs.deviation[rows[0]]
        inside = int(np.searchsorted(pairs.deviation[rows], 2.0 * least, side="right"))
        groups.append(rows[:inside])
        rows = rows[inside:]
    return groups


def _gram(systems: IntArray, pairs: DrawnPairs, found: _Found, rows: IntArray) -> BoolArray:
    """Fill in the tails of a group; give which have converged."""
    deviation, n = pairs.deviation[rows], systems.shape[1]
    length = (_FARTHEST + _MARGIN) * float(deviation.max())
    planned = math.ceil(_LOBE / float(deviation.min()) * length / (2.0 * math.pi)) + 1
    if rows.size < planned * _PAIRS_PER_NODE and systems.shape[1] > 64:
        return np.zeros(rows.size, dtype=bool)
    # What all systems share on an item cancels; taking it away keeps the phases small.
    centred = (systems - systems[0]).astype(np.float64)
    rough = _rough(centred, pairs, rows)
    phases = Phases(centred)
    i, j, step = pairs.ahead[rows], pairs.behind[rows], pairs.step[rows].astype(np.float64)
    sums = np.zeros((2, rows.size))
    quiet, failed = np.zeros(rows.size, dtype=bool), np.zeros(rows.size, dtype=bool)
    for k in range(3 * planned):
        frequency = (2 * k + 1) * math.pi / length
        mean = phases.means(frequency)[i, j]
        log_psi = n * np.log(np.where(mean == 0, 1e-300, mean))
        kernel = step / np.sin(np.minimum(frequency * step / 2.0, 1.5)) / length
        for which, reach in enumerate((pairs.reach[rows], pairs.exceed[rows])):
            angle = log_psi.imag - frequency * (reach - step / 2.0)
            sums[which] += kernel * np.exp(log_psi.real) * np.sin(angle)
        quiet = log_psi.real < math.log(_QUIET)
        failed |= ~quiet & (frequency * step > 3.0)
        if (quiet | failed).all():
            break
    done: BoolArray = quiet & ~failed & ~rough
    upper, lower = np.clip(0.5 + sums[0], 1e-17, 1.0), np.clip(0.5 - sums[1], 1e-17, 1.0)
    found.upper[rows], found.lower[rows] = np.log(upper), np.log(lower)
    found.computed[rows] = "gram"
    # What is cut off is independent from item to item, about ROUNDING sqrt(n) in all; ten times that, and psi^n.
    found.error[rows] = (10.0 * ROUNDING * math.sqrt(n) + 2e-16 * n + 3e-14) / upper
    return done


def _rough(centred: FloatArray, pairs: DrawnPairs, rows: IntArray) -> BoolArray:
    """Say in which pairs phases may be rounded by more than is allowed for: a giant that one system has on an item."""
    sizes = np.abs(centred).sum(axis=1)
    rounded = 2.0**-53 * _LOBE / pairs.deviation[rows] * (sizes[pairs.ahead[rows]] + sizes[pairs.behind[rows]])
    rough: BoolArray = rounded > 5.0 * ROUNDING * math.sqrt(centred.shape[1])
    return rough


def _saddlepoints(systems: IntArray, pairs: DrawnPairs, found: _Found, rows: IntArray) -> BoolArray:
    """Fill in far tails; give which are good."""
    good = np.zeros(rows.size, dtype=bool)
    n = systems.shape[1]
    size = max(1, _BLOCK // n)
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        unit = pairs.deviation[part]
        values = (systems[pairs.ahead[part]] - systems[pairs.behind[part]]).astype(np.float64)
        values -= (pairs.lead[part] / n)[:, None]
        values /= unit[:, None]
        above = (pairs.reach[part] - pairs.lead[part]) / unit
        near_end = above > 0.98 * n * values.max(axis=1)
        above = np.where(near_end, 1.0, above)
        log_tail, point, error = draw_saddle(values, above, pairs.step[part] / unit / 2.0, n)
        accepted = ~near_end & (error < _POOR) & (log_tail < math.log(0.01))
        good[start : start + size] = accepted
        chosen = part[accepted]
        found.upper[chosen], found.error[chosen] = log_tail[accepted], error[accepted]
        strict = np.exp(log_tail) - np.where(pairs.reach[part] == pairs.exceed[part], 0.0, point)
        found.lower[chosen] = np.log1p(-np.clip(strict, 0.0, 0.5))[accepted]
        found.computed[chosen] = "saddlepoint"
    return good


def _one_by_one(systems: IntArray, pairs: DrawnPairs, found: _Found, rows: IntArray, progress: Progress | None) -> None:
    from nofluke.engine.draws import draw_tail

    for done, row in enumerate(rows.tolist(), start=1):
        differences = systems[pairs.ahead[row]] - systems[pairs.behind[row]]
        threshold = 2 * pairs.leads[row]
        upper, strict = draw_tail(differences, threshold), draw_tail(differences, threshold, strict=True)
        below = math.exp(strict.log_p)
        found.upper[row] = upper.log_p
        found.lower[row] = math.log1p(-below) if below < 0.9 else draw_tail(-differences, -threshold).log_p
        found.error[row] = max(upper.bound, strict.bound)
        found.computed[row] = "exact" if found.error[row] <= EXACT_BOUND else "inversion"
        if progress is not None:
            progress(done, len(rows))


def _square(pairs: DrawnPairs, found: _Found) -> PairTails:
    size = pairs.systems
    log_p, error = np.zeros((size, size)), np.zeros((size, size))
    computed = np.full((size, size), "exact", "<U11")
    i, j = pairs.ahead, pairs.behind
    log_p[i, j], log_p[j, i] = found.upper, found.lower
    computed[i, j] = computed[j, i] = found.computed
    # The error is relative to the upper tail; the lower one is at least one half or so.
    error[i, j], error[j, i] = found.error, np.minimum(found.error, found.error * np.exp(found.upper - found.lower))
    return PairTails(log_p, computed, error)


class Phases:
    """Characteristic functions of the differences of all pairs, by matrix products that are exact in every order.

    `scores` is (S, n), small after centring. mean_i e^(it(x_ia - x_ib)) for all a, b is one complex product E E* / n.
    Floating-point products depend on the number of threads; here cosines and sines are cut into a coarse and a fine
    part, whole multiples of 2^-23 and 2^-46, so that every sum over a slice of 128 items is exact, and slices are added
    up in a fixed order. What is cut off depends on the item as well (a fixed dither), so that it averages out even if
    many items have the same scores.

    Memory is used again from node to node: asking the system for fresh pages would cost as much as the products.
    """

    def __init__(self, scores: FloatArray) -> None:
        systems, self.items = scores.shape
        slices = -(-self.items // _SLICE)
        padded = np.zeros((systems, slices * _SLICE))
        padded[:, : self.items] = scores
        self._scores = np.ascontiguousarray(padded.reshape(systems, slices, _SLICE).transpose(1, 0, 2))
        self._padding = slices * _SLICE - self.items
        turns = np.arange(self._scores.size) * _GOLDEN
        self._dither = ((turns - np.rint(turns)) * _FINEST).reshape(self._scores.shape)
        self._waves = np.empty((4, *self._scores.shape))
        self._rest = np.empty(self._scores.shape)
        self._products = np.empty((slices, systems, systems))

    def means(self, frequency: float) -> ComplexArray:
        """Give the (S, S) means of e^(i frequency (x_a - x_b)) over the items."""
        cosine, cosine_rest, sine, sine_rest = self._waves
        self._cut(np.cos, frequency, cosine, cosine_rest)
        self._cut(np.sin, frequency, sine, sine_rest)
        times = self._times
        mixed = times(cosine, cosine_rest) + times(sine, sine_rest)
        small = mixed + mixed.T + times(cosine_rest, cosine_rest) + times(sine_rest, sine_rest)
        real = times(cosine, cosine) + times(sine, sine) + small
        small = times(sine, cosine_rest) + times(sine_rest, cosine) + times(sine_rest, cosine_rest)
        imaginary = times(sine, cosine) + small
        # Padding items are zeros: each adds cos(0)^2 = 1.
        mean: ComplexArray = (real - self._padding + 1j * (imaginary - imaginary.T)) / self.items
        return mean

    def _cut(self, wave: np.ufunc, frequency: float, coarse: FloatArray, fine: FloatArray) -> None:
        """Write the coarse and the fine part of a wave."""
        rest = np.multiply(self._scores, frequency, out=self._rest)
        wave(rest, out=rest)
        np.add(rest, _TO_COARSE, out=coarse)
        coarse -= _TO_COARSE
        rest -= coarse
        rest += self._dither
        np.add(rest, _TO_FINE, out=fine)
        fine -= _TO_FINE

    def _times(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Each slice exactly (a multiple of one power of 2, below 2^53 of it), then the slices one after the other."""
        np.matmul(first, second.transpose(0, 2, 1), out=self._products)
        result: FloatArray = np.add.reduce(self._products, axis=0)
        return result
