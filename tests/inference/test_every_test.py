"""What holds for every registered test: symmetry, order, scale, sides, intervals, degenerate data."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.registry import EFFECTS, TESTS
from nofluke.types import Runs, frozen
from support.notes import codes
from support.occasions import COUNTS
from support.runs import made_runs

OPTIONS: dict[str, dict[str, Any]] = {
    "bootstrap": {"monte_carlo": 200},
    "bootstrap_median": {"monte_carlo": 200},
    "bounded_mean": {"low": -100, "high": 100},
    "one_lost_item": {"low": -100, "high": 100},
    "corrected_resampled_t": {"rho": 0.1},
}
BINARY = tuple(one.name for one in TESTS if one.facts["needs"] == "binary" or one.name in COUNTS)
DRAWN = ("bootstrap", "bootstrap_median")
ALL = TESTS.names()
DETERMINISTIC = [name for name in ALL if name not in DRAWN]
SIDES = ("two-sided", "greater", "less")
quick = settings(deadline=None, derandomize=True, max_examples=25)
grids = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=12)


def scores(method: str, pairs: list[tuple[int, int]]) -> tuple[list[float], list[float]]:
    """Scores in tenths, or 0 and 1 where a test is for those."""
    if method in BINARY:
        return [float(a > 2) for a, _ in pairs], [float(b > 2) for _, b in pairs]
    return [a / 10 for a, _ in pairs], [b / 10 for _, b in pairs]


def run(method: str, a: Any, b: Any, **more: Any) -> Any:
    given = (a, b)
    if TESTS[method].facts["runs"]:
        given = (with_runs(a, b), None)
    return nf.test(*given, method, **OPTIONS.get(method, {}), **more)


def with_runs(a: Any, b: Any) -> Any:
    """Three runs of each system that differ a little, by a share of the scores' own range."""
    sample = as_sample(a, b)
    columns = (sample.of(0)[:, 0], sample.of(1)[:, 0])
    width = 0.01 * float(np.ptp(np.concatenate(columns)))
    tables = tuple(frozen(made_runs(values, 3, width)[:, :, None]) for values in columns)
    names = (("1", "2", "3"),) * 2
    return replace(sample, runs=Runs(names, tables))


def same(x: float, y: float) -> bool:
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize("method", DETERMINISTIC)
def test_swapping_the_systems_mirrors_every_test(method: str) -> None:
    @quick
    @given(grids)
    def holds(pairs: list[tuple[int, int]]) -> None:
        a, b = scores(method, pairs)
        for side, mirrored in zip(SIDES, ("two-sided", "less", "greater"), strict=True):
            assert same(run(method, a, b, alternative=side).p_value, run(method, b, a, alternative=mirrored).p_value)

    holds()


@pytest.mark.parametrize("method", DETERMINISTIC)
def test_the_order_of_items_never_matters(method: str) -> None:
    @quick
    @given(grids)
    def holds(pairs: list[tuple[int, int]]) -> None:
        a, b = scores(method, pairs)
        assert same(run(method, a, b).p_value, run(method, a[::-1], b[::-1]).p_value)

    holds()


@pytest.mark.parametrize("method", DETERMINISTIC)
def test_sides_fit_together(method: str) -> None:
    @quick
    @given(grids)
    def holds(pairs: list[tuple[int, int]]) -> None:
        a, b = scores(method, pairs)
        both, greater, less = (run(method, a, b, alternative=side).p_value for side in SIDES)
        if math.isnan(both):
            return
        assert 0 < min(greater, less) <= 1
        assert 0 < both <= 1
        assert greater + less >= 1 - 1e-9
        assert same(both, min(1.0, 2 * min(greater, less)))

    holds()


@pytest.mark.parametrize(
    "method", [name for name in DETERMINISTIC if name not in (*BINARY, "bounded_mean", "one_lost_item")]
)
def test_scale_and_shift_change_no_p_value(method: str) -> None:
    @quick
    @given(grids, st.sampled_from([0.5, 4.0]), st.sampled_from([0.0, 2.0]))
    def holds(pairs: list[tuple[int, int]], scale: float, shift: float) -> None:
        a, b = scores(method, pairs)
        moved = [x * scale + shift for x in a], [y * scale + shift for y in b]
        assert same(run(method, a, b).p_value, run(method, *moved).p_value)

    holds()


# Wilcoxon and Mann-Whitney intervals are made of order statistics and may contain 0 at ties although p rejects;
# McNemar's exact p and Tango's interval are two tests. Their own tests say what holds for them.
INVERTED = (
    *("paired_t", "stratified_t", "permutation", "student_t", "welch_t", "corrected_resampled_t", "bounded_mean"),
    *("one_lost_item", "mover"),
)


@pytest.mark.parametrize("method", INVERTED)
def test_interval_and_p_value_agree(method: str) -> None:
    @quick
    @given(grids, st.sampled_from([0.05, 0.2]))
    def holds(pairs: list[tuple[int, int]], alpha: float) -> None:
        a, b = scores(method, pairs)
        result = run(method, a, b, confidence_level=1 - alpha)
        if result.interval is None or math.isnan(result.p_value) or abs(result.p_value - alpha) < 1e-5:
            return
        assert (0 in result.interval) == (result.p_value > alpha)

    holds()


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("side", SIDES)
def test_identical_systems_are_never_significant(method: str, side: str) -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]
    assert run(method, values, values, alternative=side).p_value == pytest.approx(1, abs=0.51)
    if TESTS[method].facts["needs"] != "unpaired":
        assert run(method, values, values, alternative=side).p_value == 1


@pytest.mark.parametrize("method", [name for name in ALL if name not in BINARY])
def test_constant_differences_are_undefined_or_exact(method: str) -> None:
    a, b = [0.3, 0.8, 0.5, 0.9, 0.2], [0.2, 0.7, 0.4, 0.8, 0.1]
    result = run(method, a, b)
    if method in ("sign", "wilcoxon", "permutation"):
        assert result.p_value == pytest.approx(2 / 2**5)
    elif math.isnan(result.p_value):
        assert result.notes
    else:
        assert method not in ("paired_t", *DRAWN), "without spread there is no standard error"
        assert 0 < result.p_value <= 1


@pytest.mark.parametrize("method", ALL)
def test_a_single_item_gives_no_significance(method: str) -> None:
    try:
        result = run(method, [1.0], [0.0])
    except MethodError as refusal:
        advice = refusal.fix
    else:
        advice = None
    if advice is not None:
        assert advice
        assert method not in ("sign", "permutation", "wilcoxon"), "others advise it for a single item"
        return
    assert method not in ("paired_t", "student_t", "welch_t"), "one item has no spread"
    assert math.isnan(result.p_value) or result.p_value > 0.05


BAD = {
    "missing": ([0.1, float("nan"), 1], [0, 1, 0]),
    "infinite": ([0.1, float("inf"), 1], [0, 1, 0]),
    "text": ([0.1, "x", 1], [0, 1, 0]),
    "empty": ([], []),
    "one sequence": ([1, 2, 3], None),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("method", ALL)
def test_bad_scores_are_refused_by_every_test(method: str, bad: str) -> None:
    with pytest.raises(InputError):
        run(method, *BAD[bad])


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", EFFECTS.names())
def test_bad_scores_are_refused_by_every_effect(name: str, bad: str) -> None:
    with pytest.raises(InputError):
        nf.effect(*BAD[bad], name)


@pytest.mark.parametrize("method", ALL)
def test_unequal_lengths_are_for_unpaired_tests_only(method: str) -> None:
    a, b = [0, 1, 1, 0, 1, 1], [0, 1, 0, 0]
    if TESTS[method].facts["needs"] == "unpaired":
        assert 0 < run(method, a, b).p_value <= 1
    else:
        with pytest.raises(InputError, match="A has 6 scores and B has 4"):
            run(method, a, b)


@pytest.mark.parametrize("method", [name for name in ALL if TESTS[name].facts["needs"] != "unpaired"])
def test_clusters_are_respected_or_refused(method: str) -> None:
    a, b = np.array([1, 1, 1, 1, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 0, 1, 0, 0])
    sample = as_sample(a, b, clusters=list("xxyyzzww"))
    if not TESTS[method].facts["clusters"]:
        with pytest.raises(MethodError, match="come in clusters"):
            run(method, sample, None)
        return
    clustered = run(method, sample, None, alternative="greater").p_value
    if method == "permutation":
        # Totals 2, 1, -1, 2: of sixteen sign patterns three reach 4.
        assert clustered == pytest.approx(3 / 16)
    assert clustered != run(method, a, b, alternative="greater").p_value


@pytest.mark.parametrize("method", ALL)
def test_the_direction_is_that_of_the_smaller_tail(method: str) -> None:
    @quick
    @given(grids)
    def holds(pairs: list[tuple[int, int]]) -> None:
        a, b = scores(method, pairs)
        greater, less = (run(method, a, b, alternative=side).p_value for side in ("greater", "less"))
        direction = run(method, a, b).direction
        if math.isnan(greater) or math.isnan(less) or min(greater, less) > 0.1:
            return
        assert direction == (1 if greater < less else -1)
        assert run(method, b, a).direction == -direction

    holds()


@pytest.mark.parametrize("method", [name for name in ALL if TESTS[name].facts["needs"] != "unpaired"])
def test_unpaired_samples_are_refused_where_pairs_are_needed(method: str) -> None:
    for lengths in ((6, 4), (6, 6)):
        sample = as_sample([0, 1, 1, 0, 1, 1][: lengths[0]], [0, 1, 0, 0, 1, 0][: lengths[1]], paired=False)
        with pytest.raises((MethodError, InputError)):
            run(method, sample, None)


MEAN_TESTS = [name for name in ALL if TESTS[name].facts["about"] == "mean" and TESTS[name].facts["needs"] != "unpaired"]


@pytest.mark.parametrize("method", MEAN_TESTS)
def test_the_headline_shows_the_interval_of_the_test(method: str) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    options = {name: value for name, value in OPTIONS.get(method, {}).items() if name not in ("low", "high")}
    given = (with_runs(a, b), None) if TESTS[method].facts["runs"] else (a, b)
    result = nf.compare(*given, method=method, **options)
    assert result.effects["mean_difference"].interval == result.test.interval


@pytest.mark.parametrize("method", ALL)
def test_a_delta_is_valid_or_refused_with_an_alternative(method: str) -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 2, 40), rng.integers(0, 2, 40)) if method in BINARY else (rng.random(40), rng.random(40))
    if "delta" in TESTS[method].option_names():
        shifted = run(method, a, b, delta=-0.2, alternative="greater")
        assert shifted.p_value <= run(method, a, b, alternative="greater").p_value
        assert shifted.delta == -0.2
    else:
        with pytest.raises(MethodError) as caught:
            run(method, a, b, delta=0.1)
        assert TESTS[method].facts["delta_instead"] in TESTS
        assert str(TESTS[method].facts["delta_instead"]) in caught.value.advice()


@pytest.mark.parametrize("name", EFFECTS.names())
def test_swapping_the_systems_mirrors_every_effect(name: str) -> None:
    method = EFFECTS[name]
    rng = np.random.default_rng(3)
    a, b = (
        (rng.integers(0, 2, 30), rng.integers(0, 2, 30)) if name == "odds_ratio" else (rng.random(30), rng.random(30))
    )
    forward, backward = nf.effect(a, b, name), nf.effect(b, a, name)
    low, high = method.facts["bounds"]
    for estimate in (forward, backward):
        assert low <= estimate.value <= high
        if estimate.interval is not None:
            assert estimate.interval.low <= estimate.value <= estimate.interval.high
    mirrored = {1.0: lambda x: 1 / x, 0.5: lambda x: 1 - x, 0.0: lambda x: -x}[method.facts["null"]]
    assert backward.value == pytest.approx(mirrored(forward.value), rel=1e-9)


@pytest.mark.parametrize("name", EFFECTS.names())
def test_identical_systems_have_no_effect_or_none_that_is_defined(name: str) -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]
    estimate = nf.effect(values, values, name)
    if math.isnan(estimate.value):
        assert estimate.notes
    else:
        assert estimate.value == EFFECTS[name].facts["null"]


def test_skewed_one_sided_use_is_warned_of() -> None:
    d = np.round(np.random.default_rng(1).exponential(1, 20) - 1, 3)
    warned = nf.test(d, np.zeros(20), "permutation", alternative="greater")
    assert "test.skewed_one_sided" in codes(warned)
    # Two-sided use is forgiving: it is warned of only where the skewness is large for so few items.
    assert "test.skewed" in codes(nf.test(d, np.zeros(20), "permutation"))
    normal = np.round(np.random.default_rng(1).normal(0, 1, 20), 3)
    assert not {"test.skewed", "test.skewed_one_sided"} & set(codes(nf.test(normal, np.zeros(20), "permutation")))
