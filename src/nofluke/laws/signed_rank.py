"""The signed-rank statistic: doubled mid-ranks with signs, and its law when every sign is the toss of a fair coin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.align.decimals import Differences, in_steps
from nofluke.align.exact_sums import fitting, shifted_by
from nofluke.engine.flips import flip_tail
from nofluke.engine.tail import Tail
from nofluke.types import FloatArray, IntArray, Sample

Zeros = Literal["drop", "pratt", "zsplit"]
# Up to here the sign patterns are counted out (2 ms). Beyond, the flip engine inverts the same distribution: the two
# agree to 1e-13, and at 1,000 ranks inversion takes 2 ms where counting takes 150.
COUNTED_UP_TO = 200
# Beyond this the quantile of the untied statistic is Edgeworth's: one rank in half a million is nothing any more.
_EXACT_QUANTILE_UP_TO = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class SignedRanks:
    """The doubled mid-ranks of |difference|, with the sign of the difference; zeros are set aside.

    `signed` holds one entry for each non-zero difference. `zero_rank` is the doubled mid-rank that every zero shares
    (0 when zeros were dropped before ranking). `tie_sizes` are the sizes of the groups of equal non-zero |difference|.
    """

    signed: IntArray
    n_zero: int
    zero_rank: int
    tie_sizes: IntArray

    @property
    def n_nonzero(self) -> int:
        """How many differences are not zero."""
        return len(self.signed)

    @property
    def ranks(self) -> IntArray:
        """The doubled mid-ranks without their signs."""
        return np.abs(self.signed)

    @property
    def difference(self) -> int:
        """Twice W+ - W-."""
        return int(self.signed.sum())

    @property
    def total(self) -> int:
        """Twice W+ + W- of the non-zero differences."""
        return int(self.ranks.sum())

    @property
    def tied(self) -> bool:
        """Whether some non-zero differences are equally large."""
        return bool(np.any(self.tie_sizes > 1))

    def w_plus(self, *, split: bool = False) -> float:
        """The rank sum of the positive differences; `split` adds half of the zeros' ranks (zsplit)."""
        halves = self.n_zero * self.zero_rank if split else 0
        return (self.total + self.difference + halves) / 4

    def w_minus(self, *, split: bool = False) -> float:
        """The rank sum of the negative differences; `split` adds half of the zeros' ranks (zsplit)."""
        halves = self.n_zero * self.zero_rank if split else 0
        return (self.total - self.difference + halves) / 4

    def spread(self, *, split: bool = False) -> float:
        """Standard deviation of `difference` under random signs: the root of the sum of squared ranks.

        Squared mid-ranks sum to n(n+1)(2n+1)/6 - sum(t^3 - t)/12, so ties are corrected for by themselves. `split`
        lets the zeros count as coin tosses too, which is how the normal form of zsplit has its variance.
        """
        squares = float(np.sum(self.ranks.astype(np.float64) ** 2))
        if split:
            squares += self.n_zero * float(self.zero_rank) ** 2
        return math.sqrt(squares)

    @property
    def z(self) -> float:
        """(W+ - E W+) / sd W+ with zeros set aside and the tie-corrected variance; 0 when nothing is left."""
        spread = self.spread()
        return self.difference / spread if spread else 0.0


def signed_ranks(differences: npt.NDArray[Any], zeros: Zeros = "drop") -> SignedRanks:
    """Rank the sizes of differences (whole numbers, or floats for snap=False) and give the ranks their signs.

    >>> import numpy as np
    >>> signed_ranks(np.array([3, -1, 0, 1])).signed
    array([ 6, -3,  3])
    >>> signed_ranks(np.array([3, -1, 0, 1]), "pratt").signed
    array([ 8, -5,  5])
    """
    nonzero = differences[differences != 0]
    n_zero = len(differences) - len(nonzero)
    _, group, sizes = np.unique(np.abs(nonzero), return_inverse=True, return_counts=True)
    sizes = sizes.astype(np.int64)
    before = np.cumsum(sizes) - sizes + (0 if zeros == "drop" else n_zero)
    # Ranks before + 1 .. before + size have twice their mean at 2 before + size + 1.
    doubled = 2 * before + sizes + 1
    positive = nonzero > 0
    signed = np.where(positive.astype(bool), doubled[group.ravel()], -doubled[group.ravel()])
    return SignedRanks(signed.astype(np.int64), n_zero, 0 if zeros == "drop" else n_zero + 1, sizes)


def shifted(d: Differences, sample: Sample, delta: float) -> npt.NDArray[Any]:
    """Give the differences minus delta for ranking: on the exact grid, refined until it holds delta too.

    Where differences were rounded to one grid, delta is rounded to the same grid, so that a difference next to it is
    tied with it; but equal scores differ by nothing, and are beside every delta, however small. Raw binary differences
    stay raw.
    """
    if d.integers is None:
        return d.values - delta
    if not delta:
        return fitting(d.integers)
    steps = in_steps(delta, sample.grid)
    if sample.grid.exact:
        return fitting(shifted_by(d.integers, 1, steps))
    if round(steps):
        return fitting(shifted_by(d.integers, 1, Fraction(round(steps))))
    # Nearer to 0 than every other difference, on the other side than delta.
    return fitting(np.where(d.integers == 0, -1 if delta > 0 else 1, 2 * d.integers))


def exact_tail(ranks: IntArray, threshold: int) -> Tail:
    """Give log P(sum of the randomly signed ranks >= threshold) for whole ranks with any ties."""
    if len(ranks) <= COUNTED_UP_TO:
        return counted_tail(ranks, threshold)
    return flip_tail(ranks, threshold)


def counted_tail(ranks: IntArray, threshold: int) -> Tail:
    """Count the sign patterns by dynamic programming over the rank sum; for up to 1,000 ranks (2^-n is a double).

    The rank sum of one sign, T = (S + signed sum) / 2, is symmetric about S / 2. Only its lower half is ever counted:
    all terms are positive, so a tail of 1e-300 keeps its 12 digits; an upper half is 1 minus what lies strictly beyond.
    """
    total = int(ranks.sum())
    if not total:
        return Tail(0.0 if threshold <= 0 else -math.inf, 0.0, "counting")
    step = int(np.gcd.reduce(ranks))
    # P(signed sum >= threshold) = P(T <= (S - threshold) / 2), on the lattice of the common divisor.
    most = (total - threshold) // 2 // step
    whole = total // step
    if most < 0:
        return Tail(-math.inf, 0.0, "counting")
    if 2 * most < whole:
        log_p = math.log(float(subset_sums(ranks // step, most).sum()))
    elif most >= whole:
        log_p = 0.0
    else:
        log_p = math.log1p(-float(subset_sums(ranks // step, whole - most - 1).sum()))
    return Tail(log_p, 0.0, "counting")


def subset_sums(ranks: IntArray, limit: int) -> FloatArray:
    """Give P(T = 0), ..., P(T = limit) for T the sum of a random half of the ranks."""
    probabilities = np.zeros(limit + 1)
    probabilities[0] = 2.0 ** -len(ranks)
    top = 0
    for rank in np.sort(ranks[ranks <= limit]).tolist():
        top = min(limit, top + rank)
        probabilities[rank : top + 1] += probabilities[: top + 1 - rank]
    return probabilities


@lru_cache(maxsize=256)
def untied_quantile(n: int, level: float) -> tuple[int, float]:
    """Give the largest k with P(W+ <= k) <= level for the ranks 1..n (-1 if there is none), and P(W+ <= max(k, 0))."""

    def tail(k: int) -> float:
        if n > _EXACT_QUANTILE_UP_TO:
            return _edgeworth_tail(n, k)
        # W+ <= k is a signed sum of at most 2 k - S, and the signed sum is symmetric.
        return math.exp(exact_tail(np.arange(1, n + 1), n * (n + 1) // 2 - 2 * k).log_p) if k >= 0 else 0.0

    k = max(-1, math.floor(_edgeworth_quantile(n, level)))
    while k >= 0 and tail(k) > level:
        k -= 1
    while tail(k + 1) <= level:
        k += 1
    return k, tail(max(k, 0))


def normal_quantile(n: int, level: float, *, continuity: bool) -> tuple[int, float]:
    """Give what `untied_quantile` gives, with the largest k found by the normal approximation of W+."""
    from scipy.special import ndtri

    mean, sd, _ = _moments(n)
    k = max(-1, math.floor(mean + sd * float(ndtri(level)) - (0.5 if continuity else 0.0)))
    if n > _EXACT_QUANTILE_UP_TO:
        return k, _edgeworth_tail(n, k)
    return k, math.exp(exact_tail(np.arange(1, n + 1), n * (n + 1) // 2 - 2 * max(k, 0)).log_p)


def _moments(n: int) -> tuple[float, float, float]:
    """Mean, standard deviation and excess kurtosis of W+ without ties."""
    squares = n * (n + 1) * (2 * n + 1) / 6
    fourth = n * (n + 1) * (2 * n + 1) * (3 * n * n + 3 * n - 1) / 30
    # The cumulants of r B with B a fair coin are r^2 / 4 and -r^4 / 8.
    return n * (n + 1) / 4, math.sqrt(squares / 4), -fourth / 8 / (squares / 4) ** 2


def _edgeworth_quantile(n: int, level: float) -> float:
    from scipy.special import ndtri

    mean, sd, kurtosis = _moments(n)
    z = float(ndtri(level))
    return mean + sd * (z + kurtosis * (z**3 - 3 * z) / 24) - 0.5


def _edgeworth_tail(n: int, k: int) -> float:
    """Give P(W+ <= k) with half a step of continuity correction; the next terms are of order n^-2."""
    from scipy.special import ndtr

    mean, sd, kurtosis = _moments(n)
    x = (k + 0.5 - mean) / sd
    density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return float(ndtr(x)) - density * kurtosis * (x**3 - 3 * x) / 24
