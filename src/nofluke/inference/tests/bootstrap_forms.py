"""What each form of the bootstrap test counts among the draws, and the interval that inverts it.

Nothing is drawn here. Means are compared as whole numbers, so that ties are ties; limits are in grid steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.resample import resampled_sums
from nofluke.inference.intervals.bootstrap import basic_limits, percentile_limits, rank_of
from nofluke.inference.resampling.resampled_mean import Draws, Units

Limit = Fraction | float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Draws as extreme as the data, by claim; None where no draw could be: the items do not reach that far."""

    greater: int | None
    less: int | None
    either: int | None = None
    doubled: bool = True
    limits: tuple[Limit, Limit] | None = None
    interval: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The data, the draws, the null difference in grid steps, and the error allowed on each side of the interval."""

    units: Units
    draws: Draws
    null: Fraction
    below: float
    above: float

    def reaches(self, bound: Fraction, *, strictly: bool = False) -> tuple[bool, bool]:
        """Whether any resample could have a mean at (or beyond) the bound: above, below."""
        lowest, highest = self.units.support
        return (highest > bound, lowest < bound) if strictly else (highest >= bound, lowest <= bound)

    def limits(self, points: tuple[Any, Any]) -> tuple[Limit, Limit]:
        """Turn points of the draws into means."""
        low, high = (p if isinstance(p, float) and math.isinf(p) else Fraction(p) / self.draws.scale for p in points)
        return low, high


def shift(evidence: Evidence, centre: Fraction, *, strict: bool) -> Outcome:
    """Count mean* - centre >= mean - null (strict: >, as Berg-Kirkpatrick et al. 2012 print it), and its mirror image.

    With the centre at the observed mean that is mean* >= 2 mean - null. The null is not rejected from twice the mean
    less the k-th largest draw onwards: the basic interval.
    """
    draws = evidence.draws
    reach = centre + evidence.units.mean
    bound = reach - evidence.null
    below, at, above = draws.side(bound)
    up, down = evidence.reaches(bound, strictly=strict)
    ties = 0 if strict else at
    points = basic_limits(draws.points, reach * draws.scale, evidence.below, evidence.above)
    return Outcome(
        above + ties if up else None,
        below + ties if down else None,
        limits=evidence.limits(points),
        interval="basic bootstrap",
    )


def absolute(evidence: Evidence, centre: Fraction, level: float) -> Outcome:
    """Count |mean* - centre| >= |mean - null|: both tails at once, not twice the smaller one."""
    draws, mean = evidence.draws, evidence.units.mean
    distance = abs(mean - evidence.null)
    _, at, above = draws.side(centre + distance)
    below, at_low, _ = draws.side(centre - distance)
    up, down = evidence.reaches(centre + distance)[0], evidence.reaches(centre - distance)[1]
    hits = above + at + (below + at_low if distance else below)
    deviations = np.abs(draws.means - float(centre))
    rank = rank_of(level, len(draws))
    radius: Limit = math.inf
    if rank:
        chosen = int(np.argpartition(deviations, len(draws) - rank)[len(draws) - rank])
        radius = abs(Fraction(draws.points[chosen : chosen + 1].tolist()[0]) / draws.scale - centre)
    limits = (mean - radius, mean + radius)
    return Outcome(None, None, hits if up or down else None, False, limits, "symmetric basic bootstrap")


def percentile(evidence: Evidence) -> Outcome:
    """Count mean* <= null against "greater" and mean* >= null against "less": no centring."""
    draws = evidence.draws
    below, at, above = draws.side(evidence.null)
    up, down = evidence.reaches(evidence.null)
    points = percentile_limits(draws.points, evidence.below, evidence.above)
    return Outcome(
        below + at if down else None,
        above + at if up else None,
        limits=evidence.limits(points),
        interval="percentile bootstrap",
    )


def moses(evidence: Evidence) -> Outcome:
    """Count |mean*| - average |mean*| > |mean|, as Moses and sacrebleu do."""
    size = evidence.draws.scale
    absolutes = np.abs(evidence.draws.totals)
    average = Fraction(sum(absolutes.tolist()), len(absolutes))
    bound = average + abs(evidence.units.mean) * size
    farthest = max(abs(limit) for limit in evidence.units.support) * size
    hits = int(np.count_nonzero(absolutes > math.floor(bound)))
    return Outcome(None, None, hits if farthest > bound else None, False)


@dataclass(frozen=True, slots=True, eq=False)
class Pivot:
    """Draws of the mean with their own spread: deviations n S* - m S and m Q* - S*^2, in whole numbers."""

    deviations: npt.NDArray[Any]
    spreads: npt.NDArray[Any]
    observed_sum: int
    observed_spread: int
    origin: int
    n: int
    size: int

    @property
    def draws(self) -> Draws:
        """The resampled totals alone."""
        totals = (self.deviations + self.size * self.observed_sum) // self.n + self.size * self.origin
        return Draws(totals, self.size)

    @property
    def standard_error(self) -> float:
        """The standard error of the observed mean, in grid steps."""
        return math.sqrt(Fraction(self.observed_spread, self.n * self.n * (self.n - 1)))


def draw_pivots(units: Units, resamples: int, *, seed: int, size: int) -> Pivot:
    """Draw sums and sums of squares together; values are taken from the rounded mean, to keep the squares small."""
    origin = round(units.mean)
    values = units.totals.astype(object) - origin
    sums = resampled_sums(np.stack((values, values**2), axis=1), resamples, seed=seed, size=size).astype(object)
    n, total = len(units), sum(values.tolist())
    squares = sum(value * value for value in values.tolist())
    return Pivot(
        deviations=n * sums[:, 0] - size * total,
        spreads=size * sums[:, 1] - sums[:, 0] ** 2,
        observed_sum=total,
        observed_spread=n * squares - total * total,
        origin=origin,
        n=n,
        size=size,
    )


def studentized(evidence: Evidence, pivot: Pivot) -> Outcome:
    """Count t* >= t with t* = (mean* - mean) / se*, comparing squares with their signs in whole numbers.

    t* = (n S* - m S) sqrt(m - 1) / (n sqrt(m Q* - S*^2)). A draw of equal values at the mean, 0 / 0, counts on both
    sides. The interval is mean - se * (k-th largest t*): the bootstrap t.
    """
    excess = pivot.observed_sum - pivot.n * (evidence.null - pivot.origin)
    left = _signed_square(pivot.deviations) * ((pivot.size - 1) * pivot.observed_spread * excess.denominator**2)
    right = pivot.spreads * (_signed_square(excess.numerator) * pivot.n**2 * (pivot.n - 1))
    deviations = pivot.deviations.astype(np.float64) * math.sqrt(pivot.size - 1) / pivot.n
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = deviations / np.sqrt(pivot.spreads.astype(np.float64))
    flat = np.isnan(ratios)
    error, mean = pivot.standard_error, float(evidence.units.mean)
    _, largest = percentile_limits(np.where(flat, math.inf, ratios), 0.0, evidence.below)
    smallest, _ = percentile_limits(np.where(flat, -math.inf, ratios), evidence.above, 0.0)
    return Outcome(
        int(np.count_nonzero(left >= right)),
        int(np.count_nonzero(left <= right)),
        limits=(mean - error * largest, mean - error * smallest),
        interval="bootstrap t",
    )


def _signed_square(value: Any) -> Any:
    return value * abs(value)
