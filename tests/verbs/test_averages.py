"""Margins, power and refusals over several datasets, as a user meets them."""

from __future__ import annotations

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.inference.comparison.margin import judge_margin
from nofluke.inference.tests.claims import judge_claim, margin_method
from nofluke.types import Sample
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
    assert margin_method(answers((50, 50))) == "tango"  # All items count the same.
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
    for sample, more in (
        (ratings(clusters=True), {}),
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
