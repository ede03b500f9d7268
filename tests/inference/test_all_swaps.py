"""Where there are few ways to swap the outputs, all are counted and none is drawn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.ratio_swaps.draws import ratio_swap_draws, ratio_swap_patterns, studentized_ratio
from nofluke.types import Aggregate
from support.corpora import F1, GEOMETRIC, RECALL, corpus_sample, tagging


def studentized_by_hand(statistics: np.ndarray) -> float:
    num, den = 2 * statistics[:, :, 0], statistics[:, :, 1] + statistics[:, :, 2]
    return studentized_ratio(num[:, 0], num[:, 1], den[:, 0], den[:, 1]).t


@pytest.mark.parametrize("n", [2, 5, 9])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_studentised_swaps_of_few_items_are_full_enumeration(n: int, side: str) -> None:
    statistics = tagging(n, n + 3, (0.9, 0.3)).astype(float)
    turned = (
        np.where(np.array(swaps)[:, None, None], statistics[:, ::-1], statistics)
        for swaps in itertools.product((False, True), repeat=n)
    )
    stars = np.array([studentized_by_hand(one) for one in turned])
    slack = 1e-11 * abs(stars[0])
    shares = {"greater": np.mean(stars >= stars[0] - slack), "less": np.mean(stars <= stars[0] + slack)}
    wanted = shares.get(side, min(1.0, 2 * min(shares.values())))
    result = nf.test(corpus_sample(statistics, F1), "permutation", alternative=side)
    assert result.computed.how == "exact"
    assert result.p_value == pytest.approx(wanted, rel=1e-12)


def test_two_items_give_a_half() -> None:
    statistics = [[[3, 3, 4], [1, 4, 4]], [[2, 3, 3], [1, 2, 3]]]
    assert nf.test(corpus_sample(statistics, F1), "permutation").p_value == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("aggregate", [F1, GEOMETRIC], ids=["ratio", "smooth"])
def test_items_on_which_both_are_alike_do_not_count(aggregate: Aggregate) -> None:
    few = tagging(8, 2, (0.9, 0.4))
    alike = np.repeat(tagging(60, 3)[:, :1], 2, axis=1)
    result = nf.test(corpus_sample(np.concatenate((few, alike)), aggregate), "permutation")
    assert result.computed.how == "exact"
    assert result.p_value * 2**7 == pytest.approx(round(result.p_value * 2**7))


def test_draws_agree_with_all_patterns_and_are_made_where_asked_for() -> None:
    statistics = tagging(11, 5, (0.8, 0.5))
    columns = (2 * statistics[:, 0, 0], 2 * statistics[:, 1, 0], *statistics[:, :, 1:].sum(axis=2).T)
    every = ratio_swap_patterns(*columns)
    assert every is not None
    assert every.resamples == 2**11
    drawn = ratio_swap_draws(*columns, resamples=40_000, seed=1)
    assert drawn.at_least / 40_000 == pytest.approx(every.at_least / every.resamples, abs=0.01)
    sample = corpus_sample(statistics, F1)
    assert nf.test(sample, "permutation", monte_carlo=999).computed.how == "monte-carlo"
    assert nf.test(corpus_sample(tagging(40, 5), F1), "permutation").computed.how == "monte-carlo"


def test_correlations_of_few_items_are_counted() -> None:
    rng = np.random.default_rng(4)
    gold = [str(value) for value in rng.permutation(9)]
    outputs = {name: [str(value) for value in rng.permutation(9)] for name in ("A", "B")}
    for metric in ("kendall", "pearson"):
        pair = nf.score(metric, outputs, gold).pair("A", "B")
        computed, drawn = nf.test(pair), nf.test(pair, "permutation", monte_carlo=20_000)
        assert computed.computed.how == "exact"
        assert computed.p_value == pytest.approx(drawn.p_value, abs=4 * drawn.computed.error)


@pytest.mark.parametrize("aggregate", [F1, GEOMETRIC, RECALL], ids=["ratio", "smooth", "shared"])
@pytest.mark.parametrize("higher", [True, False])
def test_rank_gives_the_p_values_of_test(aggregate: Aggregate, higher: bool) -> None:
    rng = np.random.default_rng(8)
    gold = rng.integers(1, 5, 12)
    systems = [np.stack((rng.binomial(gold, q), rng.poisson(gold) + gold, gold), axis=1) for q in (0.9, 0.6, 0.3)]
    scores = corpus_sample(np.stack(systems, axis=1), aggregate, higher=higher)
    many = nf.types.Sample(
        **{
            **{name: getattr(scores, name) for name in scores.__slots__},
            "systems": ("A", "B", "C"),
            "lengths": (12, 12, 12),
        }
    )
    ranking = nf.rank(many)
    assert set(ranking.computed.ravel().tolist()) == {"exact"}
    for i, j in itertools.permutations(range(3), 2):
        chosen = ["ABC".index(ranking.systems[k]) for k in (i, j)]
        pair = corpus_sample(np.stack([systems[k] for k in chosen], axis=1), aggregate, higher=higher)
        assert ranking.p_values[i, j] == pytest.approx(nf.test(pair, alternative="greater").p_value, rel=1e-9)


def test_rank_takes_statistics_that_are_not_whole() -> None:
    """Weights of a half must not be rounded away."""
    rng = np.random.default_rng(2)
    statistics = tagging(60, 4, (0.8, 0.6)) / 4
    third = statistics[rng.permutation(60), :1]
    pair, many = corpus_sample(statistics, F1), corpus_sample(np.concatenate((statistics, third), axis=1), F1)
    many = nf.types.Sample(
        **{
            **{name: getattr(many, name) for name in many.__slots__},
            "systems": ("A", "B", "C"),
            "lengths": (60, 60, 60),
        }
    )
    ranking = nf.rank(many)
    at = (ranking.systems.index("A"), ranking.systems.index("B"))
    assert ranking.p_values[at] == pytest.approx(nf.test(pair, alternative="greater").p_value, rel=1e-9)
