"""Where annotators agree and where not: by label, by pair of annotators, by annotator, by item."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from nofluke.errors import InputError, MethodError
from nofluke.inference.agreement.tally import Tally, one_against_others, with_annotators, with_items
from nofluke.types import Coefficient, DisputedItem, Estimate, FloatArray, Ratings, frozen

Compute = Callable[[Ratings], Coefficient]

MOST_LABELS = 30
MOST_ANNOTATORS = 30
_MOST_SHARES = 200


def per_category(ratings: Ratings, t: Tally, compute: Compute, name: str) -> dict[str, Estimate]:
    """Give the coefficient of each label against all others, for the labels used most."""
    used = np.bincount(t.cell_label, t.cell_count, t.k)
    codes = np.argsort(-used, kind="stable")[:MOST_LABELS]
    found = {}
    for code in sorted(int(code) for code in codes if used[code] > 0):
        c = compute(one_against_others(ratings, code))
        found[ratings.categories[code]] = Estimate(name, c.value, c.interval, c.standard_error, notes=c.notes)
    return found


def specific_agreement(ratings: Ratings, t: Tally) -> dict[str, float]:
    """Give, for each label used, how often a second annotator gives it where a first has given it."""
    rated = t.ratings[t.cell_item]
    partners = np.where(rated > 1, rated - 1, 1.0)
    again = np.bincount(t.cell_label, t.cell_count * (t.cell_count - 1) / partners, t.k)
    given = np.bincount(t.cell_label, np.where(rated > 1, t.cell_count, 0.0), t.k)
    codes = np.argsort(-given, kind="stable")[:MOST_LABELS]
    return {ratings.categories[code]: float(again[code] / given[code]) for code in sorted(codes) if given[code] > 0}


def with_others(ratings: Ratings, t: Tally) -> dict[str, float]:
    """Give, for each annotator, how often another annotator's rating of the item is the same; nan without others."""
    # Cells stand in the order of items and labels, so a rating's cell is found by bisection.
    cell = np.searchsorted(t.cell_item * t.k + t.cell_label, t.item * t.k + t.label)
    rated = t.ratings[t.item]
    shared = rated > 1
    same = (t.cell_count[cell][shared] - 1) / (rated[shared] - 1)
    sums = np.bincount(t.annotator[shared], same, t.m)
    number = np.bincount(t.annotator[shared], minlength=t.m)
    return {
        name: float(sums[code] / number[code]) if number[code] else math.nan
        for code, name in enumerate(ratings.annotators)
    }


def busiest(ratings: Ratings) -> tuple[str, ...]:
    """Name the annotators with most ratings, in their own order."""
    number = np.bincount(ratings.annotator, minlength=len(ratings.annotators))
    chosen = np.sort(np.argsort(-number, kind="stable")[:MOST_ANNOTATORS])
    return tuple(ratings.annotators[code] for code in chosen)


def pairwise(ratings: Ratings, value: Callable[[Ratings], float], names: tuple[str, ...]) -> FloatArray:
    """Give the coefficient of each pair of these annotators on the items both have rated.

    1 with oneself; nan where they share no item, and for those who are not among the annotators with most ratings.
    """
    table = np.full((len(names), len(names)), math.nan)
    np.fill_diagonal(table, 1.0)
    several = busiest(ratings)
    chosen = with_annotators(ratings, several)
    codes, place = chosen.codes, [names.index(name) for name in several]
    for a, b in combinations(range(len(several)), 2):
        shared = (codes[:, a] >= 0) & (codes[:, b] >= 0)
        if shared.any():
            pair = with_items(with_annotators(chosen, (several[a], several[b])), shared)
            try:
                table[place[a], place[b]] = table[place[b], place[a]] = value(pair)
            except (InputError, MethodError):
                continue
    return frozen(table)


def label_shares(ratings: Ratings, names: tuple[str, ...]) -> FloatArray:
    """Give how often each of these annotators uses each label, annotators x labels; no labels where there are many."""
    chosen = with_annotators(ratings, names)
    k = len(ratings.categories)
    if k > _MOST_SHARES:
        return frozen(np.zeros((len(names), 0)))
    counts = np.bincount(chosen.annotator * k + chosen.label, minlength=len(names) * k).reshape(len(names), k)
    totals = counts.sum(axis=1, keepdims=True)
    return frozen(np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0))


def disputed_items(ratings: Ratings, t: Tally, limit: int, distance: FloatArray | None) -> tuple[DisputedItem, ...]:
    """List the items on which annotators differ most; `distance` is each item's disagreement where labels have one."""
    agreement = t.agreement()
    key = 1 - agreement if distance is None else distance
    key = np.where((t.ratings > 1) & (agreement < 1), key, -1.0)
    order = np.argsort(-np.round(key, 12), kind="stable")[:limit]
    order = order[key[order] > 0]
    number = np.bincount(ratings.item, minlength=len(ratings.items))
    names = np.flatnonzero(number > 0)
    start = np.searchsorted(t.cell_item, np.arange(t.n + 1))
    return tuple(
        DisputedItem(
            ratings.items[names[item]],
            float(agreement[item]),
            _counts(ratings, t, int(start[item]), int(start[item + 1])),
        )
        for item in order
    )


def _counts(ratings: Ratings, t: Tally, first: int, last: int) -> Mapping[str, int]:
    cells = sorted(range(first, last), key=lambda cell: -t.cell_count[cell])
    return {ratings.categories[t.cell_label[cell]]: int(t.cell_count[cell]) for cell in cells}
