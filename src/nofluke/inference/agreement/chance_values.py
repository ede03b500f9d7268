"""A coefficient of many shuffled tables at once, from the pairs of ratings of one item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nofluke.inference.agreement import disagreement, guessing
from nofluke.inference.agreement.conger_kappa import measure as measure_conger
from nofluke.inference.agreement.scott_fleiss import pooled
from nofluke.inference.agreement.shares import Chance, ratio
from nofluke.inference.agreement.tally import Tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.types import FloatArray, IntArray, Ratings

# draws x ratings -> the coefficient of each draw.
Values = Callable[[IntArray], FloatArray]

# What chance means to a coefficient (chance_draws.arrangements): the model behind its own chance agreement.
SCHEMES = {
    "krippendorff_alpha": "pooled",
    "fleiss_kappa": "pooled",
    "scott_pi": "pooled",
    "cohen_kappa": "own",
    "conger_kappa": "own",
    "light_kappa": "own",
    "brennan_prediger": "even",
    "gwet_ac1": "even",
    "gwet_ac2": "even",
}


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of ratings of one item, as positions in the tally; `share` is 1 over the number of the item's pairs."""

    first: IntArray
    second: IntArray
    share: FloatArray


def pairs_of(t: Tally) -> Pairs:
    """List all pairs, the annotator with the lower number first."""
    found = []
    for distance in range(1, int(t.ratings.max())):
        first = np.flatnonzero(t.item[:-distance] == t.item[distance:])
        found.append(np.column_stack((first, first + distance)))
    both = np.concatenate(found)
    swapped = t.annotator[both[:, 0]] > t.annotator[both[:, 1]]
    both[swapped] = both[swapped][:, ::-1]
    rated = t.ratings[t.item[both[:, 0]]]
    return Pairs(both[:, 0], both[:, 1], 2 / (rated * (rated - 1)))


def pair_count(t: Tally) -> int:
    """Give the number of pairs without listing them."""
    return int((t.ratings * (t.ratings - 1)).sum() / 2)


def values_of(name: str, t: Tally, ratings: Ratings, option: str) -> Values:
    """Give the values of a coefficient on tables of labels."""
    pairs = pairs_of(t)
    if name == "krippendorff_alpha":
        return _alpha(t, ratings, option, pairs)
    if name in ("cohen_kappa", "light_kappa"):
        return _mean_kappa(t, agreement_weights(ratings, option, name), pairs)
    if name == "conger_kappa":
        expected = measure_conger(t).expected
        return lambda labels: ratio(_observed(labels, None, pairs), expected)
    if name in ("fleiss_kappa", "scott_pi"):
        return _by_shares(t, None, pairs, pooled)
    if name == "brennan_prediger":
        return lambda labels: ratio(_observed(labels, None, pairs), 1 / t.k)
    weights = agreement_weights(ratings, option, name)
    return _by_shares(t, weights, pairs, guessing.guessing(t.k, weights))


def _observed(labels: IntArray, weights: FloatArray | None, pairs: Pairs) -> FloatArray:
    a, b = labels[:, pairs.first], labels[:, pairs.second]
    agree = (a == b).astype(np.float64) if weights is None else weights[a, b]
    observed: FloatArray = agree @ pairs.share / pairs.share.sum()
    return observed


def _by_shares(t: Tally, weights: FloatArray | None, pairs: Pairs, chance: Chance) -> Values:
    each = 1 / (t.n * t.ratings[t.item])

    def values(labels: IntArray) -> FloatArray:
        place = labels + np.arange(len(labels))[:, None] * t.k
        shares: FloatArray = np.bincount(place.ravel(), np.tile(each, len(labels)), len(labels) * t.k).astype(
            np.float64
        )
        return ratio(_observed(labels, weights, pairs), chance(shares.reshape(-1, t.k))[0])

    return values


def _alpha(t: Tally, ratings: Ratings, level: str, pairs: Pairs) -> Values:
    # Shuffling leaves how often each label was given, and so the distances and the disagreement by chance.
    parts = disagreement.parts_of(t, ratings, level)
    share = pairs.share * t.ratings[t.item[pairs.first]]
    factor = (float(t.ratings.sum()) - 1) / parts.between

    def values(labels: IntArray) -> FloatArray:
        a, b = labels[:, pairs.first], labels[:, pairs.second]
        if parts.numbers is not None:
            far = (parts.numbers[a] - parts.numbers[b]) ** 2
        else:
            far = (a != b).astype(np.float64) if parts.distances is None else parts.distances[a, b]
        return 1 - factor * (far @ share)

    return values


def _mean_kappa(t: Tally, weights: FloatArray | None, pairs: Pairs) -> Values:
    """Cohen's kappa of each two annotators on the items both have rated, and the mean of these."""
    both = t.annotator[pairs.first] * t.m + t.annotator[pairs.second]
    group = np.unique(both, return_inverse=True)[1].reshape(-1)
    g = int(group.max()) + 1
    number = np.bincount(group, minlength=g).astype(np.float64)

    def summed(labels: IntArray, values: FloatArray | None, width: int) -> FloatArray:
        place = (np.arange(len(labels))[:, None] * g + group) * width + (0 if width == 1 else labels)
        flat = None if values is None else values.ravel()
        sums: FloatArray = np.bincount(place.ravel(), flat, len(labels) * g * width).astype(np.float64)
        return sums.reshape(len(labels), g, width)

    def values(labels: IntArray) -> FloatArray:
        a, b = labels[:, pairs.first], labels[:, pairs.second]
        agree = (a == b).astype(np.float64) if weights is None else weights[a, b]
        observed = summed(a, agree, 1)[..., 0] / number
        p, q = (summed(side, None, t.k) / number[:, None] for side in (a, b))
        kappas = ratio(observed, (p * (q if weights is None else q @ weights.T)).sum(axis=2))
        there = np.isfinite(kappas)
        sums = np.where(there, kappas, 0.0).sum(axis=1)
        mean: FloatArray = np.divide(sums, there.sum(axis=1), out=np.full(len(labels), np.nan), where=there.any(axis=1))
        return mean

    return values
