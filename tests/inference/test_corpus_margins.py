"""Margins on corpus metrics by the studentised bootstrap: plain loops, symmetries, and how often it errs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.align.strata import averaged
from support.corpora import F1, GEOMETRIC, corpus_sample, tagging

DRAWS = 4_000


def f1(sums: np.ndarray) -> np.ndarray:
    return 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def plain(statistics: np.ndarray, delta: float, rng: np.random.Generator) -> float:
    """P(t* >= t) by a loop of its own: every resample gets its standard error from the influence of its items."""

    def measured(rows: np.ndarray) -> tuple[float, float]:
        sums, n = rows.sum(axis=0), len(rows)
        under = sums[:, 1] + sums[:, 2]
        scores = f1(sums)
        pulls = (2 * rows[:, :, 0] - scores * (rows[:, :, 1] + rows[:, :, 2])) / under
        pull = pulls[:, 0] - pulls[:, 1]
        return float(scores[0] - scores[1]), math.sqrt(n * float(np.var(pull, ddof=1)))

    difference, error = measured(statistics)
    t, n, hits = (difference - delta) / error, len(statistics), 0
    for _ in range(DRAWS):
        moved, own = measured(statistics[rng.integers(0, n, n)])
        hits += (moved - difference) / own >= t
    return hits / DRAWS


def margin_test(sample: nf.Sample, margin: float, **options: object) -> nf.TestResult:
    return nf.test(sample, "bootstrap", form="studentized", alternative="greater", delta=-margin, **options)


@pytest.mark.parametrize(("n", "margin"), [(30, 0.0), (120, 0.03)])
def test_p_is_that_of_a_plain_loop(n: int, margin: float) -> None:
    statistics = tagging(n, seed=n)
    seen = plain(statistics.astype(float), -margin, np.random.default_rng(1))
    found = margin_test(corpus_sample(statistics, F1), margin)
    assert found.p_value == pytest.approx(seen, abs=4 * math.sqrt(seen * (1 - seen) / DRAWS) + 0.01)
    assert found.details["standard_error"] == pytest.approx(
        nf.compare(corpus_sample(statistics, F1)).detectable.standard_error, rel=1e-4
    )


@pytest.mark.parametrize("aggregate", [F1, GEOMETRIC])
def test_order_and_names_change_nothing(aggregate: nf.types.Aggregate) -> None:
    statistics = tagging(60, seed=4)
    first = margin_test(corpus_sample(statistics, aggregate), 0.02)
    shuffled = margin_test(corpus_sample(statistics[::-1], aggregate), 0.02)
    assert (first.p_value, first.interval) == (shuffled.p_value, shuffled.interval)
    turned = nf.test(
        corpus_sample(statistics[:, ::-1], aggregate), "bootstrap", form="studentized", alternative="less", delta=0.02
    )
    assert turned.p_value == first.p_value


def test_the_interval_says_what_the_p_value_says() -> None:
    sample = corpus_sample(tagging(60, seed=5), F1)
    for margin in (0.01, 0.05, 0.1, 0.2):
        found = margin_test(sample, margin)
        assert found.interval is not None
        assert (found.p_value <= 0.05) == (found.interval.low > -margin)


def two_datasets(weights: tuple[float, float] = (0.5, 0.5)) -> nf.Sample:
    statistics = tagging(90, seed=6)
    codes = np.repeat([0, 1], (30, 60))
    return averaged(corpus_sample(statistics, F1), ("x", "y"), codes, dict(zip("xy", weights, strict=True)), 0)


def test_an_average_is_drawn_within_datasets() -> None:
    found = margin_test(two_datasets(), 0.05)
    assert found.interval is not None
    swaps = nf.test(two_datasets(), "permutation").interval
    assert swaps is not None
    both = nf.test(two_datasets(), "bootstrap", form="studentized").interval
    assert both is not None
    assert (both.low, both.high) == pytest.approx((swaps.low, swaps.high), rel=0.1)


def test_compare_takes_it_for_a_margin() -> None:
    result = nf.compare(corpus_sample(tagging(200, seed=7), F1), margin=0.1)
    assert result.margin_test is not None
    assert result.margin_test.interval is not None
    assert result.margin_test.interval.method == "studentized bootstrap"
    assert result.margin_test.p_value == margin_test(corpus_sample(tagging(200, seed=7), F1), 0.1).p_value


def alike(n: int, different: int) -> np.ndarray:
    """Two systems that differ on so many sentences."""
    statistics = tagging(n, seed=8)
    statistics[different:, 0] = statistics[different:, 1]
    return statistics


def test_few_items_that_differ_decide_no_margin() -> None:
    few = nf.compare(corpus_sample(alike(300, 8), F1), margin=0.05)
    assert (few.margin_verdict, few.margin_test) == ("undecided", None)
    assert "Give 10 items that differ" in str(few)
    assert nf.compare(corpus_sample(alike(300, 40), F1), margin=0.05).margin_test is not None


def test_scores_of_all_items_together_keep_the_shift_form() -> None:
    rng = np.random.default_rng(2)
    gold = rng.normal(size=40)
    outputs = {name: [f"{x:.4f}" for x in gold + rng.normal(size=40)] for name in ("a", "b")}
    scores = nf.score("pearson", outputs, [f"{x:.4f}" for x in gold], cache=False)
    result = nf.compare(scores.pair("a", "b"), margin=0.2)
    assert result.margin_test is not None
    assert result.margin_test.interval is not None
    assert result.margin_test.interval.method == "basic bootstrap"
    with pytest.raises(nf.MethodError, match="all items together"):
        nf.test(scores.pair("a", "b"), "bootstrap", form="studentized")


def population(kind: str) -> np.ndarray:
    """Sentences of which A's outputs are a little worse; most are the same where kind is "ties" or "losses"."""
    rng = np.random.default_rng(5)
    gold = rng.poisson(2, 60_000)
    right, more = rng.binomial(gold, 0.8), rng.poisson(0.4, len(gold))
    changed = rng.random(len(gold)) < {"dense": 1.0, "ties": 0.1, "losses": 0.05}[kind]
    share, rate = {"dense": (0.76, 0.45), "ties": (0.55, 0.9), "losses": (0.0, 0.4)}[kind]
    own = np.where(changed, rng.binomial(gold, share), right)
    extra = np.where(changed, rng.poisson(rate, len(gold)), more) if kind != "losses" else more
    return np.stack(
        [np.stack([hit, hit + wrong, gold], axis=1) for hit, wrong in ((own, extra), (right, more))], axis=1
    )


def rate_of_errors(kind: str, n: int, repetitions: int) -> float:
    """How often A, worse by exactly the margin, is called not worse at .05."""
    items, rng, found = population(kind), np.random.default_rng(n), 0
    sums = items.sum(axis=0).astype(float)
    margin = float(f1(sums)[1] - f1(sums)[0])
    for _ in range(repetitions):
        statistics = items[rng.integers(0, len(items), n)]
        if np.count_nonzero(np.any(statistics[:, 0] != statistics[:, 1], axis=1)) >= 10:
            found += margin_test(corpus_sample(statistics, F1), margin, monte_carlo=499).p_value <= 0.05
    return found / repetitions


def allowed(rate: float, repetitions: int) -> float:
    return rate + 3 * math.sqrt(rate * (1 - rate) / repetitions)


def test_errors_are_rare_where_most_items_tie() -> None:
    """The shift form errs in .10 to .18 of these."""
    assert rate_of_errors("ties", 200, 200) <= allowed(0.05, 200)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["dense", "ties", "losses"])
@pytest.mark.parametrize("n", [50, 100, 200, 500])
def test_rate_of_errors(kind: str, n: int) -> None:
    assert rate_of_errors(kind, n, 1_000) <= allowed(0.06, 1_000)
