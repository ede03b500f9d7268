"""The test of agreement by chance: shuffled ratings where that is quick, a standard error under chance otherwise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from nofluke.engine.randomness import SHUFFLED_RATINGS, Stream, chunks
from nofluke.inference.agreement.measured import Measured, Shuffled
from nofluke.inference.agreement.tally import Tally, Values, pair_count, pairs_of, with_items
from nofluke.inference.p_values import p_of
from nofluke.laws.tails import log_t_tail
from nofluke.types import Coefficient, FloatArray, IntArray, Ratings, frozen, note

DRAWS = 9_999
# Ratings and their pairs up to this number are shuffled 9,999 times, which takes about a second.
MOST_SHUFFLED = 6_000
# Beyond, shuffles give the standard error under chance only, from items with so many ratings and pairs.
_DRAWS_OF_SPREAD, _MOST_OF_SPREAD = 200, 60_000
# Items with more pairs than this for each rating are not taken apart into pairs.
_MANY = 20
_NORMAL, _STUDENT = note("agree.test_normal"), note("agree.test_student")
# So many arrangements are written out one by one.
MOST_ARRANGEMENTS = 20_000
# A key holds the annotator, 32 random bits and the label, in this order.
_LABEL_BITS, _ANNOTATOR_BITS = 20, 12
# Numbers held at a time, few enough for a fast memory; they change no result.
_BLOCK = 1 << 16

# A coefficient with its own options: ratings -> what it measured.
Measuring = Callable[[Ratings], Measured]


def with_chance_test(
    measure: Measuring, m: Measured, chance: str, found: Coefficient, seed: int, *, draws: int = DRAWS
) -> Coefficient:
    """Test whether the coefficient is further from 0 than its own model of chance makes it, and note how."""
    shuffled = m.shuffled()
    if math.isnan(found.value) or chance == "none":
        return found
    if shuffled is None:  # nobody said how the coefficient is computed from shuffled labels
        return replace(found, test=None if math.isnan(found.p_value) else _STUDENT)
    t = shuffled.tally
    work, published = len(t.label) + pair_count(t), math.isfinite(found.null_standard_error)
    if work > MOST_SHUFFLED and published:
        return replace(found, test=_NORMAL)
    if t.n < 2 or t.k < 2 or not can_be_drawn(t, chance):
        return replace(found, test=None if math.isnan(found.p_value) else _STUDENT)
    if work > MOST_SHUFFLED:
        return _by_spread(measure, shuffled, chance, found, seed)
    values = shuffled.values(pairs_of(t))
    table = arrangements(t, chance)
    size = abs(float(values(t.label[None])[0]))
    if table is not None:
        # The observed table is one of them, so at least one is as far from 0.
        hits, of = max(1, _hits(values, table, size)), len(table)
        how = note("agree.test_all", tables=of, scheme=chance)
    else:
        hits = 1 + sum(_hits(values, labels, size) for labels in shuffled_labels(t, chance, draws, seed))
        of = draws + 1
        how = note("agree.test_draws", draws=draws, as_far=hits - 1, seed=seed, scheme=chance)
    p = min(1.0, hits / of)
    z = found.z_score if published else math.nan
    return replace(found, p_value=p, log_p_value=math.log(p), z_score=z, test=how)


def _hits(values: Values, labels: IntArray, size: float) -> int:
    """Count tables at least as far from 0; one on which the coefficient is undefined counts, to be on the safe side."""
    return int(np.sum(~(np.abs(values(labels)) < size - 1e-10)))


def _by_spread(measure: Measuring, shuffled: Shuffled, chance: str, found: Coefficient, seed: int) -> Coefficient:
    """Compare with the spread of shuffled tables: if they are normal around 0, the ratio has Student's t."""
    t, part = shuffled.tally, shuffled
    many = pair_count(t) > _MANY * len(t.label)
    if many and (not shuffled.quick or len(t.label) > _MOST_OF_SPREAD):
        return replace(found, test=_STUDENT)
    share = 1.0 if many else _MOST_OF_SPREAD / (len(t.label) + pair_count(t))
    if share < 1:
        part = _of_some_items(measure, shuffled.ratings, share, seed) or shuffled
    values = _one_by_one(measure, part.ratings) if many else part.values(pairs_of(part.tally))
    each = [values(labels) for labels in shuffled_labels(part.tally, chance, _DRAWS_OF_SPREAD, seed)]
    # The variance of a mean over items falls with their number.
    error = math.sqrt(float(np.mean(np.concatenate(each) ** 2)) * part.tally.n / t.n)
    if not error > 0:
        return replace(found, test=_STUDENT)
    z = found.value / error
    log_p = min(0.0, math.log(2) + log_t_tail(abs(z), _DRAWS_OF_SPREAD))
    items = None if part is shuffled else part.tally.n
    how = note("agree.test_spread", draws=_DRAWS_OF_SPREAD, items=items, seed=seed, scheme=chance)
    return replace(found, p_value=p_of(log_p), log_p_value=log_p, z_score=z, test=how)


def _of_some_items(measure: Measuring, ratings: Ratings, share: float, seed: int) -> Shuffled | None:
    """Measure a random share of the items."""
    kept = Stream(seed, SHUFFLED_RATINGS, 1 << 20).words(len(ratings.items)) < share * 2.0**32
    return measure(with_items(ratings, kept)).shuffled()


def _one_by_one(measure: Measuring, ratings: Ratings) -> Values:
    """Give the coefficient of each table by itself, for items with so many ratings that their pairs are too many."""

    def values(labels: IntArray) -> FloatArray:
        return np.array([measure(replace(ratings, label=frozen(row, np.int64))).value for row in labels])

    return values


def arrangements(t: Tally, chance: str) -> IntArray | None:
    """Give every arrangement of labels that chance could have made, all equally likely; None where they are many.

    pooled: all ratings over all cells; own: the ratings of each annotator over the items they rated; even: every
    label anywhere.
    """
    if chance == "even":
        if len(t.label) * math.log(t.k) > math.log(MOST_ARRANGEMENTS):
            return None
        return np.array(list(itertools.product(range(t.k), repeat=len(t.label))), dtype=np.int64)
    groups = [np.flatnonzero(t.annotator == who) for who in np.unique(t.annotator)]
    groups = groups if chance == "own" else [np.arange(len(t.label))]
    if sum(_log_number(t.label[group]) for group in groups) > math.log(MOST_ARRANGEMENTS) + 1e-9:
        return None
    parts = [list(_distinct(np.sort(t.label[group]).tolist())) for group in groups]
    table = np.empty((math.prod(map(len, parts)), len(t.label)), dtype=np.int64)
    for row, chosen in enumerate(itertools.product(*parts)):
        for group, labels in zip(groups, chosen, strict=True):
            table[row, group] = labels
    return table


def _log_number(labels: IntArray) -> float:
    counts = np.bincount(labels)
    return math.lgamma(len(labels) + 1) - sum(math.lgamma(int(count) + 1) for count in counts)


def _distinct(labels: list[int]) -> Iterator[list[int]]:
    """Give the different orders of sorted labels, each once, in the order of the dictionary."""
    now = list(labels)
    while True:
        yield list(now)
        pivot = len(now) - 2
        while pivot >= 0 and now[pivot] >= now[pivot + 1]:
            pivot -= 1
        if pivot < 0:
            return
        other = len(now) - 1
        while now[other] <= now[pivot]:
            other -= 1
        now[pivot], now[other] = now[other], now[pivot]
        now[pivot + 1 :] = reversed(now[pivot + 1 :])


def can_be_drawn(t: Tally, chance: str) -> bool:
    """Whether labels, and annotators where they are kept apart, fit into the keys."""
    return t.k <= 1 << _LABEL_BITS and (chance != "own" or t.m <= 1 << _ANNOTATOR_BITS)


def shuffled_labels(t: Tally, chance: str, draws: int, seed: int) -> Iterator[IntArray]:
    """Give blocks of draws x ratings, the same for the same seed however they are cut."""
    n = len(t.label)
    order = np.argsort(t.annotator, kind="stable") if chance == "own" else np.arange(n)
    back = np.argsort(order, kind="stable")
    low = t.label[order].astype(np.uint64)
    if chance == "own":
        low |= t.annotator[order].astype(np.uint64) << np.uint64(32 + _LABEL_BITS)
    mask = np.uint64((1 << _LABEL_BITS) - 1)
    for chunk, number in chunks(draws):
        stream = Stream(seed, SHUFFLED_RATINGS, chunk)
        rows = max(1, _BLOCK // n)
        for first in range(0, number, rows):
            size = min(number, first + rows) - first
            if chance == "even":
                yield stream.indices(size * n, t.k).reshape(size, n)
                continue
            # Sorting keys whose high part is random shuffles what stands in their low part.
            keys = stream.words(size * n).astype(np.uint64).reshape(size, n) << np.uint64(_LABEL_BITS)
            keys |= low
            keys.sort(axis=1)
            keys &= mask
            yield keys.view(np.int64)[:, back]
