"""rank: p-values of all pairs have the digits of the single test, whatever the tails of the scores; skewed pairs."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.flips import flip_tail
from nofluke.types import FloatArray, IntArray
from nofluke.words.ranking_details import p_values_are
from support.thinned import in_turn, thinned

Panel = Callable[[np.random.Generator, tuple[int, int]], FloatArray]


def one_outlier(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    scores = rng.normal(size=shape)
    scores[0] *= 60.0
    return scores


PANELS: dict[str, Panel] = {
    "cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "one outlier": one_outlier,
    "lognormal": lambda rng, shape: np.exp(1.5 * rng.normal(size=shape)),
    "t2": lambda rng, shape: rng.standard_t(2, shape),
    "normal": lambda rng, shape: rng.normal(size=shape),
}


@pytest.mark.parametrize(("kind", "n"), in_turn([*PANELS], [60, 300]))
def test_every_pair_has_the_p_value_of_the_single_test(kind: str, n: int) -> None:
    systems = 7
    scores = PANELS[kind](np.random.default_rng(n), (n, systems)) + np.linspace(0, 6 / np.sqrt(n), systems)
    columns = {f"s{i}": scores[:, i] for i in range(systems)}
    ranking = nf.rank(columns)
    for i, first in enumerate(ranking.systems):
        for j, second in enumerate(ranking.systems):
            if i != j:
                alone = nf.test(columns[first], columns[second], method="permutation", alternative="greater")
                assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=1e-3), (first, second)


@pytest.mark.parametrize("n", thinned([38, 42, 46], always=1))
def test_few_raw_scores_are_counted_out_only_where_a_verdict_hangs_on_it(n: int) -> None:
    rng = np.random.default_rng(n)
    columns = {f"s{i}": rng.normal(0.1 * i, 1, n) for i in range(4)}
    ranking = nf.rank(columns)
    pairs = ~np.eye(4, dtype=bool)
    assert set(ranking.computed[pairs].tolist()) <= {"exact", "inversion"}
    i, j = np.unravel_index(np.nanargmin(ranking.p_values), (4, 4))
    whole = np.rint((columns[ranking.systems[i]] - columns[ranking.systems[j]]) * 1e12).astype(np.int64)
    counted = flip_tail(whole, int(whole.sum()), enough=0.0)
    assert counted.path == "enumeration"
    assert ranking.p_values[i, j] == pytest.approx(np.exp(counted.log_p), rel=1e-4)
    # At this alpha the smallest p-value is on the line: it is counted out.
    near = nf.rank(columns, alpha=min(0.9, 12 * float(ranking.p_values[i, j])))
    assert near.computed[i, j] == "exact"
    assert near.p_values[i, j] == pytest.approx(np.exp(counted.log_p), rel=1e-9)


def counted_tail(d: IntArray) -> float:
    """P(T >= t) by a table of all sums of flipped items: positive terms only, so nothing is lost."""
    sizes, t = np.sort(np.abs(d[d != 0])), int(d.sum())
    shares, top = np.zeros(int(sizes.sum()) + 1), 0
    shares[0] = 1.0
    for size in sizes.tolist():
        following = shares[: top + size + 1] / 2
        following[size:] += shares[: top + 1] / 2
        shares[: top + size + 1], top = following, top + size
    return float(shares[: (top - t) // 2 + 1].sum())


def whole(scores: FloatArray, widest: float = 4e5) -> IntArray:
    """The scores in whole numbers, sums of which a table can hold."""
    return np.rint(scores * (widest / np.abs(scores - scores[:, :1]).sum(axis=0).max())).astype(np.int64)


def near_a_grid(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """Multiples of 731, some of them off by a little: no decimal, no divisor of anything."""
    return rng.integers(0, 4, shape) * 731 + np.where(rng.random(shape) < 0.05, rng.integers(-30, 30, shape), 0)


STATED: dict[str, Callable[[np.random.Generator, tuple[int, int]], IntArray]] = {
    **{kind: (lambda rng, shape, panel=panel: whole(panel(rng, shape))) for kind, panel in PANELS.items()},
    "near a grid": near_a_grid,
    "jitter on a grid": lambda rng, shape: rng.integers(0, 4, shape) * 997 + rng.integers(-2, 3, shape) * 4,
    "two steps without a common one": lambda rng, shape: (
        rng.integers(0, 3, shape) * 1000 + rng.integers(0, 3, shape) * 618
    ),
    "k/1021": lambda rng, shape: rng.integers(0, 1022, shape),
    "reciprocal ranks": lambda rng, shape: np.rint(27720 / rng.integers(1, 13, shape)).astype(np.int64),
    "ties": lambda rng, shape: whole(np.where(rng.random(shape) < 0.1, rng.normal(size=shape), 0.0)),
    "one huge score": lambda rng, shape: np.where(
        np.arange(shape[0])[:, None] == 3, 90_000 * np.arange(shape[1]), whole(rng.normal(size=shape), 1e5)
    ),
}


@pytest.mark.parametrize(("kind", "n"), in_turn([*STATED], [60, 150]))
def test_no_p_value_is_off_by_more_than_is_stated(kind: str, n: int) -> None:
    rng = np.random.default_rng(n)
    scores = STATED[kind](rng, (n, 7))
    # A lead of up to some four standard errors, in steps of the scores themselves.
    steps = np.unique(np.abs(np.diff(scores[:, 0])))[1:]
    scores = scores + np.where(rng.random(scores.shape) < np.linspace(0, 0.3, 7), int(np.median(steps)), 0)
    ranking = nf.rank({f"s{i}": scores[:, i].astype(float) for i in range(7)})
    assert ranking.errors is not None
    for i, first in enumerate(ranking.systems):
        for j, second in enumerate(ranking.systems):
            if i == j:
                continue
            truth = counted_tail(scores[:, int(first[1:])] - scores[:, int(second[1:])])
            off = abs(float(ranking.p_values[i, j]) / truth - 1)
            assert off <= max(float(ranking.errors[i, j]), 1e-11), (first, second, str(ranking.computed[i, j]))
            assert ranking.computed[i, j] != "exact" or ranking.errors[i, j] <= 1e-9
            assert ranking.errors[i, j] < 0.01


def test_the_details_say_how_far_p_values_may_be_off() -> None:
    rng = np.random.default_rng(2)
    ranking = nf.rank({f"s{i}": rng.standard_t(2, 100) + 0.2 * i for i in range(8)})
    assert "inversion" in ranking.computed
    assert "off by at most 0.1%" in str(nf.report(ranking, "text"))
    far = np.unravel_index(np.nanargmin(ranking.p_values), ranking.p_values.shape)
    p_values, errors, computed = ranking.p_values.copy(), ranking.errors.copy(), ranking.computed.copy()
    p_values[far], errors[far], computed[far] = 1e-40, 400.0, "inversion"
    told = p_values_are(replace(ranking, p_values=p_values, errors=errors, computed=computed))
    assert "off by at most 0.1%, those below 1e-10 by more" in told
    exact = nf.rank({f"s{i}": rng.normal(size=100) for i in range(3)})
    assert "off by at most" not in str(nf.report(exact, "text"))


def test_skewed_pairs_are_named() -> None:
    rng = np.random.default_rng(3)
    half = rng.normal(size=(20, 2))
    even = np.concatenate((half, -half))
    columns = {"plain": even[:, 0], "also": even[:, 1], "long": 20 * rng.exponential(size=40) ** 2}
    (note,) = [note for note in nf.rank(columns).notes if note.code == "rank.skewed"]
    assert (note["pairs"], note["n"], note["unit"]) == (2, 40, "item")
    assert "long" in note["most"]
    assert str(note).startswith("2 pairs have skewed differences: with 40 items ")
    strongest = 0.0
    for name in ("plain", "also"):
        d = columns[name] - columns["long"]
        d = d - d.mean()
        strongest = max(strongest, abs(float((d**3).mean() / (d**2).mean() ** 1.5)))
    assert abs(note["skewness"]) == pytest.approx(strongest, rel=1e-9)
    (against,) = [note for note in nf.rank(columns, baseline="plain").notes if note.code == "rank.skewed"]
    assert against["pairs"] == 1
    assert "plain" in against["most"]


def test_symmetric_and_two_valued_scores_are_not_called_skewed() -> None:
    rng = np.random.default_rng(4)
    half = rng.normal(size=(60, 3))
    symmetric = np.concatenate((half, -half))
    assert not nf.rank({f"s{i}": symmetric[:, i] for i in range(3)}).notes
    # Equal means of 0/1 scores make their differences symmetric, however rare 1 is.
    rare = (rng.random((60, 3)) < [0.02, 0.05, 0.3]).astype(float)
    assert not nf.rank({f"s{i}": rare[:, i] for i in range(3)}).notes


def test_nearly_equal_systems_do_not_cancel_in_the_skewness() -> None:
    rng = np.random.default_rng(5)
    base = rng.normal(size=50)
    columns = {"a": base, "b": base + 1e-7 * (rng.exponential(size=50) - 1), "c": rng.normal(size=50)}
    d = columns["a"] - columns["b"]
    d = d - d.mean()
    skewness = abs(float((d**3).mean() / (d**2).mean() ** 1.5))
    (note,) = [note for note in nf.rank(columns).notes if note.code == "rank.skewed"]
    assert abs(note["skewness"]) == pytest.approx(skewness, rel=1e-4)


@pytest.mark.parametrize("giants", [(10**9, 10**9), (10**9, 2 * 10**9), (10**9, -(10**9)), (10**9,) * 5])
def test_a_bootstrap_beside_several_giants_is_known(giants: tuple[int, ...]) -> None:
    """Whether they are counted out or drawn: within what plain draws of resamples leave open."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.1, 1, 150).round(2), rng.normal(0, 1, 150).round(2)
    a[: len(giants)] = giants
    found = nf.rank({"a": a, "b": b}, method="bootstrap")
    i, j = (found.systems.index(name) for name in "ab")
    d, hits, draws = a - b, 0, 20_000
    for _ in range(20):
        means = d[rng.integers(0, 150, (draws // 20, 150))].sum(axis=1)
        hits += int(np.sum(means >= 2 * d.sum() if d.sum() > 0 else means <= 2 * d.sum()))
    ahead = (i, j) if d.sum() > 0 else (j, i)
    p = hits / draws
    assert found.p_values[ahead] == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / draws) + 0.003)


TINY = [1e-31, 1e-20, 1e-15, 1e-13]


@pytest.mark.parametrize("tiny", thinned(TINY, always=1))
@pytest.mark.parametrize("method", ["permutation", "sign", "wilcoxon", "bootstrap_median"])
@pytest.mark.parametrize("beside", [[1 / 3, math.pi, 0.1, -0.7, 0.5], [1 / 3, 0.0, 2 / 3, 0.0, 1.0]])
def test_a_tie_that_hangs_on_next_to_nothing_is_told(tiny: float, method: str, beside: list[float]) -> None:
    written = ["0.2", "-0.2", f"{tiny:.0e}", f"{3 * tiny:.0e}", "0.4"]
    columns = {"fine": [float(one) for one in written], "zero": [0.0] * 5, "beside": beside}
    ranking = nf.rank(columns, method=method)
    place = {name: at for at, name in enumerate(ranking.systems)}
    for first, second in (("fine", "zero"), ("zero", "fine")):
        alone = nf.test(columns[first], columns[second], method=method, alternative="greater")
        assert ranking.p_values[place[first], place[second]] == pytest.approx(alone.p_value, rel=1e-9)
        if method == "permutation":
            d = [Fraction(one) * (1 if first == "fine" else -1) for one in written]
            sums = [sum(map(operator.mul, d, signs)) for signs in itertools.product((1, -1), repeat=5)]
            truth = sum(one >= sum(d) for one in sums) / 2**5
            assert ranking.p_values[place[first], place[second]] == pytest.approx(truth, rel=1e-9)


def test_many_items_of_which_some_add_next_to_nothing_have_the_p_value_of_the_single_test() -> None:
    rng = np.random.default_rng(4)
    fine = rng.choice([0.2, -0.2], 60)
    fine[:12] = [1e-25, 3e-25] * 6
    columns = {"fine": fine, "zero": np.zeros(60), "measured": rng.normal(size=60)}
    ranking = nf.rank(columns, method="permutation")
    i, j = ranking.systems.index("fine"), ranking.systems.index("zero")
    alone = nf.test(fine, np.zeros(60), method="permutation", alternative="greater")
    assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=1e-9)


@pytest.mark.parametrize("seed", thinned(range(12), always=3))
def test_ties_that_rounding_may_have_made_are_within_the_stated_error(seed: int) -> None:
    """Differences of a few 1e-12 between scores of thirteen digits: what ties is not certain, and few items feel it."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 10))
    scores = rng.choice([0.2, -0.2, 0.4, 0.0, 0.6], (n, 3)) + rng.integers(-4, 5, (n, 3)) * 1e-12
    ranking = nf.rank({str(i): scores[:, i] for i in range(3)}, method="permutation")
    assert ranking.errors is not None
    for i, j in itertools.permutations(range(3), 2):
        first, second = (scores[:, int(ranking.systems[place])].tolist() for place in (i, j))
        d = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
        sums = [sum(map(operator.mul, d, signs)) for signs in itertools.product((1, -1), repeat=n)]
        truth = sum(one >= sum(d) for one in sums) / 2**n
        p, error = ranking.p_values[i, j], ranking.errors[i, j]
        assert abs(p - truth) <= error * p + 1e-9
        assert ranking.computed[i, j] != "exact" or p == pytest.approx(truth)
