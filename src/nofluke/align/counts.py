"""Paired and unpaired 0/1 scores as the few counts that tests of accuracy need, and back."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nofluke.align.sequences import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.types import FloatArray, Sample

# A Sample holds two doubles for each item; beyond this the four counts no longer fit one in comfort.
MOST_ITEMS = 50_000_000
PAIRED_INSTEAD = "use method 'permutation' for the mean difference, or 'sign' for how often A is better."
UNPAIRED_INSTEAD = "use method 'welch_t' for the difference of means."


class PairedCounts(NamedTuple):
    """On how many items both, only A, only B, and neither are right (n11, n10, n01, n00)."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def n(self) -> int:
        """The number of items."""
        return sum(self)

    @property
    def difference(self) -> float:
        """The accuracy of A minus that of B."""
        return (self.only_a - self.only_b) / self.n


class UnpairedCounts(NamedTuple):
    """How many of its own items each system gets right."""

    right_a: int
    n_a: int
    right_b: int
    n_b: int

    @property
    def difference(self) -> float:
        """The accuracy of A minus that of B."""
        return self.right_a / self.n_a - self.right_b / self.n_b


def sample_from_counts(
    both: int, only_a: int, only_b: int, neither: int, names: tuple[str, str] = ("A", "B")
) -> Sample:
    """Make the paired 0/1 Sample of which only the four counts are known.

    >>> sample_from_counts(both=30, only_a=9, only_b=2, neither=9).n
    50
    """
    given = {"both": both, "only_a": only_a, "only_b": only_b, "neither": neither}
    counts = [_count(value, name) for name, value in given.items()]
    if not 1 <= sum(counts) <= MOST_ITEMS:
        raise InputError(
            f"the four counts add up to {sum(counts):,} items.", fix=f"give between 1 and {MOST_ITEMS:,} items in all."
        )
    a = np.repeat([1.0, 1.0, 0.0, 0.0], counts)
    b = np.repeat([1.0, 0.0, 1.0, 0.0], counts)
    return as_sample(a, b, names=names)


class TwoScores(NamedTuple):
    """The two scores that an item can have: wrong and right, where higher is better."""

    low: float = 0.0
    high: float = 1.0

    @property
    def span(self) -> float:
        """What a right answer is worth, as the decimal it looks like."""
        return float(Fraction(repr(self.high)) - Fraction(repr(self.low)))


_SHARES = TwoScores(0.0, 1.0)
_PERCENT = TwoScores(0.0, 100.0)


def two_scores(sample: Sample, low: float | None = None, high: float | None = None) -> TwoScores | None:
    """Give the two scores that all items have: those stated, or else 0 and 1, or 0 and 100; None if there are others.

    Two other scores without a stated range, such as 3 and 4, may be part of a longer scale.

    >>> two_scores(as_sample([0, 100, 100], [0, 0, 100]))
    TwoScores(low=0.0, high=100.0)
    """
    if not sample.aggregate.linear:
        return None
    stated = [] if low is None or high is None or not low < high else [TwoScores(float(low), float(high))]
    known = stated if (low, high) != (None, None) else [_SHARES, _PERCENT]
    scores = np.unique(sample.statistics[..., 0])
    return next((one for one in known if np.isin(scores, one).all()), None)


def paired_counts(
    sample: Sample, method: str, *, instead: str = PAIRED_INSTEAD, scores: TwoScores = _SHARES
) -> PairedCounts:
    """Count who is right where; for a metric where lower is better, right is the lower score.

    >>> paired_counts(sample_from_counts(30, 9, 2, 9), "mcnemar").only_a
    9
    """
    if not sample.paired:
        raise MethodError(
            f"{method} compares two systems on the same items, and these scores are unpaired.",
            fix="score both systems on the same items, or use method 'chi_square'.",
        )
    a, b = (_right(sample, index, method, instead, scores) for index in (0, 1))
    both, right_a, right_b = int(np.sum(a & b)), int(np.sum(a)), int(np.sum(b))
    return PairedCounts(both, right_a - both, right_b - both, sample.n - right_a - right_b + both)


def unpaired_counts(sample: Sample, method: str, *, instead: str = UNPAIRED_INSTEAD) -> UnpairedCounts:
    """Count how many of its items each system gets right, whether or not the items are the same."""
    a, b = (_right(sample, index, method, instead) for index in (0, 1))
    return UnpairedCounts(int(np.sum(a)), len(a), int(np.sum(b)), len(b))


def _right(sample: Sample, index: int, method: str, instead: str, two: TwoScores = _SHARES) -> npt.NDArray[np.bool_]:
    if not sample.aggregate.linear:
        raise MethodError(
            f"{method} needs a score of {two.low:g} or {two.high:g} for every item, and {sample.metric} comes from "
            "sums over all items.",
            fix=instead,
        )
    scores: FloatArray = sample.scores(index)
    ones: npt.NDArray[np.bool_] = scores == two.high
    other = np.flatnonzero(~(ones | (scores == two.low)))
    if other.size:
        item = sample.ids[other[0]] if sample.ids is not None else str(other[0])
        raise MethodError(
            f"{method} needs scores of {two.low:g} and {two.high:g}, and {scores[other[0]]:g} is neither "
            f"({other.size:,} like this).",
            where=f"{sample.systems[index]}[{item}]",
            fix=instead,
        )
    return ones if sample.higher_is_better else ~ones


def _count(value: Any, name: str) -> int:
    wrong = InputError(f"{name} = {value!r} is not a count of items.", fix="give a whole number of at least 0.")
    if isinstance(value, bool | np.bool_):
        raise wrong
    try:
        count = operator.index(value)
    except TypeError:
        raise wrong from None
    if count < 0:
        raise wrong
    return count
