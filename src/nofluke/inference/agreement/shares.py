"""Coefficients whose chance agreement depends on how often all annotators together use each label."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.measured import Measured, Shuffled
from nofluke.inference.agreement.tally import Pairs, Tally, Values
from nofluke.types import FloatArray, IntArray, Ratings

# Shares of labels, (..., k) -> chance agreement (...) and its derivative in the shares (..., k).
Chance = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def ratio(observed: FloatArray | float, expected: FloatArray | float) -> FloatArray:
    """Give agreement beyond chance, (A_o - A_e) / (1 - A_e); nan where chance agreement is complete."""
    room = 1 - np.asarray(expected)
    defined = room > 1e-14
    return np.where(defined, (observed - expected) / np.where(defined, room, 1.0), math.nan)


def from_shares(
    ratings: Ratings,
    t: Tally,
    chance: Chance,
    name: str,
    weights: FloatArray | None = None,
    *,
    as_gwet: bool = False,
    moving: bool = True,
) -> Measured:
    """Measure a coefficient; items with one rating count in the shares only (Gwet 2014, chapter 5).

    `as_gwet` takes the variance as he prints it (2008, equation 33): with items of one rating it is a little larger,
    for it takes their number as drawn too. `moving` says whether chance agreement depends on the shares at all.
    """
    own, pairable = t.agreement(weights), t.pairable
    rated = float(pairable.sum())
    shares = t.mean_shares()
    observed = float(own.sum() / rated)
    expected_, slope = chance(shares)
    expected = float(expected_)
    value = float(ratio(observed, expected))
    drift = t.of_items(t.shares() * slope[t.cell_label]) - float(slope @ shares)
    lift = expected if as_gwet else observed
    scaled = t.n / rated * (own - lift * pairable)
    influence = (scaled - (1 - value) * drift) / (1 - expected) if expected < 1 else np.zeros(t.n)
    if as_gwet and expected < 1:
        influence = influence - value

    def statistics() -> FloatArray:
        refuse_too_wide(t.n, t.k + 2, name)
        return np.column_stack((own, pairable, t.table() / t.ratings[:, None]))

    def solve(sums: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return ratio(sums[:, 0] / sums[:, 1], chance(sums[:, 2:] / t.n)[0])

    def values(pairs: Pairs) -> Values:
        if moving:
            return _by_shares(t, weights, pairs, chance)
        return lambda labels: ratio(pairs.agreement(labels, weights), expected)

    shuffled = Shuffled(ratings, t, values)
    return Measured(value, observed, expected, influence, statistics, solve, lambda: shuffled)


def _by_shares(t: Tally, weights: FloatArray | None, pairs: Pairs, chance: Chance) -> Values:
    each = 1 / (t.n * t.ratings[t.item])

    def values(labels: IntArray) -> FloatArray:
        place = labels + np.arange(len(labels))[:, None] * t.k
        shares: FloatArray = np.bincount(place.ravel(), np.tile(each, len(labels)), len(labels) * t.k).astype(
            np.float64
        )
        return ratio(pairs.agreement(labels, weights), chance(shares.reshape(-1, t.k))[0])

    return values
