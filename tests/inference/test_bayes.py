"""Posteriors: what must hold for every model, and the laws behind them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.inference.bayes.bayes_factor import log_bayes_factor
from nofluke.inference.bayes.beta_differences import PairedDifference, UnpairedDifference
from nofluke.inference.bayes.posterior_law import BetaLaw, NormalMixture, StudentLaw
from nofluke.inference.bayes.sign import commonest
from nofluke.inference.bayes.signed_rank import drawn_weights
from nofluke.types import Posterior, note
from nofluke.words.posterior import headline
from support.quantities.bayes import posterior, three

STEADY = settings(deadline=None, derandomize=True, max_examples=12)
GRID = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)
BINARY = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=20)
# Draws of the signed-rank model are few here: these properties hold draw by draw.
MODELS: dict[str, dict[str, Any]] = {
    "correlated_t": {},
    "beta_binomial": {},
    "sign": {},
    "signed_rank": {"draws": 300},
}


def scores(pairs: list[tuple[int, int]]) -> tuple[list[float], list[float]]:
    return [a / 4 for a, _ in pairs], [b / 4 for _, b in pairs]


@pytest.mark.parametrize("method", MODELS)
@pytest.mark.parametrize("rope", [None, 0.0, 0.1, 0.25, (-0.1, 0.3)])
@given(pairs=GRID)
@STEADY
def test_probabilities_add_up_and_swapping_mirrors(method: str, rope: Any, pairs: list[tuple[int, int]]) -> None:
    a, b = scores(pairs)
    if method == "beta_binomial" and isinstance(rope, tuple):
        rope = (0.4, 0.7)
    swapped = rope if not isinstance(rope, tuple) else tuple(sorted(2 * _null(method) - x for x in rope))
    one, two = (
        posterior(x, y, method, rope=region, **MODELS[method]) for x, y, region in ((a, b, rope), (b, a, swapped))
    )
    if not one.known:
        assert not two.known
        return
    assert three(one) == pytest.approx(three(two)[::-1], abs=1e-9, nan_ok=True)
    assert np.nansum(three(one)) == pytest.approx(1.0, abs=1e-11)
    assert math.isnan(one.p_equal) == (rope is None)


def _null(method: str) -> float:
    return 0.5 if method == "beta_binomial" else 0.0


@given(pairs=BINARY, rope=st.sampled_from([None, 0.0, 0.05, 0.3]))
@STEADY
def test_dirichlet_adds_up_and_mirrors(pairs: list[tuple[int, int]], rope: float | None) -> None:
    a, b = [a for a, _ in pairs], [b for _, b in pairs]
    one, two = posterior(a, b, "dirichlet", rope=rope), posterior(b, a, "dirichlet", rope=rope)
    assert three(one) == pytest.approx(three(two)[::-1], abs=1e-11, nan_ok=True)
    assert np.nansum(three(one)) == pytest.approx(1.0, abs=1e-11)


@pytest.mark.parametrize("method", [*MODELS, "dirichlet"])
@given(pairs=BINARY)
@STEADY
def test_a_wider_region_is_never_less_probable(method: str, pairs: list[tuple[int, int]]) -> None:
    a, b = [a for a, _ in pairs], [b for _, b in pairs]
    found = [
        posterior(a, b, method, rope=rope, **MODELS.get(method, {})).p_equal for rope in (0.0, 0.01, 0.1, 0.2, 0.4)
    ]
    if not math.isnan(found[-1]):
        # The sign model puts its imagined dataset into the region as soon as it has a width.
        assert all(later >= earlier - 1e-12 for earlier, later in pairwise(found))


@pytest.mark.parametrize("method", MODELS)
@given(pairs=GRID, order=st.randoms(use_true_random=False))
@STEADY
def test_the_order_of_items_changes_nothing(method: str, pairs: list[tuple[int, int]], order: Any) -> None:
    shuffled = pairs.copy()
    order.shuffle(shuffled)
    one, two = (posterior(*scores(p), method, rope=0.1, **MODELS[method]) for p in (pairs, shuffled))
    assert three(one) == pytest.approx(three(two), abs=1e-12, nan_ok=True)


@given(pairs=GRID, power=st.sampled_from([2, 8, 64]))
@STEADY
def test_scaling_scores_and_region_changes_no_probability(pairs: list[tuple[int, int]], power: int) -> None:
    a, b = scores(pairs)
    for method, options in MODELS.items():
        if method == "beta_binomial":
            continue
        one = posterior(a, b, method, rope=0.25, **options)
        two = posterior([power * x for x in a], [power * x for x in b], method, rope=0.25 * power, **options)
        assert three(one) == pytest.approx(three(two), abs=1e-12, nan_ok=True)


@given(pairs=BINARY)
@STEADY
def test_on_pairs_of_right_and_wrong_the_models_agree_about_the_sign(pairs: list[tuple[int, int]]) -> None:
    a, b = [a for a, _ in pairs], [b for _, b in pairs]
    found = [posterior(a, b, method).p_better for method in ("dirichlet", "beta_binomial", "sign")]
    assert found == pytest.approx([found[0]] * 3, abs=1e-12)


def test_the_region_of_the_sign_model_misleads_on_items_and_that_of_the_dirichlet_model_does_not() -> None:
    sample = nf.sample_from_counts(both=500, only_a=60, only_b=20, neither=420)
    by_sign, by_items = (posterior(sample, method=method, rope=0.005) for method in ("sign", "dirichlet"))
    assert by_sign.p_equal > 0.999999
    assert "bayes.scores_as_datasets" in [one.code for one in by_sign.notes]
    assert by_items.p_better > 0.9999
    assert by_items.method == posterior(sample, rope=0.005).method


def test_correlated_t_is_the_one_sided_p_value() -> None:
    a, b = [0.3, 0.5, 0.9, 0.4, 0.6], [0.2, 0.6, 0.5, 0.3, 0.5]
    assert posterior(a, b, "correlated_t").p_worse == pytest.approx(
        nf.test(a, b, "paired_t", alternative="greater").p_value, rel=1e-12
    )
    assert posterior(a, b, "correlated_t", rho=0.1).p_worse == pytest.approx(
        nf.test(a, b, "corrected_resampled_t", alternative="greater", rho=0.1).p_value, rel=1e-12
    )


def test_a_tiny_tail_keeps_its_digits() -> None:
    from scipy import stats

    law = StudentLaw(10.0, 0.1, 30)
    assert law.below(0.0) == pytest.approx(stats.t.sf(100.0, 30), rel=1e-10)
    strong = PairedDifference(300.5, 0.5, 1000.0)
    assert 0 < strong.below(-0.01) < 1e-20
    assert BetaLaw(400.5, 0.5).below(0.5) == pytest.approx(stats.beta.cdf(0.5, 400.5, 0.5), rel=1e-9)


@pytest.mark.parametrize(
    "law",
    [
        PairedDifference(60.5, 20.5, 921.0),
        PairedDifference(1000.5, 0.5, 1001.0),
        PairedDifference(0.5, 0.5, 2.0),
        PairedDifference(1e5 + 0.5, 9e4 + 0.5, 1e6),
        UnpairedDifference((5e5, 5e5), (20.5, 30.5)),
        UnpairedDifference((0.5, 10.5), (10.5, 0.5)),
        UnpairedDifference((80.5, 20.5), (75.5, 25.5)),
    ],
    ids=str,
)
def test_distributions_of_differences(law: Any) -> None:
    points = [law.quantile(p) for p in (0.001, 0.1, 0.5, 0.9, 0.999)]
    for p, x in zip((0.001, 0.1, 0.5, 0.9, 0.999), points, strict=True):
        assert law.below(x) == pytest.approx(p, rel=1e-7)
        assert law.above(x) + law.below(x) == pytest.approx(1.0, abs=1e-11)
    assert points == sorted(points)
    rng = np.random.default_rng(5)
    if isinstance(law, PairedDifference):
        draws = rng.dirichlet([law.only_a, law.only_b, law.rest], 100_000)
        values = draws[:, 0] - draws[:, 1]
    else:
        values = rng.beta(*law.a, 100_000) - rng.beta(*law.b, 100_000)
    for x in points:
        assert abs(np.mean(values > x) - law.above(x)) < 3.3 * math.sqrt(0.25 / 100_000)
    assert law.centre() == pytest.approx(values.mean(), abs=5 * values.std() / 300)


def test_commonest_of_three_against_draws() -> None:
    rng = np.random.default_rng(2)
    for weights in ((4.0, 1.0, 2.0), (30.0, 28.0, 3.0), (0.5, 2.5, 0.5), (9.0, 2.0, 0.0), (300.0, 280.0, 290.0)):
        gammas = np.stack([rng.gamma(w, size=200_000) if w else np.zeros(200_000) for w in weights])
        expected = np.bincount(gammas.argmax(axis=0), minlength=3) / 200_000
        assert commonest(weights, (-1.0, 1.0)) == pytest.approx(tuple(expected), abs=0.004)


def test_weights_are_dirichlet_and_do_not_depend_on_the_room() -> None:
    shapes = np.array([1.0, 1.0, 0.5, 2.0])
    rows = np.concatenate(list(drawn_weights(shapes, 20_000, seed=3)))
    assert rows.mean(axis=0) == pytest.approx(shapes, abs=0.05)
    assert rows.var(axis=0) == pytest.approx(shapes, abs=0.12)
    again = np.concatenate(list(drawn_weights(shapes, 20_000, seed=3)))
    assert np.array_equal(rows, again)
    assert not np.array_equal(rows, np.concatenate(list(drawn_weights(shapes, 20_000, seed=4))))


def test_weights_come_in_the_same_order_however_little_room_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = np.array([1.0, 0.5, 1.0])
    whole = np.concatenate(list(drawn_weights(shapes, 700, seed=1)))
    monkeypatch.setattr("nofluke.inference.bayes.signed_rank._ROOM", 40)
    assert np.array_equal(whole, np.concatenate(list(drawn_weights(shapes, 700, seed=1))))


def test_signed_rank_counts_pairs_as_the_definition_says() -> None:
    """One draw by hand: all pairs of datasets, the imagined one included."""
    a, b = [0.5, 0.9, 0.2, 0.7], [0.4, 0.4, 0.4, 0.7]
    shapes = np.array([1.0, 0.5, 1.0, 1.0, 1.0])
    ordered = np.array([-0.2, 0.0, 0.0, 0.1, 0.5])  # the imagined tie before the real one
    better = 0
    for weights in np.concatenate(list(drawn_weights(shapes, 400, seed=9))):
        weights = weights / weights.sum()
        averages = (ordered[:, None] + ordered) / 2
        products = weights[:, None] * weights
        above, below = products[averages > 0.15 + 1e-9].sum(), products[averages < -0.15 - 1e-9].sum()
        better += above > max(below, 1 - above - below)
    found = posterior(a, b, "signed_rank", rope=0.15, draws=400, seed=9)
    assert found.p_better == better / 400


def test_same_seed_same_answer_and_another_seed_within_its_error() -> None:
    a, b = [0.5, 0.9, 0.2, 0.7, 0.8], [0.4, 0.4, 0.4, 0.7, 0.5]
    one, again, other = (posterior(a, b, "signed_rank", rope=0.05, seed=s) for s in (1, 1, 2))
    assert three(one) == three(again)
    assert three(one) != three(other)
    assert three(one) == pytest.approx(three(other), abs=5 * one.error)
    assert 0.0005 < one.error < 0.003
    assert one.draws == 50_000


class TestBayesFactor:
    @given(t=st.floats(-40, 40), n=st.integers(2, 5_000), r=st.floats(0.1, 3))
    @STEADY
    def test_even_in_t_and_halves_average(self, t: float, n: int, r: float) -> None:
        both = log_bayes_factor(t, n, r)
        assert both == pytest.approx(log_bayes_factor(-t, n, r), abs=1e-11)
        sides = log_bayes_factor(t, n, r, "greater"), log_bayes_factor(t, n, r, "less")
        assert np.logaddexp(*sides) - math.log(2) == pytest.approx(both, abs=1e-9)
        assert sides[0] == pytest.approx(log_bayes_factor(-t, n, r, "less"), abs=1e-11)

    @given(t=st.floats(0, 1e4), more=st.floats(1e-3, 10), n=st.integers(2, 5_000))
    @STEADY
    def test_increasing_in_size(self, t: float, more: float, n: int) -> None:
        assert log_bayes_factor(t + more, n, 0.7) > log_bayes_factor(t, n, 0.7) - 1e-12

    @pytest.mark.parametrize("t", [0.0, 3.0, 50.0, 1e6])
    @pytest.mark.parametrize("n", [2, 20, 1_000, 10**6])
    @pytest.mark.parametrize("r", [0.1, 2**-0.5, 2.0])
    def test_against_adaptive_quadrature(self, t: float, n: int, r: float) -> None:
        from scipy.integrate import quad

        def log_integrand(x: float) -> float:
            a = n * r * r * math.exp(x)
            gain = 0.5 * n * (math.log1p(t * t / (n - 1)) - math.log1p(t * t / ((1 + a) * (n - 1))))
            return gain - 0.5 * math.log1p(a) - 0.5 * math.log(2 * math.pi) - 0.5 * x - 0.5 * math.exp(-x)

        grid = np.linspace(-7, 60, 4_000)
        peak = float(grid[np.argmax([log_integrand(x) for x in grid])])
        top = log_integrand(peak)
        limits = ((-8.0, peak), (peak, peak + 5), (peak + 5, 95.0))
        parts = [quad(lambda x: math.exp(log_integrand(x) - top), *ends, epsabs=0, epsrel=1e-11)[0] for ends in limits]
        assert log_bayes_factor(t, n, r) == pytest.approx(top + math.log(sum(parts)), abs=1e-9)

    def test_says_its_prior_and_survives_overflow(self) -> None:
        rng = np.random.default_rng(0)
        a = (rng.normal(0, 1e-3, 3_000) + 1).round(6).tolist()
        huge, logged = (nf.bayes(a, [0.0] * 3_000, "bayes_factor", log=log) for log in (False, True))
        assert math.isinf(huge.value)
        assert logged.value > 10_000
        assert "r = 0.7071" in str(huge.notes[1])
        assert "log=True" in str(huge.notes[-1])
        assert "bayes.factor_too_large" not in [one.code for one in logged.notes]

    def test_no_spread_is_undefined(self) -> None:
        for a, b in (([0.5], [0.4]), ([0.5, 0.5], [0.4, 0.4]), ([0.5, 0.4], [0.5, 0.4])):
            found = nf.bayes(a, b, "bayes_factor")
            assert math.isnan(found.value)
            assert found.notes


def test_a_mixture_answers_like_its_only_part() -> None:
    from scipy import stats

    law = NormalMixture(np.array([1.0]), np.array([2.0]), np.array([1.0]))
    assert law.above(0.0) == pytest.approx(stats.norm.sf(-0.5), rel=1e-12)
    assert law.quantile(0.025) == pytest.approx(stats.norm.ppf(0.025, 1, 2), rel=1e-9)


def test_the_picture_is_the_distribution() -> None:
    found = posterior([1] * 30 + [0] * 20, [1] * 20 + [0] * 5 + [1] * 3 + [0] * 22, rope=0.1)
    width = found.grid[1] - found.grid[0]
    assert found.density.sum() * width == pytest.approx(0.999, abs=1e-6)
    above = found.density[found.grid > 0.1].sum() * width
    assert above == pytest.approx(found.p_better, abs=0.03)
    assert isinstance(found, Posterior)
    assert not found.grid.flags.writeable


@pytest.mark.parametrize(("rope", "meant"), [("0,01", "0.01"), ("0,5", "0.5"), ("0, 05", "0.05")])
def test_a_decimal_comma_makes_no_region(rope: str, meant: str) -> None:
    with pytest.raises(nf.InputError, match="at its edge") as refused:
        nf.bayes([1.0, 2.0, 4.0], [0.5, 2.5, 3.0], rope=rope)
    assert f"did you mean {meant} " in refused.value.advice()
    with pytest.raises(nf.InputError, match="at its edge"):
        nf.bayes([1.0, 2.0, 4.0], [0.5, 2.5, 3.0], rope="-1,0")
    assert nf.bayes([1.0, 2.0, 4.0], [0.5, 2.5, 3.0], rope=(0, 1)).rope == (0.0, 1.0)
    assert nf.bayes([1.0, 2.0, 4.0], [0.5, 2.5, 3.0], rope="-0.01,0.02").rope == (-0.01, 0.02)


def test_swapped_limits_are_named() -> None:
    with pytest.raises(nf.InputError, match="limits swapped") as refused:
        nf.bayes([1.0, 2.0, 4.0], [0.5, 2.5, 3.0], rope="0.01,-0.02")
    assert "-0.02,0.01" in refused.value.advice()


def test_a_dataset_with_one_item_that_changes_the_model_is_named() -> None:
    rng = np.random.default_rng(1)
    several = {name: (rng.normal(0.3, 1, 20), rng.normal(0, 1, 20)) for name in ("x", "y", "z")}
    assert nf.bayes(several).method == "hierarchical"
    mixed = nf.bayes({**several, "tiny": ([0.4], [0.1])})
    assert mixed.method == "signed_rank"
    assert mixed.notes[0] == note("bayes.single_items", datasets=("tiny",))
    assert str(mixed.notes[0]).startswith("Dataset 'tiny' has a single item")
    single = {name: ([0.4], [0.1]) for name in "pqr"}
    for other in (nf.bayes(single), nf.bayes({**several, "tiny": ([0.4], [0.1])}, method="signed_rank")):
        assert "bayes.single_items" not in [one.code for one in other.notes]


def test_identical_systems_get_what_symmetry_says_and_no_more() -> None:
    same = [0.5, 0.25, 0.75]
    plain, wide = nf.bayes(same, same), nf.bayes(same, same, rope=0.01)
    assert (plain.p_better, plain.p_worse) == (0.5, 0.5)
    assert all(math.isnan(p) for p in (wide.p_better, wide.p_equal, wide.p_worse))
    assert wide.notes == (note("bayes.all_tied_region", n=3, low=-0.01, high=0.01),)
    assert "They tie on all 3 items. How probable" in headline(wide)


def test_the_prior_of_two_accuracies_is_printed_with_its_alternative() -> None:
    a, b = [1] * 7 + [0] * 3, [1] * 5 + [0] * 6
    found = nf.bayes(a, b, "beta_binomial", form="unpaired")
    assert str(found.prior) == "Jeffreys, 0.5 imagined right and 0.5 wrong items per system"
    flat = nf.bayes(a, b, "beta_binomial", form="unpaired", prior=1)
    assert str(found.notes[0]) == f"With the uniform prior (weight 1), P(A better) = {flat.p_better:.3f}."
    assert str(flat.notes[0]) == f"With the Jeffreys prior (weight 0.5), P(A better) = {found.p_better:.3f}."
