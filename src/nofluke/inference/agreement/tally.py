"""Ratings counted and parts of them: how many an item has, how many of each label, how far pairs of them agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from nofluke.errors import InputError, unknown
from nofluke.types import FloatArray, IntArray, Ratings, frozen

# draws x ratings -> the coefficient of each draw.
Values = Callable[[IntArray], FloatArray]

# Counting in a table is faster than sorting up to this many cells.
_TABLE_CELLS = 1 << 25


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Items that have a rating, numbered from 0; `cell_*` are the distinct (item, label) with the number of ratings."""

    k: int
    m: int
    item: IntArray
    annotator: IntArray
    label: IntArray
    ratings: FloatArray
    cell_item: IntArray
    cell_label: IntArray
    cell_count: FloatArray

    @property
    def n(self) -> int:
        """Items with at least one rating."""
        return len(self.ratings)

    @property
    def pairable(self) -> FloatArray:
        """1 for items with two ratings or more, else 0."""
        return (self.ratings > 1).astype(np.float64)

    def shares(self) -> FloatArray:
        """The share of an item's ratings that each cell holds."""
        return self.cell_count / self.ratings[self.cell_item]

    def mean_shares(self) -> FloatArray:
        """How often each label is used, every item counting the same whatever its number of ratings."""
        return np.bincount(self.cell_label, self.shares(), self.k) / self.n

    def of_items(self, cell_values: FloatArray) -> FloatArray:
        """Sum the values of an item's cells."""
        return np.bincount(self.cell_item, cell_values, self.n).astype(np.float64, copy=False)

    def agreement(self, weights: FloatArray | None = None) -> FloatArray:
        """Give the mean weight of an item's pairs of ratings (the share of equal ones without weights); 0 for none."""
        pairs = self.ratings * (self.ratings - 1.0)
        if weights is None:
            agreeing = self.of_items(self.cell_count * (self.cell_count - 1.0))
        else:
            agreeing = self.pair_sums(weights)
        return np.divide(agreeing, pairs, out=np.zeros(self.n), where=pairs > 0)

    def pair_sums(self, weights: FloatArray) -> FloatArray:
        """Sum weights[a, b] over the ordered pairs of an item's ratings, in the cheaper of two ways."""
        if self.k <= int(self.ratings.max()):
            table = self.table()
            both: FloatArray = np.einsum("ik,ik->i", table @ weights, table)
            return both - table @ np.diagonal(weights)
        sums = np.zeros(self.n)
        # Ratings stand in the order of items, so the partner at distance d is d places further on.
        for distance in range(1, int(self.ratings.max())):
            first = np.flatnonzero(self.item[:-distance] == self.item[distance:])
            a, b = self.label[first], self.label[first + distance]
            sums += np.bincount(self.item[first], weights[a, b] + weights[b, a], self.n)
        return sums

    def table(self) -> FloatArray:
        """The number of ratings, items x labels."""
        table = np.zeros((self.n, self.k))
        table[self.cell_item, self.cell_label] = self.cell_count
        return table


def tally(ratings: Ratings) -> Tally:
    """Count ratings."""
    number = np.bincount(ratings.item, minlength=len(ratings.items))
    kept = number > 0
    refuse_unpaired(ratings, number)
    order = np.cumsum(kept) - 1
    mask = kept[ratings.item]
    item, label = order[ratings.item[mask]], ratings.label[mask]
    k, n = len(ratings.categories), int(kept.sum())
    key = item * k + label
    if n * k <= max(_TABLE_CELLS, 4 * len(key)):
        counts = np.bincount(key)
        cells = np.flatnonzero(counts)
        counts = counts[cells]
    else:
        cells, counts = np.unique(key, return_counts=True)
    cell_item, cell_label = np.divmod(cells, k)
    each, held = number[kept].astype(np.float64), counts.astype(np.float64)
    raters = len(ratings.annotators)
    return Tally(k, raters, item, ratings.annotator[mask], label, each, cell_item, cell_label, held)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of ratings of one item, as positions in the tally; `share` is 1 over the number of the item's pairs."""

    first: IntArray
    second: IntArray
    share: FloatArray

    def agreement(self, labels: IntArray, weights: FloatArray | None = None) -> FloatArray:
        """Give the mean weight of the pairs (the share of equal ones without weights), of each draw of labels."""
        a, b = labels[:, self.first], labels[:, self.second]
        agree = (a == b).astype(np.float64) if weights is None else weights[a, b]
        observed: FloatArray = agree @ self.share / self.share.sum()
        return observed


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


def refuse_unpaired(ratings: Ratings, number: IntArray) -> None:
    """Refuse ratings in which nobody could agree with anybody."""
    if len(ratings.annotators) < 2:
        raise InputError(
            f"there is one annotator ({ratings.annotators[0]})." if ratings.annotators else "there are no annotators.",
            fix="agreement needs two annotators or more who rated the same items.",
        )
    if not (number > 1).any():
        raise InputError(
            "no item has two ratings, so nobody can agree with anybody.",
            fix="check that the same items carry the same ids for all annotators.",
        )


def both_labels(ratings: Ratings) -> tuple[IntArray, IntArray]:
    """Give the labels of two annotators on the items both have rated."""
    number = np.bincount(ratings.item, minlength=len(ratings.items))
    refuse_unpaired(ratings, number)
    mask = number[ratings.item] == 2
    label, first = ratings.label[mask], ratings.annotator[mask] == 0
    return label[first], label[~first]


def rated_twice(ratings: Ratings) -> Ratings:
    """Leave out items that have a single rating; where nothing would be left, the tally says so."""
    several = np.bincount(ratings.item, minlength=len(ratings.items)) > 1
    return with_items(ratings, several) if several.any() else ratings


def with_items(ratings: Ratings, kept: np.ndarray) -> Ratings:
    """Keep the ratings of some items; the items themselves stay in the list."""
    mask = kept[ratings.item]
    return _masked(ratings, mask)


def with_annotators(ratings: Ratings, names: tuple[str, ...]) -> Ratings:
    """Keep some annotators, in the order named."""
    for name in names:
        if name not in ratings.annotators:
            raise unknown("annotator", name, ratings.annotators)
    if len(set(names)) < len(names):
        raise InputError("an annotator is named twice.", fix="name every annotator once.")
    position = np.full(len(ratings.annotators), -1, dtype=np.int64)
    position[[ratings.annotators.index(name) for name in names]] = np.arange(len(names))
    chosen = _masked(ratings, position[ratings.annotator] >= 0)
    return replace(chosen, annotators=names, annotator=frozen(position[chosen.annotator], np.int64))


def one_against_others(ratings: Ratings, code: int) -> Ratings:
    """Turn one label into 1 and all others into 0."""
    names = ("any other label", ratings.categories[code])
    values: FloatArray = frozen([0.0, 1.0])
    label: IntArray = frozen((ratings.label == code).astype(np.int64), np.int64)
    return replace(ratings, categories=names, values=values, ordered=True, label=label)


def _masked(ratings: Ratings, mask: np.ndarray) -> Ratings:
    return replace(
        ratings,
        item=frozen(ratings.item[mask], np.int64),
        annotator=frozen(ratings.annotator[mask], np.int64),
        label=frozen(ratings.label[mask], np.int64),
    )
