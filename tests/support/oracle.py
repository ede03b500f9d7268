"""Exact answers, counted: Fractions and whole numbers only, no formula that the library uses as well.

Every law here is a table {sum: number of ways}, built item by item; nothing is rounded before the last division. It
serves up to some fourteen items of any scores, and any number on a coarse lattice, where sums coincide.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

Number = Fraction | int
Sides = dict[str, Fraction]


def exactly(scores: Iterable[object]) -> list[Fraction]:
    """The numbers that were written: text and doubles mean their shortest decimal."""
    return [score if isinstance(score, Fraction) else Fraction(str(score)) for score in scores]


def differences(a: Iterable[object], b: Iterable[object]) -> list[Fraction]:
    return [x - y for x, y in zip(exactly(a), exactly(b), strict=True)]


def sides(greater: Fraction, less: Fraction) -> Sides:
    return {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}


def tails(law: Counter[Number], at: Number) -> Sides:
    """P(S >= at), P(S <= at), and twice the smaller."""
    ways = sum(law.values())
    up = sum(count for value, count in law.items() if value >= at)
    down = sum(count for value, count in law.items() if value <= at)
    return sides(Fraction(up, ways), Fraction(down, ways))


def flip_law(items: Iterable[Number]) -> Counter[Number]:
    """The law of sum(+-d) over all choices of signs."""
    law: Counter[Number] = Counter({0: 1})
    for item in items:
        after: Counter[Number] = Counter()
        for total, count in law.items():
            after[total + item] += count
            after[total - item] += count
        law = after
    return law


def resample_law(items: Sequence[Number], size: int | None = None) -> Counter[Number]:
    """The law of the sum of `size` draws with replacement."""
    steps = Counter(items)
    law: Counter[Number] = Counter({0: 1})
    for _ in range(len(items) if size is None else size):
        after: Counter[Number] = Counter()
        for total, count in law.items():
            for item, times in steps.items():
                after[total + item] += count * times
        law = after
    return law


def permutation(d: Sequence[Fraction], delta: Fraction = Fraction(0)) -> Sides:
    """Sign flips of d - delta against their sum."""
    shifted = [item - delta for item in d]
    return tails(flip_law(shifted), sum(shifted, Fraction(0)))


def bootstrap(d: Sequence[Fraction], form: str = "shift", delta: Fraction = Fraction(0)) -> Sides:
    """shift: S* - S beyond S - n delta. percentile: S* on the other side of n delta."""
    law, total, null = resample_law(d), sum(d, Fraction(0)), len(d) * delta
    if form == "shift":
        return tails(law, 2 * total - null)
    found = tails(law, null)
    return sides(found["less"], found["greater"])


def bootstrap_median(d: Sequence[Fraction], delta: Fraction = Fraction(0)) -> Sides:
    """percentile: the median of all n^n resamples against delta."""
    medians: Counter[Number] = Counter(median(drawn) for drawn in itertools.product(d, repeat=len(d)))
    found = tails(medians, delta)
    return sides(found["less"], found["greater"])


def median(values: Iterable[Fraction]) -> Fraction:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def sign(d: Sequence[Fraction]) -> Sides:
    """Coins for all items that differ; mcnemar's exact test is the same for 0/1 scores."""
    wins, losses = sum(item > 0 for item in d), sum(item < 0 for item in d)
    coins: Counter[Number] = Counter({k: math.comb(wins + losses, k) for k in range(wins + losses + 1)})
    return tails(coins, wins)


def mid_p(d: Sequence[Fraction]) -> Sides:
    """mcnemar, mode = midp: half of the observed count's own probability."""
    wins, losses = sum(item > 0 for item in d), sum(item < 0 for item in d)
    point = Fraction(math.comb(wins + losses, wins), 2 ** (wins + losses))
    found = sign(d)
    return sides(found["greater"] - point / 2, found["less"] - point / 2)


def doubled_ranks(values: Sequence[Number]) -> list[int]:
    """Twice the average rank of each value: a whole number."""
    ordered = sorted(values)
    return [2 * ordered.index(value) + ordered.count(value) + 1 for value in values]


def wilcoxon(d: Sequence[Fraction], delta: Fraction = Fraction(0)) -> Sides:
    """Flips of signed ranks; zeros are dropped first."""
    nonzero = [item - delta for item in d if item != delta]
    ranks = doubled_ranks([abs(item) for item in nonzero])
    signed = [rank if item > 0 else -rank for rank, item in zip(ranks, nonzero, strict=True)]
    return tails(flip_law(signed), sum(signed))


def mann_whitney(a: Sequence[Fraction], b: Sequence[Fraction]) -> Sides:
    """Every choice of which scores are A's, by the sum of their ranks."""
    ranks = doubled_ranks([*a, *b])
    laws: list[Counter[Number]] = [Counter({0: 1}), *(Counter() for _ in a)]
    for rank in ranks:
        for size in range(len(a), 0, -1):
            for total, count in laws[size - 1].items():
                laws[size][total + rank] += count
    return tails(laws[len(a)], sum(ranks[: len(a)]))


def subset_means(d: Sequence[Fraction]) -> list[Fraction]:
    """The mean of every non-empty subset in order: the places where a flip begins to reach the sum."""
    sums = [(Fraction(0), 0)]
    for item in d:
        sums += [(total + item, size + 1) for total, size in sums]
    return sorted(total / size for total, size in sums if size)


def permutation_interval(d: Sequence[Fraction], level: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """All delta that the two-sided flip test at 1 - level keeps; None = no end on this side.

    Flipping the subset F reaches the sum of d - delta iff the mean of F is at most delta, so P(greater) counts the
    identity and all subset means up to delta.
    """
    means, ways = subset_means(d), 2 ** len(d)
    allowed = math.floor((1 - level) / 2 * ways)
    if allowed < 1:
        return None, None
    return means[allowed - 1], means[len(means) - allowed]


def clustered(d: Sequence[Fraction], labels: Sequence[object]) -> list[Fraction]:
    """Totals of clusters: the units that are flipped together."""
    totals: dict[object, Fraction] = {}
    for item, label in zip(d, labels, strict=True):
        totals[label] = totals.get(label, Fraction(0)) + item
    return list(totals.values())
