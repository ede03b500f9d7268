"""Bulk tests of all pairs are the single tests, pair by pair."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.ranking.family import Claims, correct
from nofluke.inference.ranking.flip_rows import by_flips
from nofluke.inference.ranking.ranks import rank_tails, signed_ranks_of
from nofluke.inference.ranking.standings import groups, out_of_order, rank_ranges
from nofluke.laws.signed_rank import signed_ranks
from nofluke.types import Note, Ranking

STABLE = settings(deadline=None, derandomize=True, max_examples=40)
GRID = st.integers(2, 5).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, 4), min_size=size, max_size=size), min_size=2, max_size=9)
)


def named(table: Any) -> dict[str, list[float]]:
    return {f"s{i}": list(column) for i, column in enumerate(np.array(table, dtype=float).T)}


Cells = dict[tuple[str, str], float]


def cells(ranking: Ranking) -> Cells:
    return {pair: ranking.p_value(*pair, adjusted=False) for pair in itertools.permutations(ranking.systems, 2)}


def single(scores: dict[str, Any], method: str, **options: Any) -> Any:
    """The p-values that nf.test gives for each pair on its own."""
    alone = {
        (a, b): nf.test(scores[a], scores[b], method, alternative="greater", **options).p_value
        for a, b in itertools.permutations(scores, 2)
    }
    return pytest.approx(alone, rel=1e-8, nan_ok=True)


@STABLE
@given(GRID)
def test_small_grids_pair_by_pair(table: list[list[int]]) -> None:
    scores = named(table)
    for method in ("permutation", "wilcoxon", "sign", "paired_t"):
        assert cells(nf.rank(scores, method=method)) == single(scores, method)


@STABLE
@given(st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=3, max_size=30))
def test_right_and_wrong_answers_pair_by_pair(table: list[list[int]]) -> None:
    scores = named(table)
    ranking = nf.rank(scores)
    assert ranking.method == "mcnemar"
    assert cells(ranking) == single(scores, "mcnemar")


def noisy(n: int, systems: int, seed: int, digits: int = 3) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 1, (n, 1)) + 0.15 * np.arange(systems) + rng.normal(0, 0.7, (n, systems))
    return named(np.round(table, digits))


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("wilcoxon", {"mode": "normal"}),
        ("wilcoxon", {"mode": "normal", "continuity": True, "snap": False}),
        ("wilcoxon", {"zeros": "pratt"}),
        ("sign", {"snap": False}),
        ("sign", {"tie_width": 0.3}),
        ("mann_whitney", {"mode": "normal", "continuity": True}),
        ("mann_whitney", {}),
        ("welch_t", {}),
        ("permutation", {"monte_carlo": 999}),
        ("bootstrap", {}),
    ],
)
def test_options_pair_by_pair(method: str, options: dict[str, Any]) -> None:
    scores = noisy(40, 4, 5)
    assert cells(nf.rank(scores, method=method, seed=0, **options)) == single(scores, method, **options)


def test_many_pairs_are_near_the_single_tests_and_exact_near_the_line() -> None:
    scores = noisy(150, 12, 7)
    for method in ("permutation", "wilcoxon"):
        near, exact = nf.rank(scores, method=method), nf.rank(scores, method=method, exact="all")
        assert ("saddlepoint" in near.computed) == (method == "permutation")
        off = ~np.eye(12, dtype=bool)
        small = off & (exact.p_values < 0.5)
        assert np.abs(np.log(near.p_values[small] / exact.p_values[small])).max() < 2e-3
        assert np.array_equal(near.better, exact.better)
        decided = off & (np.abs(np.log(near.adjusted / 0.05)) < math.log(1.3))
        assert (near.computed[decided] == "exact").all()
        assert cells(exact) == single(scores, method)


def test_ratings_of_many_systems_are_decided_as_the_exact_tests_decide() -> None:
    # Few different sizes: a smooth approximation alone would be off by a factor of two.
    rng = np.random.default_rng(3)
    table = np.clip(np.rint(rng.normal(2.5, 1, (60, 1)) + rng.normal(0, 0.9, (60, 18)) + 0.12 * np.arange(18)), 1, 5)
    scores = named(table)
    for method in ("wilcoxon", "permutation"):
        near, exact = nf.rank(scores, method=method), nf.rank(scores, method=method, exact="all")
        assert np.array_equal(near.better, exact.better)
        assert near.separated > 10


def corpus(seed: int, n: int = 60, systems: int = 4, shared: bool = False) -> nf.Scores:
    """Outputs of a tagger, so that counts have own denominators (F1) or shared ones (accuracy of tokens)."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n):
        gold = rng.integers(1, 6)
        for system in range(systems):
            guessed = gold if shared else int(rng.integers(1, 6))
            matched = rng.binomial(min(gold, guessed), 0.5 + 0.08 * system)
            rows.append((f"i{item}", f"s{system}", matched, guessed, gold))
    tables: dict[str, list[tuple[int, ...]]] = {}
    for _, system_name, *counts in rows:
        tables.setdefault(system_name, []).append(tuple(int(count) for count in counts))
    return from_counts(tables)


def from_counts(tables: dict[str, list[tuple[int, ...]]]) -> nf.Scores:
    from dataclasses import replace

    from nofluke.types import Aggregate, Ratio, frozen

    names = list(tables)
    base = nf.score("accuracy", {name: ["x"] * len(tables[name]) for name in names}, ["x"] * len(tables[names[0]]))
    values = np.array([tables[name] for name in names], dtype=float).transpose(1, 0, 2).reshape(-1, 3)
    ratio = Ratio((2, 0, 0), (0, 1, 1))
    f1 = Aggregate("f1", lambda sums, _n: 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2]), linear=False, ratio=ratio)
    return replace(base, statistics=frozen(values), aggregates={"accuracy": f1})


def test_ratios_with_own_denominators_are_the_single_tests_with_the_same_draws() -> None:
    scores = corpus(1)
    ranking = nf.rank(scores, seed=4)
    assert set(ranking.computed[~np.eye(4, dtype=bool)]) == {"monte-carlo"}
    assert (ranking.resamples, ranking.seed) == (29_999, 4)
    for a in ranking.systems:
        for b in ranking.systems:
            if a != b:
                expected = nf.test(scores.pair(a, b), "permutation", alternative="greater", seed=4).p_value
                assert ranking.p_value(a, b, adjusted=False) == pytest.approx(expected, rel=1e-12)


def test_ratios_with_shared_denominators_are_exact() -> None:
    scores = corpus(2, shared=True)
    ranking = nf.rank(scores)
    assert set(ranking.computed[~np.eye(4, dtype=bool)]) == {"exact"}
    for a, b in (("s0", "s3"), ("s2", "s1")):
        expected = nf.test(scores.pair(a, b), "permutation", alternative="greater").p_value
        assert ranking.p_value(a, b, adjusted=False) == pytest.approx(expected, rel=1e-9)


def smooth(seed: int, n: int = 200, systems: int = 4, gain: float = 0.06) -> nf.Scores:
    """A metric that is no ratio of sums: the geometric mean of precision and recall."""
    from dataclasses import replace

    from nofluke.types import Aggregate

    rng = np.random.default_rng(seed)
    tables = {}
    for system in range(systems):
        gold, guessed = rng.integers(2, 9, n), rng.integers(2, 9, n)
        tables[f"s{system}"] = [
            (int(rng.binomial(min(a, b), 0.45 + gain * system)), int(a), int(b))
            for a, b in zip(guessed, gold, strict=True)
        ]
    scores = from_counts(tables)
    metric = Aggregate("geometric", lambda sums, _n: sums[..., 0] / np.sqrt(sums[..., 1] * sums[..., 2]), linear=False)
    return replace(scores, aggregates={"accuracy": metric})


def test_smooth_metrics_by_their_straight_line_are_near_the_metric_itself() -> None:
    scores = smooth(3)
    ranking, corrected = nf.rank(scores), nf.rank(scores, exact="all")
    for a, b in (("s1", "s0"), ("s2", "s1"), ("s3", "s0")):
        tested = nf.test(scores.pair(a, b), "permutation", alternative="greater", monte_carlo=20_000)
        for found in (ranking, corrected):
            p = found.p_value(a, b, adjusted=False)
            assert p == pytest.approx(tested.p_value, abs=4 * tested.computed.error + 0.04 * tested.p_value)
    assert "rank.linearised" in {note.code for note in ranking.notes if isinstance(note, Note)}
    assert set(corrected.computed[~np.eye(4, dtype=bool)]) == {"linear+correction"}
    assert (corrected.resamples, corrected.seed) == (4_096, 0)
    # Where the verdict hangs on it, draws were made by themselves.
    near = ~np.eye(4, dtype=bool) & (np.abs(np.log(ranking.adjusted / 0.05)) < math.log(1.3))
    assert (ranking.computed[near] == "linear+correction").all()


def test_two_systems_on_a_smooth_metric_are_compare_itself() -> None:
    scores = smooth(4, systems=2)
    ranking, single = nf.rank(scores, seed=2), nf.compare(scores.pair("s1", "s0"), seed=2)
    assert min(ranking.p_value("s1", "s0"), ranking.p_value("s0", "s1")) == pytest.approx(single.test.p_value, rel=1e-9)


def kinked(seed: int, n: int) -> nf.Scores:
    """A metric with a kink, like BLEU's brevity penalty: short outputs lose, long ones do not win."""
    from dataclasses import replace

    from nofluke.types import Aggregate

    def penalised(sums: Any, _n: float) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = np.where(sums[..., 1] < sums[..., 2], np.exp(1 - sums[..., 2] / sums[..., 1]), 1.0)
            return penalty * sums[..., 0] / sums[..., 1]

    rng = np.random.default_rng(seed)
    gold = rng.integers(6, 12, n)
    tables = {}
    for system, shift in (("short", -1), ("long", 1), ("same", 0)):
        length = gold + shift + rng.integers(-1, 2, n)
        tables[system] = [
            (int(rng.binomial(min(a, b), 0.6)), int(a), int(b)) for a, b in zip(length, gold, strict=True)
        ]
    return replace(from_counts(tables), aggregates={"accuracy": Aggregate("kinked", penalised, linear=False)})


@pytest.mark.parametrize("seed", range(4))
def test_every_swap_of_few_items_by_brute_force(seed: int) -> None:
    scores = kinked(seed, 10)
    ranking = nf.rank(scores)
    for a in ranking.systems:
        for b in ranking.systems:
            sample = scores.pair(a, b) if a != b else None
            if sample is None or sample.score(0) <= sample.score(1):
                continue
            stats_ = sample.statistics
            signs = np.array(list(itertools.product((1, -1), repeat=10)))
            moved = signs @ (stats_[:, 0] - stats_[:, 1])
            both = stats_.sum(axis=(0, 1))
            gained = sample.aggregate((both + moved) / 2, 10.0) - sample.aggregate((both - moved) / 2, 10.0)
            exact = float(np.mean(gained >= sample.score(0) - sample.score(1) - 1e-12))
            found = ranking.p_value(a, b, adjusted=False)
            # Never below what all swaps say, and not far above it.
            assert exact * (1 - 1e-9) <= found <= exact + 0.15


def test_a_kink_between_the_systems_is_no_trap() -> None:
    scores = kinked(1, 400)
    ranking = nf.rank(scores)
    for a, b in itertools.combinations(ranking.systems, 2):
        tested = nf.test(scores.pair(a, b), "permutation", alternative="greater", monte_carlo=20_000)
        found = ranking.p_value(a, b, adjusted=False)
        assert found == pytest.approx(tested.p_value, abs=4 * tested.computed.error + 0.1 * tested.p_value)


def test_clusters_are_flipped_as_wholes() -> None:
    rng = np.random.default_rng(0)
    clusters = np.repeat(np.arange(14), 5).tolist()
    table = np.round(rng.normal(0, 1, (70, 3)) + rng.normal(0, 1, (14, 3))[clusters] + [0, 0.3, 0.9], 2)
    pair = as_sample(table[:, 2], table[:, 0], clusters=clusters)
    expected = nf.test(pair, "permutation", alternative="greater").p_value
    text = "item,document,a,b,c\n" + "".join(
        f"{i},{clusters[i]},{row[0]},{row[1]},{row[2]}\n" for i, row in enumerate(table)
    )
    import io

    ranking = nf.rank(nf.read(io.StringIO(text)))
    assert ranking.clusters == 14
    assert ranking.p_value("c", "a", adjusted=False) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(nf.MethodError, match="clusters"):
        nf.rank(nf.read(io.StringIO(text)), method="wilcoxon")


@STABLE
@given(st.lists(st.lists(st.integers(-5, 5), min_size=6, max_size=6), min_size=1, max_size=8))
def test_signed_ranks_of_rows_are_those_of_single_rows(rows: list[list[int]]) -> None:
    found = signed_ranks_of(np.array(rows))
    for row, ranks in zip(rows, found, strict=True):
        expected = signed_ranks(np.array(row)).signed
        assert sorted(ranks[ranks != 0].tolist()) == sorted(expected.tolist())


@STABLE
@given(st.lists(st.integers(-12, 12), min_size=1, max_size=14))
def test_counted_rank_tails_are_the_engines(signed: list[int]) -> None:
    sizes, led = np.abs(np.array(signed)), abs(sum(signed))
    counted, engine = rank_tails(sizes, led), by_flips(sizes, led)
    assert math.exp(counted.ahead) == pytest.approx(math.exp(engine.ahead), rel=1e-10)
    assert math.exp(counted.behind) == pytest.approx(math.exp(engine.behind), rel=1e-10)


@STABLE
@given(st.integers(2, 7).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, 2 ** (k * (k - 1) // 2) - 1))))
def test_groups_and_ranges_by_definition(case: tuple[int, int]) -> None:
    size, bits = case
    better = np.zeros((size, size), dtype=bool)
    for number, (i, j) in enumerate(itertools.combinations(range(size), 2)):
        better[(i, j) if number % 3 else (j, i)] = bool(bits >> number & 1)
    names = "abcdefg"[:size]
    found = groups(better, names)
    separated = better | better.T
    runs = [names[i : j + 1] for i in range(size) for j in range(i, size) if not separated[i : j + 1, i : j + 1].any()]
    maximal = [run for run in runs if not any(run in other and run != other for other in runs)]
    assert ["".join(group) for group in found] == maximal
    for k, (low, high) in enumerate(rank_ranges(better)):
        assert (low, high) == (1 + int(better[:, k].sum()), size - int(better[k].sum()))
    assert set(out_of_order(better, names)) == {
        (names[i], names[j]) for i in range(size) for j in range(i) if better[i, j]
    }


def test_the_family_of_claims_is_what_is_corrected() -> None:
    rng = np.random.default_rng(2)
    log_p = np.log(rng.uniform(1e-4, 0.2, (5, 5)))
    log_p = np.where(np.triu(np.ones((5, 5)), 1) > 0, log_p, np.log1p(-np.exp(log_p.T)))
    p = np.exp(log_p)
    both = correct(log_p, Claims(5, "directions", "two-sided"), "bonferroni", 0.05)
    assert both.adjusted[0, 1] == pytest.approx(min(1, 20 * p[0, 1]))
    pairs = correct(log_p, Claims(5, "pairs", "two-sided"), "bonferroni", 0.05)
    assert pairs.p_values[0, 1] == pairs.p_values[1, 0] == pytest.approx(2 * p[0, 1])
    assert pairs.adjusted[0, 1] == pytest.approx(min(1, 10 * 2 * p[0, 1]))
    assert np.array_equal(both.better, pairs.better)
    ordered = correct(log_p, Claims(5, "pairs", "greater"), "bonferroni", 0.05)
    assert ordered.adjusted[0, 1] == pytest.approx(min(1, 10 * p[0, 1]))
    assert np.isnan(ordered.adjusted[1, 0])
    baseline = correct(log_p, Claims(5, "directions", "two-sided", 2), "holm", 0.05)
    assert np.isnan(baseline.p_values[0, 1])
    assert int((~np.isnan(baseline.p_values)).sum()) == 8
    only = correct(log_p, Claims(5, "directions", "greater", 2), "bonferroni", 0.05)
    assert only.adjusted[0, 2] == pytest.approx(min(1, 4 * p[0, 2]))
    assert int((~np.isnan(only.p_values)).sum()) == 4


def test_a_test_without_p_value_shows_nothing_and_still_counts() -> None:
    log_p = np.log(np.array([[1.0, 0.001, 0.01], [0.999, 1.0, 0.02], [0.99, 0.98, 1.0]]))
    log_p[0, 1] = log_p[1, 0] = np.nan
    found = correct(log_p, Claims(3, "directions", "two-sided"), "bonferroni", 0.5)
    assert np.isnan(found.adjusted[0, 1])
    assert not found.better[0, 1]
    assert found.adjusted[0, 2] == pytest.approx(0.06)
