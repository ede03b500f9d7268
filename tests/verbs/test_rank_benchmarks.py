"""rank over several datasets: their weighted average item by item, or each of them as one observation by name."""

from __future__ import annotations

import io
import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.reports.build import build

SYSTEMS = ("x", "y", "z", "w")


def benchmark(
    sizes: dict[str, int],
    *,
    digits: int = 2,
    seed: int = 0,
    gap: float = 0.15,
    clusters: int = 0,
    shared: int = 0,
) -> nf.Scores:
    """Several datasets; `clusters` are documents that reach over them, `shared` items occur in all of them."""
    rng = np.random.default_rng(seed)
    lines = [f"dataset,item{',cluster' if clusters else ''},{','.join(SYSTEMS)}"]
    for name, size in sizes.items():
        for item in range(size):
            values = rng.normal(size=1) + rng.normal(0.0, 0.6, len(SYSTEMS)) + gap * np.arange(len(SYSTEMS))[::-1]
            cells = (values > 0).astype(int) if digits == 0 else [f"{value:.{digits}f}" for value in values]
            label = f"common-{item}" if item < shared else f"{name}-{item}"
            document = f",doc-{rng.integers(clusters)}" if clusters else ""
            lines.append(f"{name},{label}{document},{','.join(map(str, cells))}")
    return nf.read(io.StringIO("\n".join(lines) + "\n"))


CASES: dict[str, dict[str, Any]] = {
    "decimals": {"sizes": {"a": 7, "b": 23, "c": 60}},
    "right and wrong": {"sizes": {"a": 10, "b": 33, "c": 61}, "digits": 0, "gap": 0.4},
    "clusters over datasets": {"sizes": {"a": 9, "b": 24, "c": 40}, "clusters": 11},
    "shared items": {"sizes": {"a": 9, "b": 24, "c": 40}, "shared": 6},
    "both": {"sizes": {"a": 9, "b": 24, "c": 40}, "shared": 6, "clusters": 25},
    "sizes without a common multiple": {
        "sizes": dict(zip("abcdefgh", (19, 23, 29, 31, 37, 41, 43, 47), strict=True)),
        "digits": 15,
    },
}


@pytest.mark.parametrize("weights", ["equal", "items", {"a": 3, "b": 1, "c": 0.25}], ids=str)
@pytest.mark.parametrize("case", CASES)
def test_a_pair_of_the_ranking_is_the_test_of_the_pair(case: str, weights: Any) -> None:
    scores = benchmark(**CASES[case])
    if not isinstance(weights, str):
        weights = {name: weights.get(name, 1.5) for name in scores.datasets}
    ranking = nf.rank(scores, weights=weights, method="permutation", exact="all")
    for i, j in itertools.permutations(range(len(SYSTEMS)), 2):
        first, second = ranking.systems[i], ranking.systems[j]
        alone = nf.test(scores, a=first, b=second, weights=weights, method="permutation", alternative="greater")
        assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=1e-6)
        assert ranking.differences[i, j] == pytest.approx(alone.estimate, abs=1e-12)


def test_p_values_are_what_counting_all_swaps_gives() -> None:
    scores = benchmark({"a": 3, "b": 8}, seed=3)
    ranking = nf.rank(scores, exact="all")
    sample = scores.pair("x", "y")
    assert sample.strata is not None
    d = (sample.scores(0) - sample.scores(1)) * sample.strata.shares
    sums = np.array(list(itertools.product((-1, 1), repeat=len(d)))) @ d
    counted = np.mean(sums >= d.sum() - 1e-12)
    assert ranking.p_value("x", "y", adjusted=False) == pytest.approx(counted)


def test_scores_are_the_average_and_every_dataset_is_beside_it() -> None:
    scores = benchmark({"a": 10, "b": 40})
    equal, items, given = (nf.rank(scores, weights=weights) for weights in ("equal", "items", {"a": 3, "b": 1}))
    single = [nf.rank(scores, dataset=name) for name in "ab"]
    each = np.array([[one.scores[one.systems.index(name)] for name in equal.systems] for one in single])
    assert equal.by_dataset is not None
    assert equal.by_dataset == pytest.approx(each.T)
    assert equal.datasets == ("a", "b")
    assert equal.scores == pytest.approx(each.mean(axis=0).tolist())
    assert dict(zip(items.systems, items.scores, strict=True)) == pytest.approx(
        dict(zip(equal.systems, (0.2 * each[0] + 0.8 * each[1]).tolist(), strict=True))
    )
    assert dict(zip(given.systems, given.scores, strict=True)) == pytest.approx(
        dict(zip(equal.systems, (0.75 * each[0] + 0.25 * each[1]).tolist(), strict=True))
    )
    assert (equal.weighting, items.weighting, given.weighting) == ("equal", "items", "given")
    assert equal.effective_n == pytest.approx(1 / (0.25 / 10 + 0.25 / 40))
    assert items.effective_n == pytest.approx(50)


def test_intervals_are_those_of_the_stratified_standard_error() -> None:
    from scipy.stats import t

    scores = benchmark({"a": 10, "b": 40})
    ranking = nf.rank(scores)
    sample = scores.pair("x", "y")
    assert sample.strata is not None
    parts = [sample.scores(0)[sample.strata.codes == place] for place in (0, 1)]
    variances = np.array([0.25 * part.var(ddof=1) / len(part) for part in parts])
    total = variances.sum()
    df = total**2 / (variances**2 / np.array([9, 39])).sum()
    interval = ranking.intervals[ranking.systems.index("x")]
    assert interval is not None
    assert (interval.high - interval.low) / 2 == pytest.approx(t.ppf(0.975, df) * math.sqrt(total))
    assert (interval.high + interval.low) / 2 == pytest.approx(sample.score(0))


def test_equal_sizes_with_equal_weights_are_pooled_items() -> None:
    scores = benchmark({"a": 30, "b": 30})
    averaged, pooled = nf.rank(scores), nf.rank(scores, weights="items")
    assert np.array_equal(averaged.p_values, pooled.p_values, equal_nan=True)
    assert averaged.scores == pooled.scores


def test_max_t_knows_the_weights() -> None:
    scores = benchmark({"a": 12, "b": 60})
    ranking = nf.rank(scores, adjust="max_t", n_resamples=1999)
    assert ranking.low is not None
    assert ranking.high is not None
    middle = (ranking.low + ranking.high)[0, 1] / 2
    assert middle == pytest.approx(ranking.differences[0, 1])
    # One pair alone: the limits are those of its own flips, centred at the average.
    pair = nf.rank(scores, systems=("x", "y"), adjust="max_t", n_resamples=19_999)
    alone = nf.test(scores, a="x", b="y", method="permutation").interval
    assert pair.low is not None
    assert pair.high is not None
    assert alone is not None
    i, j = pair.systems.index("x"), pair.systems.index("y")
    near = 0.05 * (alone.high - alone.low)
    assert (pair.low[i, j], pair.high[i, j]) == pytest.approx((alone.low, alone.high), abs=near)


def test_corpus_metrics_are_averaged_over_datasets() -> None:
    rng = np.random.default_rng(4)
    lines = ["dataset,item,system,tp,fp,fn"]
    for dataset, size in (("a", 12), ("b", 40)):
        for item in range(size):
            for place, name in enumerate(SYSTEMS):
                tp, fp, fn = rng.poisson((5 + (3 - place), 2, 2))
                lines.append(f"{dataset},{dataset}{item},{name},{tp},{fp},{fn}")
    scores = nf.from_statistics(io.StringIO("\n".join(lines)), "2*tp/(2*tp+fp+fn)")
    ranking = nf.rank(scores, exact="all")
    assert ranking.by_dataset is not None
    assert ranking.scores == pytest.approx(ranking.by_dataset.mean(axis=1).tolist())
    for place, name in enumerate(ranking.systems):
        of_one = nf.rank(scores, dataset="a")
        assert ranking.by_dataset[place, 0] == pytest.approx(of_one.scores[of_one.systems.index(name)])
    for i, j in itertools.combinations(range(len(SYSTEMS)), 2):
        alone = nf.test(scores, a=ranking.systems[i], b=ranking.systems[j], method="permutation", alternative="greater")
        # Upper bounds from draws around a straight line, and the single test's own draws.
        assert ranking.p_values[i, j] == pytest.approx(alone.p_value, rel=0.15, abs=2e-4)
    assert all(interval is not None for interval in ranking.intervals)


def test_tests_without_weights_are_refused_and_pooled_items_take_them() -> None:
    scores = benchmark({"a": 12, "b": 60})
    with pytest.raises(MethodError, match="weighted average of 2 datasets") as caught:
        nf.rank(scores, method="wilcoxon")
    assert "weights='items'" in str(caught.value)
    assert nf.rank(scores, method="wilcoxon", weights="items").n == 72
    with pytest.raises(MethodError, match="unpaired"):
        nf.rank(scores, method="welch_t")
    with pytest.raises(InputError, match="all systems need the same"):
        nf.rank(scores, missing="pairwise")


def test_the_answer_says_of_what_the_average_is() -> None:
    said = str(nf.rank(benchmark({"a": 12, "b": 60})))
    assert "on the average of 2 datasets" in " ".join(said.split())
    assert "Each dataset counts the same; weights='items' pools all items." in " ".join(said.split())
    worth = "so 72 items are as informative as 40 of equal weight; weights='items' pools all items."
    worth = f"Each dataset counts the same, {worth}"
    assert worth in build(nf.rank(benchmark({"a": 12, "b": 60}))).sentences
    pooled = " ".join(str(nf.rank(benchmark({"a": 12, "b": 60}), weights="items")).split())
    assert "over all items of 2 datasets" in pooled
    assert "72 items of 2 datasets" in build(nf.rank(benchmark({"a": 12, "b": 60}))).short


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(6, 14))
def test_over_datasets_rank_and_compare_give_one_answer(seed: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [(f"d{d}", f"{d}-{i}", *rng.normal(0.1 * d, 1, 2).round(2)) for d in range(number) for i in range(3)]
    scores = nf.read(pd.DataFrame(rows, columns=["dataset", "item", "x", "y"]))
    two, ranking = nf.compare(scores, over="datasets").test, nf.rank(scores, over="datasets", family="pairs")
    assert ranking.method == two.method
    assert ranking.p_values[0, 1] == pytest.approx(two.p_value, rel=1e-9)


def test_datasets_are_observations_only_by_name() -> None:
    scores = benchmark(dict.fromkeys("abcdefghijkl", 6))
    asked = nf.rank(scores, over="datasets")
    assert (asked.n, asked.method, asked.over_datasets) == (12, "permutation", True)
    assert len(asked.mean_ranks) == len(SYSTEMS)
    assert nf.rank(scores).n == 72
    few = str(nf.rank(benchmark({"a": 30, "b": 30, "c": 30}), over="datasets"))
    assert few.startswith("No verdict is possible: 3 datasets are too few")
    assert "over='items'" in few
    with pytest.raises(InputError, match="weights"):
        nf.rank(scores, over="datasets", weights="items")
    with pytest.raises(InputError, match="over"):
        nf.rank({"x": [1, 2], "y": [2, 1]}, over="datasets")


def test_folds_are_no_items() -> None:
    rng = np.random.default_rng(1)
    rows = [
        f"d{d},{fold}," + ",".join(f"{v:.3f}" for v in rng.normal(0.8, 0.05, 3)) for d in range(9) for fold in range(5)
    ]
    ranking = nf.rank(nf.read(io.StringIO("dataset,fold,x,y,z\n" + "\n".join(rows) + "\n")))
    assert ranking.over_datasets
    assert ranking.n == 9


def test_some_datasets_can_be_named() -> None:
    scores = benchmark({"a": 12, "b": 20, "c": 30})
    ranking = nf.rank(scores, dataset="a,c")
    assert ranking.datasets == ("a", "c")
    assert ranking.n == 42
    assert nf.rank(scores, dataset="a").n == 12
