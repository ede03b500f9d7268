"""Krippendorff's alpha: disagreement seen against disagreement by chance, for labels, ranks and numbers.

With U the sum over items of (ordered pairs' distance) / (ratings - 1), n_c the ratings of label c, N their sum and
E = sum n_c n_c' distance(c, c'), alpha is 1 - (N - 1) U / E (Krippendorff 2011). Ordinal distances are squared
differences of mid-ranks, so ordinal alpha is interval alpha of numbers that depend on the ratings themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np

from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.inference.agreement.bootstrap import refuse_too_wide
from nofluke.inference.agreement.measured import Measured, Shuffled, Solve, coefficient
from nofluke.inference.agreement.tally import Pairs, Tally, Values, rated_twice, tally
from nofluke.inference.agreement.weights import refuse_unordered
from nofluke.types import FloatArray, IntArray, Ratings

_MOST_RATIO_LABELS = 6_000
# Chance disagreement below this part of its scale is rounding: the draw holds one label only.
_NOTHING = 1e-11


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """U and E with their derivatives in each item's weight, and the largest distance between two labels.

    `numbers` are what labels stand for at the interval and ordinal levels, `distances` those of the ratio level.
    """

    within: FloatArray
    d_within: FloatArray
    between: float
    d_between: FloatArray
    largest: float
    numbers: FloatArray | None = None
    distances: FloatArray | None = None


@coefficient(
    "krippendorff_alpha",
    label="Krippendorff's alpha",
    symbol="alpha",
    chance="pooled",
    cite="Krippendorff 2004; Krippendorff 2011; Hayes and Krippendorff 2007",
)
def krippendorff_alpha(
    ratings: Ratings,
    *,
    level: Annotated[
        Literal["nominal", "ordinal", "interval", "ratio"],
        "what the labels are: names, ranks, numbers, or numbers with a true zero",
    ] = "nominal",
) -> Measured:
    """How far do annotators agree beyond chance, whatever the kind of label and the gaps in the table?

    1 - D_o / D_e: the disagreement within items against that of ratings paired at random. Nominal: any two labels
    differ alike; ordinal: by the ranks between them; interval: by the square of their difference; ratio: by the
    square of their difference over their sum (no negative numbers). Any number of annotators; empty cells are no
    problem; items with one rating are left out. For two annotators and no gaps, nominal alpha is Scott's pi with a
    correction for few items. "Ordinal weights" of other coefficients are not this ordinal alpha.
    Null of the test: all ratings paired at random; rejecting it is no evidence of quality.
    Assumes independent items; the standard error is by the delta method over items, bootstrap draws items.
    """
    kept = rated_twice(ratings)
    t = tally(kept)
    parts = _parts_of(t, ratings, level)
    shuffled = Shuffled(kept, t, partial(_shuffled_alphas, t, parts))
    total, within = float(t.ratings.sum()), float(parts.within.sum())
    if parts.between <= 0:
        zero = np.zeros(t.n)
        return Measured(math.nan, 1.0, 1.0, zero, lambda: zero[:, None], lambda sums: sums[:, 0], lambda: shuffled)
    value = 1 - (total - 1) * within / parts.between
    slope = (
        -(t.ratings * within + (total - 1) * parts.d_within) / parts.between
        + (total - 1) * within * parts.d_between / parts.between**2
    )
    # N - 1 in place of N makes the derivatives sum to nearly, not exactly, 0.
    influence = t.n * (slope - slope.mean())
    observed = 1 - within / total / parts.largest
    expected = 1 - parts.between / (total * (total - 1)) / parts.largest
    statistics, solve = _statistics_of(t, level, parts.within, parts.numbers, parts.distances)
    return Measured(value, observed, expected, influence, statistics, solve, lambda: shuffled)


def item_distances(t: Tally, ratings: Ratings, level: str) -> FloatArray:
    """Give the mean distance of an item's pairs of ratings; 0 for items with one rating."""
    safe = np.maximum(t.ratings, 2.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        within = _parts_of(t, ratings, level).within
    return np.where(t.ratings > 1, within / safe, 0.0)


def _parts_of(t: Tally, ratings: Ratings, level: str) -> Parts:
    """Give the disagreements of a table at a level of measurement."""
    if level == "nominal":
        return _nominal(t)
    if level == "ordinal":
        refuse_unordered(ratings, "ordinal alpha")
        return _ordinal(t)
    numbers = _numbers(ratings, level)
    if level == "interval":
        return _interval(t, _scaled(numbers, t))
    return _ratio(t, _ratio_distances(numbers))


def _nominal(t: Tally) -> Parts:
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    total = float(counts.sum())
    within = (t.ratings**2.0 - t.of_items(t.cell_count**2.0)) / (t.ratings - 1)
    between = total**2 - float(counts @ counts)
    return Parts(within, within, between, 2 * t.of_items(t.cell_count * (total - counts[t.cell_label])), 1.0)


def _item_moments(t: Tally, x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sums of x and of its square over an item's ratings, and the item's part in U."""
    first = t.of_items(t.cell_count * x[t.cell_label])
    second = t.of_items(t.cell_count * x[t.cell_label] ** 2)
    return first, second, 2 * np.maximum(t.ratings * second - first**2, 0.0) / (t.ratings - 1)


def _interval(t: Tally, x: FloatArray) -> Parts:
    first, second, within = _item_moments(t, x)
    total, s1, s2 = float(t.ratings.sum()), float(first.sum()), float(second.sum())
    used = x[np.bincount(t.cell_label, minlength=t.k) > 0]
    between = 2 * (total * s2 - s1**2) if np.ptp(used) > 0 else 0.0
    d_between = 2 * (t.ratings * s2 + total * second - 2 * s1 * first)
    return Parts(within, within, between, d_between, float(np.ptp(used) ** 2), numbers=x)


def _ordinal(t: Tally) -> Parts:
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    x = np.cumsum(counts) - counts / 2 - counts.sum() / 2
    plain = _interval(t, x)
    first, _, _ = _item_moments(t, x)
    # The mid-ranks move with the ratings: d x_c / d n_g is 1 below c, 1/2 at c.
    pull = 4 * (t.ratings[t.cell_item] * x[t.cell_label] - first[t.cell_item]) / (t.ratings[t.cell_item] - 1)
    by_within = np.bincount(t.cell_label, t.cell_count * pull, t.k)
    total, s1 = float(counts.sum()), float(first.sum())
    by_between = 4 * counts * (total * x - s1)
    via_within, via_between = (np.cumsum(by[::-1])[::-1] - by / 2 for by in (by_within, by_between))
    return Parts(
        plain.within,
        plain.within + t.of_items(t.cell_count * via_within[t.cell_label]),
        plain.between,
        plain.d_between + t.of_items(t.cell_count * via_between[t.cell_label]),
        plain.largest,
        numbers=x,
    )


def _ratio(t: Tally, distances: FloatArray) -> Parts:
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    within = t.pair_sums(distances) / (t.ratings - 1)
    reach = distances @ counts
    used = np.flatnonzero(counts)
    largest = float(distances[np.ix_(used, used)].max())
    d_between = 2 * t.of_items(t.cell_count * reach[t.cell_label])
    return Parts(within, within, float(counts @ reach), d_between, largest or 1.0, distances=distances)


def _ratio_distances(numbers: FloatArray) -> FloatArray:
    """Give ((a - b) / (a + b))^2 for all pairs, 0 for two zeros."""
    if len(numbers) > _MOST_RATIO_LABELS:
        raise MethodError(
            f"{len(numbers):,} different numbers are too many for the ratio level.",
            fix=Fix("round them, or use ", Option("level", "interval"), "."),
        )
    sums = np.add.outer(numbers, numbers)
    gaps = np.subtract.outer(numbers, numbers)
    return np.divide(gaps, sums, out=np.zeros_like(sums), where=sums > 0) ** 2


def _shuffled_alphas(t: Tally, parts: Parts, pairs: Pairs) -> Values:
    # Shuffling leaves how often each label was given, and so the distances and the disagreement by chance.
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


def _numbers(ratings: Ratings, level: str) -> FloatArray:
    if np.isnan(ratings.values).any():
        words = [name for name, value in zip(ratings.categories, ratings.values, strict=True) if np.isnan(value)]
        # Numbers among words are words too; the one to name is that which is none.
        word = next((name for name in words if not re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+", name)), words[0])
        comma = re.fullmatch(r"[+-]?[0-9]+,[0-9]+", word) is not None
        raise MethodError(
            f"the {level} level needs numbers, and {word!r} is "
            + ("written with a decimal comma." if comma else "a label in words."),
            fix=f"use a decimal point: {word.replace(',', '.')!r}."
            if comma
            else Fix(
                "use ",
                Option("level", "ordinal"),
                " with the labels in their order (",
                Option("categories"),
                "), or ",
                Option("level", "nominal"),
                ".",
            ),
        )
    if level == "ratio" and ratings.values.min() < 0:
        raise InputError(
            f"the ratio level has no negative numbers, and {ratings.values.min():g} is a rating.",
            fix=Fix("use ", Option("level", "interval"), "."),
        )
    return ratings.values


def _scaled(numbers: FloatArray, t: Tally) -> FloatArray:
    """Centre and scale, which changes no alpha and keeps digits that squares of large numbers would lose."""
    counts = np.bincount(t.cell_label, t.cell_count, t.k)
    used = numbers[counts > 0]
    width = float(np.ptp(used)) or 1.0
    # Twice: the second mean takes out what rounding left of the first.
    centred = (numbers - float(used.mean())) / width
    return centred - float(counts @ centred) / float(counts.sum())


def _statistics_of(
    t: Tally, level: str, within: FloatArray, numbers: FloatArray | None, distances: FloatArray | None
) -> tuple[Callable[[], FloatArray], Solve]:
    """Give what is summed over drawn items, and how alpha comes from the sums."""
    if level == "ordinal":
        return lambda: _coincidences(t), lambda sums: _solve_ordinal(sums, t.k)
    if numbers is not None:
        return lambda: _drawn_moments(t, within, numbers), _solve_interval
    return lambda: _counts(t, within), lambda sums: _solve_counts(sums, distances)


def _alpha(total: FloatArray, within: FloatArray, between: FloatArray, scale: FloatArray) -> FloatArray:
    defined = between > _NOTHING * scale
    return np.where(defined, 1 - (total - 1) * within / np.where(defined, between, 1.0), np.nan)


def _counts(t: Tally, within: FloatArray) -> FloatArray:
    refuse_too_wide(t.n, t.k + 1, "krippendorff_alpha")
    return np.column_stack((within, t.table()))


def _solve_counts(sums: FloatArray, distances: FloatArray | None) -> FloatArray:
    counts = sums[:, 1:]
    total = counts.sum(axis=1)
    reach = total[:, None] - counts if distances is None else counts @ distances
    between = (counts * reach).sum(axis=1)
    return _alpha(total, sums[:, 0], between, total)


def _drawn_moments(t: Tally, within: FloatArray, x: FloatArray) -> FloatArray:
    first = t.of_items(t.cell_count * x[t.cell_label])
    second = t.of_items(t.cell_count * x[t.cell_label] ** 2)
    return np.column_stack((within, t.ratings, first, second))


def _solve_interval(sums: FloatArray) -> FloatArray:
    within, total, first, second = sums.T
    return _alpha(total, within, 2 * (total * second - first**2), total * second)


def _coincidences(t: Tally) -> FloatArray:
    """For every item its ratings by label and its pairs of labels, each pair counting 1 / (ratings - 1)."""
    refuse_too_wide(t.n, t.k * (t.k + 1), "krippendorff_alpha at the ordinal level")
    table = t.table()
    pairs = table[:, :, None] * table[:, None, :]
    pairs[:, np.arange(t.k), np.arange(t.k)] -= table
    pairs /= (t.ratings - 1)[:, None, None]
    return np.hstack((table, pairs.reshape(t.n, -1)))


def _solve_ordinal(sums: FloatArray, k: int) -> FloatArray:
    counts, pairs = sums[:, :k], sums[:, k:].reshape(-1, k, k)
    total = counts.sum(axis=1)
    ranks = np.cumsum(counts, axis=1) - counts / 2 - total[:, None] / 2
    within = np.empty(len(sums))
    # One draw at a time: the table of distances of a whole chunk would be large.
    for draw, x in enumerate(ranks):
        within[draw] = float((pairs[draw] * np.subtract.outer(x, x) ** 2).sum())
    first, second = (counts * ranks).sum(axis=1), (counts * ranks**2).sum(axis=1)
    several = (counts > 0).sum(axis=1) > 1
    return np.where(several, _alpha(total, within, 2 * (total * second - first**2), total), np.nan)
