"""Signed mid-ranks of paired differences, doubled so that they stay whole numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.align.decimals import Differences, in_steps
from nofluke.align.whole import fitting, shifted_by
from nofluke.types import IntArray, Sample

Zeros = Literal["drop", "pratt", "zsplit"]


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
