"""A score that is no number is refused; resamples and swaps without one count against both claims."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import MethodError
from nofluke.metrics.statistics import ratio_aggregate, smooth_aggregate
from nofluke.types import Aggregate, Scores
from support.corpora import corpus_sample
from support.notes import facts

PRECISION = ratio_aggregate("precision", (1, 0), (0, 1))


def _root(sums: np.ndarray, _n: float) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.sqrt(sums[..., 0] / sums[..., 1])


ROOT = smooth_aggregate("root", _root)
# A has no denominators at all.
EMPTY = [[[0, 0], [1, 2]], [[0, 0], [3, 3]], [[0, 0], [1, 1]], [[0, 0], [2, 4]], [[0, 0], [0, 1]], [[0, 0], [1, 1]]]
VERBS: dict[str, Callable[[Any], Any]] = {
    "test": nf.test,
    "swaps": lambda sample: nf.test(sample, "permutation", form="raw"),
    "draws": lambda sample: nf.test(sample, "permutation", monte_carlo=99),
    "bootstrap": lambda sample: nf.test(sample, "bootstrap"),
    "compare": nf.compare,
    "rank": nf.rank,
    "replicate": lambda sample: nf.replicate({"one": sample, "two": sample}),
    "power": lambda sample: nf.power_curve(sample, iterations=10, sizes=[6]),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_system_without_a_score_is_refused(verb: str) -> None:
    with pytest.raises(MethodError, match="A has no precision: what it is divided by is 0 on every one of its 6 items"):
        VERBS[verb](corpus_sample(EMPTY, PRECISION))


@pytest.mark.parametrize("verb", ["test", "compare", "rank"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_infinite_and_undefined_formulas_are_refused(verb: str) -> None:
    table = {"A": {"hit": [900, 800, 700], "bad": [0, 0, 0]}, "B": {"hit": [1, 2, 3], "bad": [1, 1, 0]}}
    for formula in ("exp(hit*hit)", "hit/bad", "sqrt(hit/bad)", "hit*log(bad)", "hit**hit**hit"):
        with pytest.raises(MethodError, match="has no "):
            VERBS[verb](nf.from_statistics(table, formula).pair("A", "B"))


def test_a_function_that_gives_nan_is_named_as_the_cause() -> None:
    def broken(outputs: list[str], golds: list[str]) -> float:
        return float("nan")

    pair = nf.score(broken, {"A": ["x", "y"], "B": ["y", "y"]}, ["x", "y"], whole=True).pair("A", "B")
    with pytest.raises(MethodError, match="your function gives nan for its 2 items"):
        nf.test(pair)


def test_a_dataset_without_a_score_is_named() -> None:
    good = corpus_sample(np.array(EMPTY)[:, [1, 1]], PRECISION)
    with pytest.raises(MethodError, match="dataset two: A has no precision"):
        nf.replicate({"one": good, "two": corpus_sample(EMPTY, PRECISION)})


def test_studies_refuse_them_too() -> None:
    table = {name: {"tp": [1, 2, 0, 1], "den": den} for name, den in (("A", [2, 2, 1, 1]), ("B", [0] * 4))}
    scores: Scores = nf.from_statistics({**table, "C": table["A"], "D": table["A"]}, "tp/den")
    with pytest.raises(MethodError, match="B has no"):
        nf.studies.gains(scores)


def _swaps(statistics: np.ndarray, aggregate: Aggregate) -> list[float]:
    found = []
    for swaps in itertools.product((False, True), repeat=len(statistics)):
        chosen = np.where(np.array(swaps)[:, None, None], statistics[:, ::-1], statistics).sum(axis=0)
        with np.errstate(all="ignore"):
            found.append(float(aggregate(chosen[0], 1.0) - aggregate(chosen[1], 1.0)))
    return found


@pytest.mark.parametrize("aggregate", [PRECISION, ROOT], ids=["ratio", "smooth"])
@pytest.mark.parametrize("side", ["greater", "less"])
def test_swaps_without_a_score_count_on_both_sides(aggregate: Aggregate, side: str) -> None:
    """Every item has a denominator of one system only, so that two of the sixteen patterns leave one without."""
    statistics = np.array([[[3, 4], [0, 0]], [[0, 0], [1, 4]], [[2, 3], [0, 0]], [[0, 0], [1, 5]]], dtype=float)
    stars = np.array(_swaps(statistics, aggregate))
    assert np.isnan(stars).sum() == 2
    hits = ~(stars < stars[0] - 1e-12) if side == "greater" else ~(stars > stars[0] + 1e-12)
    sample = corpus_sample(statistics, aggregate)
    for options in ({"form": "raw"}, {"form": "raw", "monte_carlo": 20_000}):
        result = nf.test(sample, "permutation", alternative=side, **options)
        assert result.p_value == pytest.approx(hits.mean(), abs=4 * result.computed.error + 1e-9)


@pytest.mark.parametrize("form", ["shift", "percentile", "berg_kirkpatrick"])
@pytest.mark.parametrize("aggregate", [PRECISION, ROOT], ids=["ratio", "smooth"])
def test_resamples_without_a_score_count_against_both_claims(form: str, aggregate: Aggregate) -> None:
    statistics = np.array([[[0, 0], [1, 3]], [[0, 0], [2, 4]], [[4, 4], [1, 5]], [[3, 4], [2, 5]]], dtype=float)
    drawn = statistics[np.array(list(itertools.product(range(4), repeat=4)))].sum(axis=1)
    with np.errstate(all="ignore"):
        stars = aggregate(drawn[:, 0], 1.0) - aggregate(drawn[:, 1], 1.0)
        d = float(aggregate(statistics.sum(axis=0)[0], 1.0) - aggregate(statistics.sum(axis=0)[1], 1.0))
    missing = np.isnan(stars)
    assert missing.sum() == 16
    hits = {"shift": stars >= 2 * d - 1e-12, "berg_kirkpatrick": stars > 2 * d + 1e-12, "percentile": stars <= 1e-12}
    result = nf.test(corpus_sample(statistics, aggregate), "bootstrap", form=form, alternative="greater")
    truth = float(np.mean(hits[form] | missing))
    assert truth - 1e-9 <= result.p_value <= truth + 0.02
    assert facts(result, "test.resamples_undefined")["share"] > 0


def test_an_exact_bootstrap_says_the_exact_share_without_a_score() -> None:
    statistics = [[[0, 0], [0, 0]], [[1, 2], [2, 2]], [[2, 3], [1, 3]], [[1, 1], [0, 1]]]
    result = nf.test(corpus_sample(statistics, PRECISION), "bootstrap")
    assert result.computed.how == "exact"
    assert facts(result, "test.resamples_undefined")["share"] == 1 / 256


def test_resamples_without_a_score_open_the_interval() -> None:
    statistics = np.zeros((40, 2, 2))
    statistics[:, 1] = (1, 2)
    statistics[:20, 1] = (2, 2)
    statistics[:2, 0] = (1, 1)
    result = nf.test(corpus_sample(statistics, PRECISION), "bootstrap")
    assert result.interval is not None
    assert result.interval.low == -np.inf
    assert result.interval.high == np.inf
