"""Draws that stop early: valid p-values, yes or no without one, and where neither is offered."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.types import Sample
from support.corpora import F1, GEOMETRIC, corpus_sample, tagging
from support.notes import codes, facts


def sample(difference: float, seed: int = 0, n: int = 60) -> Sample:
    return corpus_sample(tagging(n, seed, (0.6 + difference, 0.6)), GEOMETRIC)


def test_besag_and_clifford_is_the_full_run_cut_short() -> None:
    early = nf.test(sample(0.0), "permutation", monte_carlo=50_000, stop="p_value")
    full = nf.test(sample(0.0), "permutation", monte_carlo=50_000)
    assert early.computed.how == "monte-carlo"
    assert early.computed.resamples < 5_000
    assert early.p_value == pytest.approx(20 / early.computed.resamples)
    assert early.p_value == pytest.approx(full.p_value, abs=4 * early.computed.error)
    assert "test.stopped_p_value" in codes(early)


def test_all_draws_are_made_where_few_are_extreme() -> None:
    result = nf.test(sample(0.25), "permutation", monte_carlo=1_999, stop="p_value")
    assert result.computed.resamples == 1_999
    assert result.p_value * 2_000 == pytest.approx(round(result.p_value * 2_000))


@pytest.mark.parametrize(("difference", "below"), [(0.25, True), (0.0, False)])
def test_a_decision_is_marked_and_gives_no_p_value(difference: float, below: bool) -> None:
    result = nf.test(sample(difference), "permutation", monte_carlo=20_000, stop="decision")
    assert result.computed.how == "decision"
    assert result.p_value == (0.05 if below else 1.0)
    assert result.computed.resamples < 5_000
    assert result.details["stop_alpha"] == 0.05
    assert "test.decision_only" in codes(result)
    words = str(nf.compare(sample(difference), method="permutation", monte_carlo=20_000, stop="decision"))
    assert f"p {'<=' if below else '>'} 0.05" in words
    assert "This is a yes or no, not a p-value" in " ".join(words.split())


def test_an_open_decision_is_undefined() -> None:
    # On which side of the p-value itself they lie, a few draws cannot tell.
    alpha = round(nf.test(sample(0.0, 2), "permutation", monte_carlo=9_999).p_value, 2)
    result = nf.test(sample(0.0, 2), "permutation", monte_carlo=64, stop="decision", stop_alpha=alpha)
    assert math.isnan(result.p_value)
    assert facts(result, "test.draws_undecided") == {"draws": 64, "alpha": alpha}


def test_one_sided_stops_mirror() -> None:
    one = nf.test(sample(0.1), "permutation", monte_carlo=9_999, stop="p_value", alternative="greater")
    statistics = np.array(sample(0.1).statistics[:, ::-1])
    other = nf.test(
        corpus_sample(statistics, GEOMETRIC), "permutation", monte_carlo=9_999, stop="p_value", alternative="less"
    )
    assert one.p_value == other.p_value


def test_early_p_values_are_valid_under_the_null() -> None:
    """Under exchangeable outputs P(p <= u) <= u: 300 pairs of one system's outputs, swapped at random."""
    rng = np.random.default_rng(1)
    hits = 0
    for number in range(300):
        statistics = tagging(20, number, (0.6, 0.6)).astype(float)
        swapped = np.where(rng.random(20)[:, None, None] < 0.5, statistics[:, ::-1], statistics)
        p = nf.test(corpus_sample(swapped, GEOMETRIC), "permutation", monte_carlo=499, stop="p_value").p_value
        hits += p <= 0.1
    # 99.9 % bound of Binomial(300, 0.1).
    assert hits <= 47


def test_where_nothing_is_drawn_nothing_can_stop() -> None:
    with pytest.raises(MethodError, match="draws can stop early only where they are made one by one"):
        nf.test([1, 2, 3], [2, 1, 1], "permutation", stop="p_value")
    cases = ((GEOMETRIC, {}, "give monte_carlo=N as well"), (F1, {"monte_carlo": 99}, "are always all made"))
    for aggregate, options, fix in cases:
        with pytest.raises(MethodError, match="draws can stop early") as refusal:
            nf.test(corpus_sample(tagging(9, 1, (0.6, 0.5)), aggregate), "permutation", stop="decision", **options)
        assert fix in refusal.value.advice()
        assert ("monte_carlo" in refusal.value.advice()) == (not options)
    with pytest.raises(InputError, match="stop_alpha = 2"):
        nf.test(sample(0.1), "permutation", monte_carlo=99, stop="decision", stop_alpha=2.0)
