"""The bootstrap of a mean without resamples: what each linear form counts, as tails of sums of draws.

With S* the sum of m draws, d* = S* / m and d the observed mean, every form but the studentized, Moses' and one centred
on the mean of the draws asks whether d* is on one side of a number known beforehand. Everything is in grid steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from nofluke.engine.tail import Tail
from nofluke.inference.intervals.bootstrap import corrected_level
from nofluke.inference.intervals.inversion import smallest_not_rejected
from nofluke.inference.resampling.resampled_mean import Units
from nofluke.types import IntArray

# Between counting (few items) and a smooth law (many) whole periods have to be summed, which is slow on fine grids.
_COUNTED, _SMOOTH, _COARSE = 12, 40, 20_000
_HANDFUL, _FINE = 25, 200_000
# Quantiles over clusters: thresholds have this denominator at most, and are searched this closely (standard errors).
_FINEST, _CLOSE = 10**6, 1e-5

LINEAR_FORMS = ("shift", "berg_kirkpatrick", "percentile")

Form = Literal["shift", "berg_kirkpatrick", "percentile"]


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What is drawn: items, or the totals and sizes of clusters; and how many of them."""

    totals: IntArray
    sizes: IntArray | None = None
    draws: int | None = None

    @property
    def number(self) -> int:
        """How many items or clusters are drawn."""
        return len(self.totals) if self.draws is None else self.draws

    @property
    def mean(self) -> Fraction:
        """The observed mean."""
        return Fraction(sum(self.totals.tolist()), len(self.totals) if self.sizes is None else int(self.sizes.sum()))

    @property
    def common(self) -> int | None:
        """The size of all clusters where it is the same: then the ratio is a mean."""
        if self.sizes is None or int(self.sizes.min()) != int(self.sizes.max()):
            return None
        return int(self.sizes[0])

    def at_least(self, bound: Fraction, *, strict: bool = False) -> Tail:
        """Give P(d* >= bound), or > when strict."""
        from nofluke.engine.draws import draw_tail, ratio_draw_tail

        if self.sizes is not None and self.common is None:
            top, bottom = bound.numerator, bound.denominator
            return ratio_draw_tail(self.totals, self.sizes, top, bottom, draws=self.draws, strict=strict)
        cut = bound * self.number * (self.common or 1)
        least = math.floor(cut) + 1 if strict else math.ceil(cut)
        return draw_tail(self.totals, least, draws=self.number)

    def at_most(self, bound: Fraction, *, strict: bool = False) -> Tail:
        """Give P(d* <= bound), or < when strict."""
        return Drawn(-self.totals, self.sizes, self.draws).at_least(-bound, strict=strict)


def one_sided(form: Form, drawn: Drawn, null: Fraction, *, greater: bool) -> Tail:
    """Give the p-value of one claim, "A is better" (greater) or "A is worse", as the resamples go to infinity.

    shift counts d* - d >= d - null, that is d* >= 2d - null (for null 0 and n draws: S* >= 2S); berg_kirkpatrick the
    same with >; percentile d* <= null. "A is worse" is the mirror image. log_p = -inf where no resample can count.

    >>> drawn = Drawn(np.array([1, 1, 1, -1]))  # S* <= 0: at most two of four
    >>> round(math.exp(one_sided("percentile", drawn, Fraction(0), greater=True).log_p), 12)
    0.26171875
    """
    if form == "percentile":
        return drawn.at_most(null) if greater else drawn.at_least(null)
    bound = 2 * drawn.mean - null
    strict = form == "berg_kirkpatrick"
    return drawn.at_least(bound, strict=strict) if greater else drawn.at_most(bound, strict=strict)


def deciding_tails(form: Form, drawn: Drawn, null: Fraction, alternative: str) -> tuple[Tail, ...]:
    """Give the tails that a p-value needs: of two, only the observed side's when it is at most 1/2.

    The other one is then at least 1/2 (together they count every resample), and cannot be the smaller one.
    """
    if alternative != "two-sided":
        return (one_sided(form, drawn, null, greater=alternative == "greater"),)
    leaning = drawn.mean >= null
    first = one_sided(form, drawn, null, greater=leaning)
    if form != "berg_kirkpatrick" and first.log_p <= math.log(0.5):
        return (first,)
    return first, one_sided(form, drawn, null, greater=not leaning)


def is_cheap(units: Units) -> bool:
    """Whether the tails of these items or clusters take milliseconds (clusters: at most a few tenths of a second)."""
    n = len(units)
    if units.sizes is not None:
        # Between these numbers whole periods of T - tau S have to be summed, whose grid is fine for any tau.
        return n <= _COUNTED or n >= _SMOOTH
    if n <= _COUNTED:
        return True
    from nofluke.engine.draws.rare import MOST_RARE_VALUES

    values, often = np.unique(units.totals, return_counts=True)
    # A handful of items that differ: up to nine values are counted, many are smooth, and those between are slow.
    handful = n - int(often.max()) <= _HANDFUL and values.size > MOST_RARE_VALUES + 1
    if n >= _SMOOTH and not handful:
        return True
    gaps = np.diff(values)
    return int(gaps.sum()) // int(np.gcd.reduce(gaps)) < (_FINE if n >= _SMOOTH else _COARSE)


def exact_limits(
    method: Literal["percentile", "basic", "bca"],
    drawn: Drawn,
    below: float,
    above: float,
    acceleration: float = math.nan,
) -> tuple[Fraction | float, Fraction | float]:
    """Give the limits of the mean of items that leave `below` and `above` outside; infinite where that is 0.

    percentile: the quantiles of d*. basic: those reflected about d. bca: the quantiles at the corrected levels, with
    the bias from the exact share of resamples below d (half of those at d) and the acceleration that the caller gives.
    nan where the correction has left its range.
    """
    if method == "basic":
        low, high = exact_limits("percentile", drawn, above, below)
        return 2 * drawn.mean - high, 2 * drawn.mean - low
    if method == "bca":
        bias = exact_bias(drawn)
        below, above = corrected_level(below, bias, acceleration), corrected_level(above, -bias, -acceleration)
        if math.isnan(below) or math.isnan(above):
            return math.nan, math.nan
    return _quantile(drawn, below, upper=False), _quantile(drawn, above, upper=True)


def _quantile(drawn: Drawn, probability: float, *, upper: bool) -> Fraction | float:
    if probability <= 0.0:
        return math.inf if upper else -math.inf
    if drawn.sizes is not None and drawn.common is None:
        return _cluster_quantile(drawn, min(probability, 1.0), upper=upper)
    if probability >= 1.0:
        end = int(drawn.totals.min()) if upper else int(drawn.totals.max())
        return Fraction(end, drawn.common or 1)
    from nofluke.engine.draws.quantile import draw_quantile

    found = draw_quantile(drawn.totals, probability, upper=upper, draws=drawn.draws)
    return Fraction(found, drawn.number * (drawn.common or 1))


def _cluster_quantile(drawn: Drawn, probability: float, *, upper: bool) -> Fraction:
    """The mean over clusters is a ratio: its lower limit is the smallest x with P(d* <= x) above the probability.

    Every resample lies between the lowest and the highest mean of a cluster, and so does the search. Limits are found
    to a hundred-thousandth of the standard error, and are the simplest fractions there, as the ratios of few items are.
    """
    from scipy.special import ndtri

    sizes = drawn.sizes if drawn.sizes is not None else np.ones_like(drawn.totals)
    if upper:
        return -_cluster_quantile(Drawn(-drawn.totals, sizes, drawn.draws), probability, upper=False)
    ratios = [Fraction(total, size) for total, size in zip(drawn.totals.tolist(), sizes.tolist(), strict=True)]
    if probability >= 1.0:
        return max(ratios)
    mean = float(drawn.mean)
    residuals = drawn.totals - mean * sizes
    error = float(residuals.std()) / (float(sizes.mean()) * math.sqrt(drawn.number))
    scale = min(_FINEST, math.ceil(1 / (_CLOSE * error)))

    def at(k: int) -> Fraction:
        # Totals of a few steps make a coarse grid, on which tails are quick and exact, if tested at 1/3 rather than at
        # .333333: any number of the cell will do. Beside finer totals the denominator does not matter.
        return _simplest(Fraction(k, scale), Fraction(k + 1, scale)) if error < 1 else Fraction(k, scale)

    ends = (math.floor(min(ratios) * scale) - 2, math.ceil(max(ratios) * scale))
    start = round((mean + float(ndtri(probability)) * error) * scale)
    spread = round(error * scale / 10)
    level = probability * (1 + 1e-12)
    k = smallest_not_rejected(lambda k: drawn.at_most(at(k)).log_p, level, start, spread, ends)
    return _simplest((at(k - 1) * 9 + at(k)) / 10, at(k))


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """Give the fraction with the smallest denominator from low to high (the path to it in the Stern-Brocot tree)."""
    whole = math.floor(low)
    if whole == low or whole + 1 <= high:
        return Fraction(whole if whole == low else whole + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))


def exact_bias(drawn: Drawn) -> float:
    """Give z0, the normal quantile of the share of resamples below the estimate; those equal to it count half."""
    from scipy.special import ndtri

    reached, above = (math.exp(drawn.at_least(drawn.mean, strict=strict).log_p) for strict in (False, True))
    return -float(ndtri((reached + above) / 2.0))
