"""Margins, power and refusals over several datasets, as a user meets them."""

from __future__ import annotations

import io

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.inference.comparison.margin import judge_margin
from nofluke.inference.tests.claims import judge_claim, margin_method
from nofluke.types import Sample
from nofluke.verbs.detectable_effect import detected_in
from nofluke.words.notes import said
from support.corpora import F1, corpus_sample, tagging
from support.notes import codes
from support.strata import average_of_corpora, average_sample

UNEVEN = {"x": 1, "y": 3}


def answers(sizes: tuple[int, ...] = (60, 150, 300), seed: int = 0, gain: float = 0.05) -> Sample:
    """0/1 scores of two systems, of which A gains a little."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    b = rng.random(n) < 0.6
    turned = rng.random(n)
    a = np.where(b, turned > 0.08, turned < 0.12 + gain)
    return average_sample(a * 1.0, b * 1.0, np.repeat([f"t{j}" for j in range(len(sizes))], sizes).tolist())


def ratings(clusters: bool = False) -> Sample:
    rng = np.random.default_rng(1)
    b = rng.integers(1, 5, 120)
    a = np.minimum(b + rng.integers(0, 2, 120), 5)
    datasets = ["x"] * 40 + ["y"] * 80
    return average_sample(a, b, datasets, clusters=[i // 2 for i in range(120)] if clusters else None)


def test_the_test_of_a_margin_follows_the_scores() -> None:
    assert margin_method(answers()) == "mover"
    assert margin_method(answers((50, 50))) == "mover"
    assert margin_method(ratings()) == "one_lost_item"
    assert margin_method(ratings(clusters=True)) == "one_lost_item"
    corpora = average_of_corpora([corpus_sample(tagging(n, n), F1) for n in (30, 50)])
    assert margin_method(corpora) == "bootstrap"


def test_a_margin_on_an_average_is_judged() -> None:
    result = nf.compare(answers(), margin=0.05)
    assert result.margin_test is not None
    assert result.margin_test.method == "mover"
    assert result.margin_verdict == "not worse"
    assert judge_claim(result, "not-worse").supported
    rated = nf.compare(ratings(), margin=0.1, low=1, high=5)
    assert rated.margin_test is not None
    assert rated.margin_test.method == "one_lost_item"
    corpora = average_of_corpora([corpus_sample(tagging(n, n), F1) for n in (40, 60)])
    judged = judge_margin(corpora, 0.2, "inconclusive", alpha=0.05, seed=0, score_range=(None, None))
    assert judged.test is not None
    assert judged.test.method == "bootstrap"
    assert judged.verdict in ("not worse", "equivalent")


def identical(sizes: tuple[int, ...]) -> Sample:
    n = sum(sizes)
    scores = (np.arange(n) % 3 > 0) * 1.0
    return average_sample(scores, scores, np.repeat([f"t{j}" for j in range(len(sizes))], sizes).tolist())


@pytest.mark.parametrize("given", [{}, {"low": 0, "high": 2}])
def test_too_few_items_for_a_margin_are_counted(given: dict[str, float]) -> None:
    """The number told is the one from which a system with B's own outputs passes, all datasets growing alike."""
    small = nf.compare(identical((10, 40)), margin=0.05, **given)
    told = [one for one in small.notes if one.code == "compare.margin_too_small"]
    needed = int(dict(told[0].facts)["needed"])
    assert not judge_claim(small, "not-worse").supported
    for factor, passes in ((0.9, False), (1.1, True)):
        n = round(needed * factor / 5)
        grown = nf.compare(identical((n, 4 * n)), margin=0.05, **given)
        assert judge_claim(grown, "not-worse").supported == passes


def test_swaps_about_a_margin_name_the_test_for_ties() -> None:
    with pytest.raises(MethodError) as caught:
        nf.test(answers(), "permutation", delta=-0.02, alternative="greater")
    assert "mover" in caught.value.advice()


def test_the_loss_goes_where_an_item_counts_most() -> None:
    d = np.array([1, 0, 0, 1, -1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0.0])
    datasets = ["small"] * 5 + ["large"] * 10
    ours = nf.test(average_sample(d, 0 * d, datasets), "one_lost_item", low=-1, high=1, alternative="greater")
    lost = np.append(d[:5], -2.0)
    mean = (lost.mean() + d[5:].mean()) / 2
    error = np.sqrt(lost.var(ddof=1) / 6 + d[5:].var(ddof=1) / 10) / 2
    assert ours.statistic == pytest.approx(mean / error)


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        (answers((6, 90)), "t0 has fewer than 10 items"),
        (
            average_sample(np.arange(40) % 3, np.arange(40) % 2, ["x", "y"] * 20, clusters=[i // 2 for i in range(40)]),
            "several",
        ),
    ],
)
def test_what_cannot_be_resampled_within_datasets_is_refused(sample: Sample, words: str) -> None:
    with pytest.raises(MethodError, match=words) as caught:
        nf.test(sample if "fewer" in words else uneven(sample), "bootstrap")
    assert "permutation" in caught.value.advice()


def uneven(sample: Sample) -> Sample:
    """The same with unequal weights, so that datasets make a difference."""
    a, b = sample.scores(0), sample.scores(1)
    return average_sample(a, b, ["x", "y"] * 20, {"x": 1, "y": 3}, clusters=sample.clusters.tolist())


def in_clusters(sizes: dict[str, tuple[int, int]]) -> tuple[np.ndarray, list[str], list[str]]:
    """Differences, datasets and clusters; `sizes` has the number of clusters of each dataset and of items of each."""
    rng = np.random.default_rng(2)
    datasets, clusters = [], []
    for name, (number, items) in sizes.items():
        datasets += [name] * (number * items)
        clusters += [f"{name}{j // items}" for j in range(number * items)]
    own = {name: rng.normal(0, 0.5) for name in dict.fromkeys(clusters)}
    d = rng.normal(0.1, 0.3, len(datasets)) + [own[name] for name in clusters]
    return np.round(d, 3), datasets, clusters


def by_hand(d: np.ndarray, datasets: list[str], clusters: list[str]) -> tuple[float, float]:
    """The standard error of equal weights and its degrees of freedom: cluster totals within each dataset."""
    parts, weight = [], 1 / len(set(datasets))
    for name in sorted(set(datasets)):
        own = [j for j, dataset in enumerate(datasets) if dataset == name]
        mean = d[own].mean()
        totals: dict[str, float] = {}
        for j in own:
            totals[clusters[j]] = totals.get(clusters[j], 0.0) + d[j] - mean
        groups = len(totals)
        square = groups / (groups - 1) * sum(total**2 for total in totals.values()) * (weight / len(own)) ** 2
        parts.append((square, groups - 1))
    whole = sum(square for square, _ in parts)
    return whole**0.5, whole**2 / sum(square**2 / df for square, df in parts)


def test_clusters_of_one_dataset_vary_within_it() -> None:
    """Three clusters of a dataset that weighs much know its spread as well as three can, whatever others have."""
    d, datasets, clusters = in_clusters({"few": (3, 10), "many": (60, 2)})
    sample = average_sample(d, 0 * d, datasets, clusters=clusters)
    error, df = by_hand(d, datasets, clusters)
    tested = nf.test(sample, "stratified_t")
    assert (tested.details["standard_error"], tested.details["df"]) == pytest.approx((error, df))
    assert df < 8
    lost = nf.test(sample, "one_lost_item", alternative="greater", low=-2, high=2)
    # Lost where one item counts most.
    wanted = by_hand(np.append(d, -4.0), [*datasets, "few"], [*clusters, "lost"])
    assert (lost.details["standard_error"], lost.details["df"]) == pytest.approx(wanted)
    power = detected_in(sample)
    assert power.standard_error == pytest.approx(tested.details["standard_error"])


def test_a_dataset_with_one_cluster_has_no_spread() -> None:
    d, datasets, clusters = in_clusters({"one": (1, 10), "many": (60, 2)})
    with pytest.raises(MethodError, match="2 clusters in every dataset, and 'one' has 1"):
        nf.test(average_sample(d, 0 * d, datasets, clusters=clusters), "stratified_t")


@pytest.mark.parametrize("method", ["stratified_t", "one_lost_item"])
def test_datasets_of_equal_size_are_kept_apart_unless_they_are_pooled(method: str) -> None:
    rng = np.random.default_rng(3)
    errors = []
    for sizes, weights in (((100, 100), "equal"), ((100, 101), "equal"), ((100, 100), "items")):
        d = np.round(np.concatenate([rng.normal(gap, 0.1, n) for gap, n in zip((0.4, -0.4), sizes, strict=True)]), 3)
        sample = average_sample(d, 0 * d, ["x"] * sizes[0] + ["y"] * sizes[1], weights)
        errors.append(nf.test(sample, method).details["standard_error"])
        assert detected_in(sample).standard_error == pytest.approx(
            nf.test(sample, "stratified_t").details["standard_error"]
        )
    assert errors[0] == pytest.approx(errors[1], rel=0.3)
    assert errors[2] > 2 * errors[0]


def heavy(few: int = 3, many: int = 2_000) -> Sample:
    """Few items of a dataset that weighs as much as the many of another."""
    rng = np.random.default_rng(4)
    d = np.round(np.concatenate((rng.normal(0.5, 0.2, few), rng.normal(0.5, 0.02, many))), 3)
    return average_sample(d, 0 * d, ["few"] * few + ["many"] * many)


def test_what_swaps_can_reach_is_judged_by_all_items() -> None:
    """Few degrees of freedom are no few items: the swap test has 2,003 of them to swap."""
    sample = heavy()
    compared = nf.compare(sample)
    assert compared.test.p_value < 1e-100
    assert compared.detectable is not None
    assert compared.detectable.reason is None
    assert compared.detectable.difference > compared.detectable.threshold > 0
    # Four degrees of freedom make the edge far wider than the normal one.
    assert compared.detectable.threshold > 3 * compared.detectable.standard_error
    asked = detected_in(sample)
    assert asked.reason is None
    assert asked.n == 2_003
    assert asked.difference == pytest.approx(compared.detectable.difference)
    assert asked.threshold == pytest.approx(compared.detectable.threshold)
    a, b = sample.scores(0), sample.scores(1)
    table = {"x": a, "y": b, "z": a / 2}
    rows = "".join(
        f"{'few' if j < 3 else 'many'},i{j},{table['x'][j]},{table['y'][j]},{table['z'][j]}\n" for j in range(len(a))
    )
    ranked = nf.rank(nf.read(io.StringIO("dataset,item,x,y,z\n" + rows)))
    assert ranked.detectable is not None
    assert ranked.detectable.reason is None
    assert ranked.detectable.difference > 0


def test_a_stratified_t_needs_two_items_in_every_dataset() -> None:
    with pytest.raises(MethodError, match="'t0' has 1"):
        nf.test(answers((1, 40)), "stratified_t")
    assert nf.recommend(answers()).verdict("stratified_t") == "allowed"
    assert nf.recommend(answers()).preferred == "permutation"


def test_bayes_refuses_a_weighted_average() -> None:
    with pytest.raises(MethodError, match="weighted average of 3 datasets") as caught:
        nf.bayes(answers())
    assert "dataset" in caught.value.advice()


def test_power_grows_with_all_datasets() -> None:
    curve = nf.power_curve(answers(), difference=0.06, sizes=[255, 510, 1020], iterations=150)
    assert curve.test == "permutation"
    assert list(curve.power) == sorted(curve.power)
    assert "power.within_datasets" in [one.code for one in curve.assumptions]
    # By the standard error of the average: half of it at twice the sizes would be an error of datasets drawn together.
    assert curve.standard_error == pytest.approx(nf.test(answers(), "stratified_t").details["standard_error"], rel=0.02)


def test_power_inside_the_curve_is_that_of_the_test() -> None:
    """The rule for whole blocks gives what the test gives on every drawn test set."""
    from nofluke.inference.power.curves.choose import direct_rule
    from nofluke.inference.power.curves.rule import Setting
    from nofluke.inference.power.curves.within_datasets import average_flip_rule, average_pilot
    from nofluke.registry import TESTS

    setting = Setting("two-sided", 0.05, 0.0, {})
    for sizes, n in (((12, 25, 40), 120), ((60, 150, 300), 400)):
        sample = answers(sizes)
        assert sample.strata is not None
        pilot = average_pilot(sample, sample.strata, grouped=False)
        counts = next(pilot.drawn(pilot.equal_weights, n, 20, 0))
        assert set(counts.sum(axis=1)) == {float(n)}
        ours = np.exp(average_flip_rule(pilot, setting).block(counts))
        truth = np.exp(direct_rule(pilot, TESTS["permutation"], setting, 0).block(counts))
        near = (truth > 0.01) & (truth < 0.25)
        assert near.sum() > 3
        assert ours[near] == pytest.approx(truth[near], rel=0.01)


def test_curves_that_cannot_be_drawn_within_datasets_say_so() -> None:
    spanning = average_sample(
        np.arange(40) % 3, np.arange(40) % 2, ["x", "y"] * 20, clusters=[i // 2 for i in range(40)]
    )
    for sample, more in (
        (uneven(spanning), {}),
        (answers(), {"form": "normal"}),
        (answers(), {"method": "bootstrap"}),
    ):
        with pytest.raises(MethodError):
            nf.power_curve(sample, difference=0.05, **more)


def test_the_notes_on_datasets_are_sentences() -> None:
    shared = average_sample([1, 0, 1, 1, 0], [0, 0, 1, 0, 1], list("xxyyy"), clusters=[0, 1, 0, 2, 3])
    assert "align.shared_items" in codes(shared)
    for one in (*shared.notes, *nf.test(shared, "permutation").notes):
        assert said(one).endswith(".")
    few = nf.test(answers((20, 400)), "permutation", alternative="greater")
    assert "test.few_differ_in_datasets" in codes(few)
    assert "Few items differ in t0" in " ".join(said(one) for one in few.notes)


def test_skewness_is_that_of_the_weighted_average() -> None:
    """|sum c^3 m3| / (sum c^2 m2)^1.5 over the datasets, c = w / n and the moments of each about its own mean."""
    rng = np.random.default_rng(5)
    d = np.round(np.concatenate((rng.exponential(1, 20), rng.exponential(1, 200))), 3)
    datasets = ["small"] * 20 + ["large"] * 200
    result = nf.test(average_sample(d, 0 * d, datasets), "permutation", alternative="greater")
    told = next(dict(one.facts) for one in result.notes if one.code == "test.skewed_one_sided")
    parts = [(0.5 / len(own), own - own.mean()) for own in (d[:20], d[20:])]
    third = sum(c**3 * np.sum(own**3) for c, own in parts)
    second = sum(c**2 * np.sum(own**2) for c, own in parts)
    assert told["skewness"] / np.sqrt(told["n"]) == pytest.approx(third / second**1.5)
    # Datasets that differ are not skewed by that.
    apart = np.concatenate((np.tile([1.0, 1.2], 15), np.tile([-0.1, 0.1], 100)))
    level = nf.test(average_sample(apart, 0 * apart, ["x"] * 30 + ["y"] * 200), "permutation", alternative="greater")
    assert "test.skewed_one_sided" not in codes(level)
