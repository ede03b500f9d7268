"""What draws leave open about a p-value is said: Clopper and Pearson's interval, doubled where the tail is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import nofluke as nf
from nofluke.engine.sequential import SequentialP
from nofluke.inference.resampling.drawn_p_values import computed_by_draws, computed_by_stopped_draws
from nofluke.types import Computed
from support.corpora import F1, GEOMETRIC, corpus_sample, tagging

A = np.round(np.random.default_rng(3).random(60), 3)
B = np.round(np.random.default_rng(4).random(60) * 0.95, 3)


@pytest.mark.parametrize(("hits", "draws"), [(0, 99), (1, 99), (37, 999), (99, 99)])
def test_the_interval_is_that_of_clopper_and_pearson(hits: int, draws: int) -> None:
    found = computed_by_draws(hits, draws, 0).interval
    wanted = stats.binomtest(hits, draws).proportion_ci(0.95, method="exact")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), rel=1e-9)
    both = computed_by_draws(hits, draws, 0, sides=2).interval
    assert both is not None
    assert (both.low, both.high) == pytest.approx((min(1, 2 * wanted.low), min(1, 2 * wanted.high)), rel=1e-9)


def test_a_stop_at_the_twentieth_hit_has_the_interval_of_waiting_times() -> None:
    found = computed_by_stopped_draws(SequentialP(0.1, 20, 200), 0, stopped=True).interval
    assert found is not None
    assert stats.nbinom.cdf(180, 20, found.low) == pytest.approx(0.025)
    assert stats.nbinom.sf(179, 20, found.high) == pytest.approx(0.025)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_it_holds_the_p_value_without_draws(side: str) -> None:
    exact = nf.test(A, B, "permutation", alternative=side).p_value
    drawn = nf.test(A, B, "permutation", alternative=side, monte_carlo=1_999, seed=5)
    assert drawn.computed.interval is not None
    assert exact in drawn.computed.interval
    assert drawn.p_value in drawn.computed.interval


CASES = {
    "permutation": lambda: nf.test(A, B, "permutation", monte_carlo=999),
    "bootstrap": lambda: nf.test(A, B, "bootstrap", monte_carlo=999),
    "absolute": lambda: nf.test(A, B, "bootstrap", two_sided="absolute", monte_carlo=999),
    "moses": lambda: nf.test(A, B, "bootstrap", form="moses"),
    "median": lambda: nf.test(A, B, "bootstrap_median"),
    "f1": lambda: nf.test(corpus_sample(tagging(80, 1), F1), "permutation"),
    "smooth": lambda: nf.test(corpus_sample(tagging(80, 1), GEOMETRIC), "permutation", monte_carlo=999),
    "corpus bootstrap": lambda: nf.test(corpus_sample(tagging(80, 1), F1), "bootstrap", monte_carlo=999),
    "corpus moses": lambda: nf.test(corpus_sample(tagging(80, 1), F1), "bootstrap", form="moses"),
    "stopped": lambda: nf.test(
        corpus_sample(tagging(80, 1), GEOMETRIC), "permutation", monte_carlo=9_999, stop="p_value"
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_drawn_p_value_says_it_in_text_and_json(case: str) -> None:
    result = CASES[case]()
    assert result.computed.how == "monte-carlo"
    interval = result.computed.interval
    assert interval is not None
    assert interval.low <= result.p_value <= interval.high
    assert result.to_dict()["computed"]["interval"]["method"] == "Clopper-Pearson"
    said = f"95% CI of p {interval.low:.3g} to {interval.high:.3g}"
    assert said in str(result.computed)
    assert said in " ".join(nf.report(result).split())


def test_bounds_are_never_printed_below_themselves() -> None:
    for error in (0.00612, 0.0058, 1.04e-9, 0.05, 0.0951):
        printed = str(Computed("approximate", error)).removeprefix("approximate, error at most ")
        assert error <= float(printed) <= 2.1 * error
