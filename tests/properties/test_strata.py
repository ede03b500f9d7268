"""Averages of several datasets: swaps are what counting all signs gives, whatever the weights, sizes and links."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align.strata import tasks_of
from nofluke.types import Sample
from support.corpora import F1, corpus_sample, tagging
from support.extremes import effort, for_all
from support.strata import average_of_corpora, average_sample

SIDES = ("two-sided", "greater", "less")
MIRRORED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


@dataclass(frozen=True)
class Average:
    """Scores in tenths, the dataset of each item, given weights (or None), and what is kept together (or None)."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    datasets: tuple[str, ...]
    weights: dict[str, int] | None
    units: tuple[int, ...] | None

    def sample(self, order: Iterable[int] | None = None, names: dict[str, str] | None = None) -> Sample:
        places = list(range(len(self.a)) if order is None else order)
        named = [(names or {}).get(self.datasets[i], self.datasets[i]) for i in places]
        weights = self.weights and {(names or {}).get(name, name): w for name, w in self.weights.items()}
        units = None if self.units is None else [self.units[i] for i in places]
        columns = ([column[i] / 10 for i in places] for column in (self.a, self.b))
        return average_sample(*columns, named, "equal" if weights is None else weights, units)

    def parts(self) -> list[Fraction]:
        """What is flipped: differences times weight / size, added up where they are kept together."""
        sizes = {name: self.datasets.count(name) for name in self.datasets}
        given = self.weights or dict.fromkeys(sizes, 1)
        whole = sum(given[name] for name in sizes)
        totals: dict[int, Fraction] = {}
        for i, name in enumerate(self.datasets):
            unit = i if self.units is None else self.units[i]
            share = Fraction(given[name], whole * sizes[name])
            totals[unit] = totals.get(unit, Fraction(0)) + share * Fraction(self.a[i] - self.b[i], 10)
        return list(totals.values())


def counted(parts: list[Fraction], side: str) -> Fraction:
    """The share of all signs with a sum at least as far out as the observed one."""
    total, signs = sum(parts), product((1, -1), repeat=len(parts))
    sums = [sum(sign * one for sign, one in zip(row, parts, strict=True)) for row in signs]
    greater = Fraction(sum(one >= total for one in sums), len(sums))
    less = Fraction(sum(one <= total for one in sums), len(sums))
    return {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}[side]


@st.composite
def averages(draw: st.DrawFn) -> Average:
    number = draw(st.integers(2, 4))
    sizes = [draw(st.integers(1, 4)) for _ in range(number)]
    n = sum(sizes)
    score = st.integers(0, 12)
    datasets = tuple(f"t{j}" for j, size in enumerate(sizes) for _ in range(size))
    given = draw(st.booleans())
    weights = {f"t{j}": draw(st.integers(1, 7)) for j in range(number)} if given else None
    # Items of one unit may be of one dataset (clusters) or of several (an item that occurs in each).
    units = tuple(draw(st.integers(0, 8)) for _ in range(n)) if draw(st.booleans()) else None
    return Average(tuple(draw(score) for _ in range(n)), tuple(draw(score) for _ in range(n)), datasets, weights, units)


@effort
@pytest.mark.parametrize("side", SIDES)
def test_swaps_of_an_average_are_what_counting_gives(side: str, examples: int) -> None:
    def holds(case: Average) -> None:
        result = nf.test(case.sample(), "permutation", alternative=side)
        truth = counted(case.parts(), side)
        assert result.p_value == pytest.approx(float(truth), rel=1e-9), f"{result.p_value}, counted {truth}"
        assert result.estimate == pytest.approx(float(sum(case.parts())), rel=1e-9, abs=1e-15)

    for_all(averages(), holds, examples)


@effort
def test_the_interval_of_an_average_agrees_with_its_p_value(examples: int) -> None:
    def holds(case: Average) -> None:
        for level in (0.8, 0.95):
            result = nf.test(case.sample(), "permutation", confidence_level=level)
            if result.interval is not None and abs(result.p_value - (1 - level)) > 1e-9:
                assert (0 in result.interval) == (result.p_value > 1 - level)

    for_all(averages(), holds, examples)


@effort
def test_neither_order_nor_names_nor_sides_matter(examples: int) -> None:
    def holds(case: Average) -> None:
        first = nf.test(case.sample(), "permutation", alternative="greater")
        turned = range(len(case.a))[::-1]
        other_names = {"t0": "z", "t1": "m", "t2": "a", "t3": "k"}
        again = nf.test(case.sample(turned, other_names), "permutation", alternative="greater")
        mirrored = nf.test(
            replace_scores(case, case.b, case.a).sample(), "permutation", alternative=MIRRORED["greater"]
        )
        for other, sign in ((again, 1), (mirrored, -1)):
            assert other.p_value == pytest.approx(first.p_value, rel=1e-12)
            assert other.estimate == pytest.approx(sign * first.estimate, abs=1e-14)

    for_all(averages(), holds, examples)


def replace_scores(case: Average, a: tuple[int, ...], b: tuple[int, ...]) -> Average:
    return Average(a, b, case.datasets, case.weights, case.units)


def large(seed: int, sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(seed)
    datasets = [f"t{j:02d}" for j, size in enumerate(sizes) for _ in range(size)]
    b = rng.integers(0, 101, len(datasets)) / 100
    a = np.clip(np.round(b + rng.normal(0.004, 0.2, len(b)), 2), 0, 1)
    return a, b, datasets


@pytest.mark.parametrize("sizes", [(20, 200, 700), (40, 40, 40, 41)])
def test_exact_and_drawn_p_values_agree(sizes: tuple[int, ...]) -> None:
    a, b, datasets = large(5, sizes)
    shared = [f"u{i % (len(a) - 30)}" for i in range(len(a))]
    for clusters in (None, shared):
        sample = average_sample(a, b, datasets, clusters=clusters)
        exact = nf.test(sample, "permutation")
        drawn = nf.test(sample, "permutation", monte_carlo=20_000, seed=3)
        p = exact.p_value / 2
        assert exact.computed.how == "exact"
        assert abs(drawn.p_value - exact.p_value) < 2 * 4 * math.sqrt(p * (1 - p) / 20_000) + 1e-4


# Weights of datasets whose sizes have no common factor are too long for exact sums, and are rounded.

COPRIME = (997, 1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061, 1063)


def test_many_coprime_sizes_keep_a_bound_far_below_the_p_value() -> None:
    a, b, datasets = large(8, COPRIME)
    sample = average_sample(a, b, datasets)
    assert sample.strata is not None
    assert not sample.strata.exact
    exact, drawn = nf.test(sample, "permutation"), nf.test(sample, "permutation", monte_carlo=4_000)
    assert exact.computed.error < 1e-6 * exact.p_value
    p = exact.p_value / 2
    assert abs(drawn.p_value - exact.p_value) < 2 * 4 * math.sqrt(p * (1 - p) / 4_000) + 5e-4


def coarser(sample: Sample, bits: int) -> Sample:
    """The same sample with weights rounded to a few bits, as if longer ones did not fit."""
    strata = sample.strata
    assert strata is not None
    most = max(strata.multipliers)
    rounded = tuple(max(1, round(Fraction(one, most) * 2**bits)) for one in strata.multipliers)
    return replace(sample, strata=replace(strata, multipliers=rounded, exact=False))


@effort
@pytest.mark.parametrize("bits", [4, 7, 12])
def test_the_bound_of_rounded_weights_holds(bits: int, examples: int) -> None:
    def holds(case: Average) -> bool:
        sample = coarser(case.sample(), bits)
        rough = nf.test(sample, "permutation", alternative="greater")
        truth = counted(case.parts(), "greater")
        if rough.computed.how == "monte-carlo":
            return False
        # What ties with rounded weights counts as a tie, so that p may be too large by those that are none.
        parts = rounded_parts(case, sample)
        ties = counted(parts, "greater") + counted(parts, "less") - 1
        off = rough.p_value - float(truth)
        assert -rough.computed.error - 1e-9 <= off, (rough.p_value, truth, rough.computed)
        assert off <= rough.computed.error + float(ties) + 1e-9, (rough.p_value, truth, rough.computed)
        return abs(off) > 1e-9

    checked = for_all(averages(), holds, examples)
    assert checked or bits > 4 or examples < 50, "no example has a p-value that rounding changes"


def rounded_parts(case: Average, sample: Sample) -> list[Fraction]:
    """What is flipped with the rounded weights, up to a common factor."""
    assert sample.strata is not None
    own = dict(zip(sample.strata.names, sample.strata.multipliers, strict=True))
    totals: dict[int, Fraction] = {}
    for i, name in enumerate(case.datasets):
        unit = i if case.units is None else case.units[i]
        totals[unit] = totals.get(unit, Fraction(0)) + own[name] * (case.a[i] - case.b[i])
    return list(totals.values())


def test_pooled_datasets_are_one() -> None:
    a, b, datasets = large(2, (30, 80))
    pooled, plain = average_sample(a, b, datasets, "items"), average_sample(a, b, datasets)
    for method in ("permutation", "bootstrap", "one_lost_item"):
        more = {"low": 0, "high": 1} if method == "one_lost_item" else {}
        one = nf.test(pooled, method, **more)
        assert one.p_value == pytest.approx(nf.test(a, b, method, **more).p_value, rel=1e-12)
        assert one.p_value != nf.test(plain, method, **more).p_value


# The other methods for averages: they mirror, and depend on no order


def scores_for(method: str) -> tuple[np.ndarray, np.ndarray, list[str]]:
    a, b, datasets = large(4, (15, 30, 60))
    return ((a > 0.5) * 1.0, (b > 0.5) * 1.0, datasets) if method == "mover" else (a, b, datasets)


@pytest.mark.parametrize("method", ["mover", "one_lost_item", "stratified_t", "bootstrap"])
@pytest.mark.parametrize("delta", [0.0, -0.02])
def test_every_test_of_averages_mirrors_and_knows_no_order(method: str, delta: float) -> None:
    a, b, datasets = scores_for(method)
    more = {"low": 0, "high": 1} if method == "one_lost_item" else {}
    first = nf.test(average_sample(a, b, datasets), method, alternative="greater", delta=delta, **more)
    mirrored = nf.test(average_sample(b, a, datasets), method, alternative="less", delta=-delta, **more)
    order = np.random.default_rng(0).permutation(len(a))
    shuffled = average_sample(a[order], b[order], [datasets[i] for i in order])
    again = nf.test(shuffled, method, alternative="greater", delta=delta, **more)
    assert first.interval is not None
    assert mirrored.interval is not None
    assert mirrored.p_value == pytest.approx(first.p_value, rel=1e-9)
    assert again.p_value == pytest.approx(first.p_value, rel=1e-9)
    assert -mirrored.interval.high == pytest.approx(first.interval.low, rel=1e-9)
    level = 1 - first.interval.level
    assert (first.interval.low > delta) == (first.p_value <= level)


def test_one_dataset_gives_tangos_score_test() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = rng.integers(0, 2, (2, 70))
        delta = float(rng.choice([-0.1, 0.0, 0.03]))
        for side in SIDES:
            ours, theirs = (nf.test(a, b, name, delta=delta, alternative=side, **more) for name, more in MARGINS)
            assert ours.p_value == theirs.p_value
            assert (ours.interval.low, ours.interval.high) == pytest.approx(
                (theirs.interval.low, theirs.interval.high), abs=1e-12
            )


MARGINS = (("mover", {}), ("tango", {"mode": "score"}))


# Corpus metrics: blocks of statistics, drawn and swapped within datasets


def test_the_standard_error_of_averaged_corpora_is_that_of_each() -> None:
    from nofluke.inference.resampling.corpus import corpus_of

    parts = [corpus_sample(tagging(n, seed), F1) for n, seed in ((40, 1), (90, 2), (25, 3))]
    sample = average_of_corpora(parts)
    own = [corpus_of(part).standard_error() for part in parts]
    assert corpus_of(sample).standard_error() == pytest.approx(math.sqrt(sum(one**2 for one in own)) / 3, rel=1e-6)


def test_resampled_corpora_vary_as_their_standard_errors_say() -> None:
    from nofluke.inference.resampling.corpus import corpus_of

    sample = average_of_corpora([corpus_sample(tagging(n, seed), F1) for n, seed in ((60, 1), (90, 2), (45, 3))])
    result = nf.test(sample, "bootstrap", monte_carlo=4_000)
    assert result.details["standard_error"] == pytest.approx(corpus_of(sample).standard_error(), rel=0.06)
    assert result.estimate == pytest.approx(
        sum(one.score(0) - one.score(1) for one in tasks_of(sample).values()) / 3, rel=1e-12
    )
    assert abs(result.p_value - nf.test(sample, "permutation").p_value) < 0.1


def test_clusters_of_one_item_are_resampled_as_items_are() -> None:
    a, b, datasets = large(6, (20, 60))
    alone = nf.test(average_sample(a, b, datasets, clusters=list(range(80))), "bootstrap")
    items = nf.test(average_sample(a, b, datasets), "bootstrap")
    p = items.p_value / 2
    assert abs(alone.p_value - items.p_value) < 2 * 6 * math.sqrt(p * (1 - p) / 9_999)
    assert alone.details["standard_error"] == pytest.approx(items.details["standard_error"], rel=0.05)
