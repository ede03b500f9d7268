"""A ratio that rests on a few items can show no more than these few, however long the test set is."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.metrics.statistics import ratio_aggregate
from support.corpora import F1, corpus_sample, tagging
from support.notes import codes, facts

PRECISION = ratio_aggregate("precision", (1, 0), (0, 1))


def sparse(behind: int, n: int = 200, higher: bool = True) -> object:
    """A is right wherever it says anything, which is on few items; B is right four times of five."""
    rng = np.random.default_rng(3)
    statistics = np.zeros((n, 2, 2))
    statistics[:, 1, 1] = 10
    statistics[:, 1, 0] = rng.binomial(10, 0.8, n)
    statistics[:behind, 0] = 5
    if not higher:
        statistics[..., 0] = statistics[..., 1] - statistics[..., 0]
    return corpus_sample(statistics, PRECISION, higher=higher)


@pytest.mark.parametrize("behind", [1, 4, 9])
@pytest.mark.parametrize("higher", [True, False])
def test_no_p_value_is_smaller_than_the_items_behind_allow(behind: int, higher: bool) -> None:
    sample = sparse(behind, higher=higher)
    for side, sides in (("two-sided", 2), ("greater", 1)):
        result = nf.test(sample, "permutation", alternative=side)
        assert result.p_value == pytest.approx(min(1.0, sides * 2.0**-behind))
        assert result.log_p_value == pytest.approx(math.log(result.p_value), abs=1e-12)
        assert (result.computed.how, result.computed.detail.code) == ("bound", "computed.few_behind_score")
        told = facts(result, "test.few_behind_ratio")
        assert (told["system"], told["units"], told["n"], told["held"]) == ("A", behind, 200, True)
        assert ("p <= " in nf.report(result)) == (result.p_value < 1)
    assert (nf.compare(sample).verdict == "better") == (behind > 5)
    ranking = nf.rank(sample)
    assert ranking.p_values[0, 1] == pytest.approx(2.0**-behind)
    assert any(f"The precision of A rests on {behind} of 200 items" in str(note) for note in ranking.notes)


def test_one_item_has_no_spread() -> None:
    result = nf.compare(sparse(1))
    assert result.test.interval is None
    assert "test.one_unit_no_interval" in codes(result)
    assert math.isnan(result.detectable.difference)
    assert result.detectable.reason.code == "compare.level_out_of_reach"
    assert "4 items" in str(nf.compare(sparse(4)).detectable.reason)
    assert nf.rank(sparse(1)).intervals[0] is None


def test_the_bootstrap_says_so_too() -> None:
    result = nf.test(sparse(3), "bootstrap")
    told = facts(result, "test.few_behind_ratio")
    assert (told["units"], told["n"], told["held"]) == (3, 200, False)


def test_scores_of_all_items_are_left_alone() -> None:
    result = nf.test(corpus_sample(tagging(200, 1, (0.9, 0.4)), F1), "permutation")
    assert result.computed.how == "monte-carlo"
    assert result.p_value == pytest.approx(2 / 30_000)
    assert not result.notes
