"""Intervals of agreement: do they hold as often as they say, are draws repeatable, and how many items narrow them?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.inference.agreement import bootstrap
from nofluke.inference.agreement.measured import IntervalOptions
from nofluke.readers.rating_labels import Coded, in_a_row
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, Ratings, frozen

# 99.9 % of binomial counts lie within this many standard deviations.
BOUND = 3.2905


def simulated(rng: np.random.Generator, n: int, raters: int, shares: tuple[float, ...], kappa: float) -> Ratings:
    """Annotators see the true label with probability sqrt(kappa) and draw from the shares otherwise: kappa is known."""
    edges = np.cumsum(shares)
    truth = np.searchsorted(edges, rng.random((n, 1)))
    guess = np.searchsorted(edges, rng.random((n, raters)))
    codes = np.where(rng.random((n, raters)) < math.sqrt(kappa), truth, guess)
    k = len(shares)
    values = np.arange(k, dtype=np.float64)
    coded = Coded(frozen(codes.ravel(), np.int64), tuple(map(str, range(k))), frozen(values), True)
    return coded.ratings(list(map(str, range(n))), list(map(str, range(raters))), in_a_row(n, raters))


def held(name: str, repetitions: int, truth: float, setting: tuple[Any, ...], **options: Any) -> float:
    rng, inside = np.random.default_rng(17), 0
    for _ in range(repetitions):
        found: Coefficient = AGREEMENT[name].function(simulated(rng, *setting, truth), **options)
        inside += found.interval is not None and truth in found.interval
    return inside / repetitions


@pytest.mark.parametrize("interval", ["normal", "log"])
def test_cohens_interval_holds(interval: str) -> None:
    rate = held("cohen_kappa", 3_000, 0.5, (100, 2, (0.5, 0.3, 0.2)), interval=interval)
    slack = BOUND * math.sqrt(0.95 * 0.05 / 3_000)
    assert 0.93 - slack < rate < 0.96 + slack


@pytest.mark.parametrize(
    ("name", "raters"),
    [("krippendorff_alpha", 4), ("fleiss_kappa", 4), ("conger_kappa", 3), ("scott_pi", 2), ("light_kappa", 3)],
)
def test_other_intervals_hold(name: str, raters: int) -> None:
    rate = held(name, 800, 0.6, (100, raters, (0.4, 0.3, 0.3)))
    slack = BOUND * math.sqrt(0.95 * 0.05 / 800)
    assert 0.93 - slack < rate < 0.97 + slack


def test_intervals_of_a_rare_label_are_short_and_the_log_scale_is_better() -> None:
    setting = (100, 2, (0.9, 0.1))
    normal, log = (held("cohen_kappa", 1_000, 0.8, setting, interval=kind) for kind in ("normal", "log"))
    assert normal < 0.93
    assert log > normal


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["log", "bootstrap"])
def test_coverage_at_full_size(interval: str) -> None:
    options = {"n_resamples": 999} if interval == "bootstrap" else {}
    rate = held("krippendorff_alpha", 4_000, 0.6, (50, 3, (0.4, 0.3, 0.3)), interval=interval, **options)
    slack = BOUND * math.sqrt(0.95 * 0.05 / 4_000)
    assert 0.93 - slack < rate < 0.965 + slack


def test_the_test_of_zero_holds_its_level() -> None:
    rng, rejected = np.random.default_rng(3), 0
    for _ in range(2_000):
        rejected += AGREEMENT["cohen_kappa"].function(simulated(rng, 60, 2, (0.5, 0.5), 0.0)).p_value <= 0.05
    slack = BOUND * math.sqrt(0.05 * 0.95 / 2_000)
    assert abs(rejected / 2_000 - 0.05) < slack + 0.005


def test_bootstrap_is_the_same_however_it_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    data = [[1, 1, 2], [2, 2, 2], [1, None, 1], [3, 3, 1], [2, 3, 2], [1, 1, 1]] * 5
    first = nf.agree(data, interval="bootstrap", n_resamples=999, seed=7)
    monkeypatch.setattr(bootstrap, "_BLOCK", 64)
    second = nf.agree(data, interval="bootstrap", n_resamples=999, seed=7)
    assert first.interval == second.interval
    other = nf.agree(data, interval="bootstrap", n_resamples=999, seed=8)
    assert other.interval != first.interval
    assert first.interval is not None
    assert first.interval.method == "BCa bootstrap over items"
    assert "seed:7" in first.signature
    assert "n_resamples:999" in first.signature


@pytest.mark.parametrize("name", AGREEMENT.names())
def test_bootstrap_draws_are_the_coefficient_of_the_drawn_items(name: str) -> None:
    rng = np.random.default_rng(2)
    raters = 2 if AGREEMENT[name].facts["needs"] == "two annotators" else 3
    truth = rng.integers(1, 4, (12, 1))
    data = np.where(rng.random((12, raters)) < 0.5, truth, rng.integers(1, 4, (12, raters))).astype(float)
    if raters == 3:
        data[[0, 4], [1, 2]] = np.nan
    caught = []
    replicates = bootstrap.replicates

    def catch(m: Any, asked: IntervalOptions) -> Any:
        caught.append(replicates(m, asked))
        return caught[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "replicates", catch)
        nf.agree(data, name, interval="bootstrap", n_resamples=199, seed=4)
    draws = bootstrap.Stream(4, bootstrap.RATED_ITEMS, 0).indices(199 * 12, 12).reshape(199, 12)
    for draw, value in list(zip(draws, caught[0], strict=True))[:25]:
        # All labels stay possible in a draw that misses one: the number of labels is part of some coefficients.
        again = nf.agree(data[draw], name, categories=[1, 2, 3]).value
        assert value == pytest.approx(again, abs=1e-9, nan_ok=True)


def test_progress_is_told_and_too_few_draws_are_refused() -> None:
    seen: list[tuple[int, int]] = []
    nf.agree(
        [[1, 1], [2, 1], [2, 2]] * 9,
        interval="bootstrap",
        n_resamples=600,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(256, 600), (512, 600), (600, 600)]
    with pytest.raises(nf.InputError, match="too few for an interval"):
        nf.agree([[1, 1], [2, 1]], interval="bootstrap", n_resamples=9)


@pytest.mark.parametrize(("name", "options"), [("krippendorff_alpha", {}), ("cohen_kappa", {}), ("gwet_ac1", {})])
def test_items_for_a_width_give_that_width(name: str, options: dict[str, str]) -> None:
    data = [[1, 1], [2, 2], [1, 1], [2, 1], [1, 1], [1, 2], [2, 2]] * 30
    asked = nf.agree(data, name, width=0.12, **options)
    assert asked.items_for_width is not None
    width, items = asked.items_for_width
    assert width == 0.12
    repeated = (data * (items // len(data) + 2))[:items]
    found = nf.agree(repeated, name, **options).interval
    assert found is not None
    assert found.high - found.low == pytest.approx(0.12, rel=0.03)


def test_items_for_a_width_without_any_disagreement() -> None:
    asked = nf.agree([[1, 1], [2, 2]] * 20, "cohen_kappa", width=0.05)
    assert asked.items_for_width is not None
    items = asked.items_for_width[1]
    near = nf.agree([[1, 1], [2, 2]] * math.ceil(items / 2), "cohen_kappa").interval
    assert near is not None
    assert near.high - near.low == pytest.approx(0.05, rel=0.02)
    assert nf.agree([[1, 1]] * 9, width=0.1).items_for_width is None
    with pytest.raises(nf.InputError, match="width = 3"):
        nf.agree([[1, 1], [2, 2]], width=3)


def test_the_level_of_the_interval_is_the_one_asked_for() -> None:
    data = [[1, 1], [2, 2], [1, 2], [2, 1], [1, 1]] * 8
    narrow, wide = (nf.agree(data, confidence_level=level).interval for level in (0.8, 0.99))
    assert narrow is not None
    assert wide is not None
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (narrow.level, wide.level) == (0.8, 0.99)
    with pytest.raises(nf.InputError, match="confidence_level"):
        nf.agree(data, confidence_level=95)
