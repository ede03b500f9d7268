"""Corpus metrics are tested on their statistics: by swaps and by resampling, never by item averages."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.inference.resampling.corpus import corpus_of
from nofluke.types import note
from support.corpora import ERRORS, F1, GEOMETRIC, RECALL, corpus_sample, tagging
from support.notes import facts


def swapped(statistics: np.ndarray, aggregate: object) -> list[float]:
    n = len(statistics)
    found = []
    for swaps in itertools.product((False, True), repeat=n):
        chosen = np.where(np.array(swaps)[:, None, None], statistics[:, ::-1], statistics).sum(axis=0)
        found.append(float(aggregate(chosen[0], n) - aggregate(chosen[1], n)))  # type: ignore[operator]
    return found


@pytest.mark.parametrize("aggregate", [F1, RECALL], ids=["f1", "recall"])
@pytest.mark.parametrize("seed", range(4))
def test_raw_swaps_are_full_enumeration(aggregate: object, seed: int) -> None:
    statistics = tagging(9, seed, (0.8, 0.5)).astype(float)
    observed = corpus_of(corpus_sample(statistics, aggregate)).difference  # type: ignore[arg-type]
    stars = np.array(swapped(statistics, aggregate))
    for side, hits in (("greater", stars >= observed - 1e-12), ("less", stars <= observed + 1e-12)):
        result = nf.test(corpus_sample(statistics, aggregate), "permutation", form="raw", alternative=side)  # type: ignore[arg-type]
        assert result.p_value == pytest.approx(hits.mean(), rel=1e-9)
        assert result.computed.how == "exact"


def test_smooth_metrics_stand_within_their_bound_of_enumeration() -> None:
    """The upper bound is one, and the estimate below it is near: sixteen items are too many to count all swaps."""
    statistics = tagging(16, 3, (0.8, 0.5)).astype(float)
    observed = corpus_of(corpus_sample(statistics, GEOMETRIC)).difference
    exact = np.mean(np.array(swapped(statistics, GEOMETRIC)) >= observed - 1e-12)
    result = nf.test(corpus_sample(statistics, GEOMETRIC), "permutation", alternative="greater")
    assert result.computed.how == "linear+correction"
    assert exact <= result.p_value <= exact + 0.02
    assert result.p_value - result.computed.error == pytest.approx(exact, abs=0.005)
    assert (
        f"p is at most the value given (95% confidence), and the estimate is {result.computed.error:.2g} lower"
        in str(result.computed)
    )


@pytest.mark.parametrize("seed", range(3))
def test_smooth_metrics_of_few_items_are_full_enumeration(seed: int) -> None:
    statistics = tagging(10, seed, (0.8, 0.5)).astype(float)
    stars = np.array(swapped(statistics, GEOMETRIC))
    for side, hits in (("greater", stars >= stars[0] - 1e-12), ("less", stars <= stars[0] + 1e-12)):
        result = nf.test(corpus_sample(statistics, GEOMETRIC), "permutation", alternative=side)
        assert result.computed.how == "exact"
        assert result.p_value == pytest.approx(hits.mean(), rel=1e-12)


@pytest.mark.parametrize("aggregate", [F1, RECALL, GEOMETRIC], ids=["f1", "recall", "geometric"])
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_computed_and_drawn_p_values_agree(aggregate: object, method: str) -> None:
    sample = corpus_sample(tagging(300, 5, (0.66, 0.6)), aggregate)  # type: ignore[arg-type]
    form = {"form": "raw"} if method == "permutation" else {}
    computed = nf.test(sample, method, **form)
    drawn = nf.test(sample, method, monte_carlo=20_000, seed=1, **form)
    assert drawn.computed.how == "monte-carlo"
    tolerance = 4 * drawn.computed.error + 2e-4 + computed.computed.error
    assert computed.p_value == pytest.approx(drawn.p_value, abs=tolerance)


@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
@pytest.mark.parametrize("aggregate", [F1, GEOMETRIC], ids=["f1", "geometric"])
def test_swapping_the_systems_mirrors(method: str, aggregate: object) -> None:
    statistics = tagging(120, 2)
    forward = nf.test(corpus_sample(statistics, aggregate), method, alternative="greater", monte_carlo=4_000)  # type: ignore[arg-type]
    backward = nf.test(corpus_sample(statistics[:, ::-1], aggregate), method, alternative="less", monte_carlo=4_000)  # type: ignore[arg-type]
    assert backward.estimate == pytest.approx(-forward.estimate)
    assert backward.p_value == pytest.approx(forward.p_value, abs=0.03)


def test_lower_is_better_is_the_mirror_image() -> None:
    statistics = tagging(200, 4, (0.7, 0.6))
    recall = nf.test(corpus_sample(statistics, RECALL), "permutation", alternative="greater")
    errors = nf.test(corpus_sample(statistics, ERRORS, higher=False), "permutation", alternative="greater")
    assert errors.p_value == pytest.approx(recall.p_value, rel=1e-9)
    assert errors.estimate == pytest.approx(recall.estimate)


def test_a_shared_denominator_of_one_is_the_mean() -> None:
    rng = np.random.default_rng(6)
    matched = rng.integers(0, 4, (80, 2))
    ones = np.ones(80)
    statistics = np.stack([np.stack([matched[:, j], ones, ones], axis=1) for j in (0, 1)], axis=1)
    corpus = corpus_sample(statistics, RECALL)
    for method in ("permutation", "bootstrap"):
        plain = nf.test(matched[:, 0], matched[:, 1], method)
        assert nf.test(corpus, method).p_value == pytest.approx(plain.p_value, rel=1e-8)


@pytest.mark.parametrize("aggregate", [F1, GEOMETRIC], ids=["f1", "geometric"])
def test_identical_systems_are_never_significant(aggregate: object) -> None:
    one = tagging(40, 1)[:, :1]
    sample = corpus_sample(np.concatenate([one, one], axis=1), aggregate)  # type: ignore[arg-type]
    for method in ("permutation", "bootstrap"):
        assert nf.test(sample, method).p_value == 1
    assert nf.compare(sample).verdict == "inconclusive"


def test_clusters_are_moved_whole() -> None:
    statistics = tagging(60, 8, (0.75, 0.6))
    clusters = np.arange(60) // 6
    by_cluster = nf.test(corpus_sample(statistics, F1, clusters=clusters), "permutation", form="raw")
    totals = np.stack([statistics[clusters == c].sum(axis=0) for c in range(10)])
    by_hand = nf.test(corpus_sample(totals, F1), "permutation", form="raw")
    assert by_cluster.p_value == pytest.approx(by_hand.p_value, rel=1e-9)
    assert by_cluster.details["n_swapped"] == 10


@pytest.mark.parametrize("form", ["shift", "percentile", "berg_kirkpatrick"])
def test_a_bootstrap_that_no_resample_reaches_is_undefined_unless_draws_are_asked_for(form: str) -> None:
    # One denominator for both systems, and A better on every item: no resample changes sides.
    texts = {"A": ["a b c d"] * 12, "B": ["a b c x"] * 6 + ["a b x x"] * 6}
    scores = nf.score("wer", texts, ["a b c d"] * 12).pair("A", "B")
    result = nf.test(scores, "bootstrap", form=form)
    assert math.isnan(result.p_value)
    assert math.isnan(result.log_p_value)
    assert facts(result, "test.out_of_reach") == {"instead": ("permutation",)}
    assert nf.test(scores, "bootstrap", form=form, monte_carlo=199).p_value == 2 / 200
    assert nf.test(scores, "bootstrap", form=form, alternative="less").p_value == 1.0


def test_what_is_not_valid_is_refused() -> None:
    sample = corpus_sample(tagging(50, 1), F1)
    for method in ("paired_t", "sign", "wilcoxon", "mcnemar", "bounded_mean"):
        with pytest.raises(MethodError):
            nf.test(sample, method)
    with pytest.raises(MethodError, match="cannot test a difference"):
        nf.test(sample, "permutation", delta=0.1)
    with pytest.raises(MethodError, match="for means over items"):
        nf.test(sample, "bootstrap", recentre="bootstrap_mean")
    shifted = nf.test(sample, "bootstrap", delta=-0.1, alternative="greater")
    assert shifted.p_value < nf.test(sample, "bootstrap", alternative="greater").p_value


def test_unequal_denominators_are_warned_of_in_the_raw_form() -> None:
    statistics = tagging(60, 2)
    statistics[:, 1, 1] *= 4
    raw = nf.test(corpus_sample(statistics, F1), "permutation", form="raw")
    assert facts(raw, "test.denominators_apart")["factor"] > 1.5
    assert not nf.test(corpus_sample(statistics, F1), "permutation").notes


def test_compare_speaks_of_the_metric() -> None:
    result = nf.compare(corpus_sample(tagging(300, 5, (0.8, 0.6)), F1), margin=0.02)
    assert result.verdict == "better"
    assert result.test.label == "paired permutation test of f1"
    assert result.choices.preferred == "permutation"
    assert result.margin_test is not None
    assert result.margin_test.method == "bootstrap"
    assert "difference in f1" in nf.report(result)
    assert note("align.item_scores", metric="f1") in result.notes
