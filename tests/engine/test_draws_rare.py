"""Two systems that differ on a handful of items: counted exactly, however many digits the differences have."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import nofluke as nf
from nofluke.engine.draws import draw_quantile, draw_tail
from nofluke.engine.draws import rare as draw_rare
from nofluke.engine.draws.counting import count_draws
from nofluke.engine.draws.inversion import invert
from nofluke.engine.draws.law import multiset, on_lattice
from nofluke.engine.draws.rare import rare_tail


def law_of(values, draws=None):
    distinct, counts = multiset(np.asarray(values), None)
    law = on_lattice(distinct, counts, len(values) if draws is None else draws)
    assert law is not None
    return law


def every_sum(law):
    """All (sum, number of ordered draws) by compositions in whole numbers, in ascending order."""
    counted = {}
    for k in itertools.product(range(law.draws + 1), repeat=law.values.size - 1):
        rest = law.draws - sum(k)
        if rest < 0:
            continue
        ways, left = 1, law.draws
        for times, often in zip((rest, *k), law.counts.tolist(), strict=True):
            ways *= math.comb(left, times) * often**times
            left -= times
        total = sum(times * value for times, value in zip(k, law.values.tolist()[1:], strict=True))
        counted[total] = counted.get(total, 0) + ways
    return sorted(counted.items())


HANDFULS = {
    "two": ([314_159, 271_828], 30),
    "both signs": ([314_159, -271_828], 30),
    "three": ([31_415, -9_265, 35_897], 14),
    "repeated": ([31_415, 31_415, 31_415, -9_265, -9_265, 500], 12),
    "m of n": ([314_159, -271_828, 5], 60),
}


@pytest.mark.parametrize("name", HANDFULS)
def test_against_every_composition(name):
    few, n = HANDFULS[name]
    draws = 16 if name == "m of n" else n
    law = law_of([0] * (n - len(few)) + few, draws)
    sums = every_sum(law)
    whole = law.items**law.draws
    above, tried = 0, 0
    for total, ways in reversed(sums):
        above += ways
        if total <= law.draws * law.total / law.items or not 0 < total < law.top:
            continue
        expected = math.log(Fraction(above, whole)) if above / whole > 1e-300 else None
        found = rare_tail(law, total)
        if expected is None or found is None:
            continue
        tried += 1
        assert found[1] < 1e-10
        assert abs(math.expm1(found[0] - expected)) <= found[1]
    assert tried > 50


@pytest.mark.parametrize("n", [40, 300, 5000])
@pytest.mark.parametrize("few", [2, 3, 5, 9])
@pytest.mark.parametrize("z", [0.1, 2.0, 7.0])
def test_against_inversion(n, few, z, rng):
    values = np.zeros(n, dtype=np.int64)
    values[:few] = np.rint(rng.uniform(0.3, 1.5, few) * 1e4)
    values[:few] *= rng.choice([1, 1, -1], few)
    law = law_of(values)
    point = round(law.draws * law.total / law.items + z * law.spread() * math.sqrt(law.draws))
    found = rare_tail(law, point)
    assert found is not None
    log_p, bound, _ = invert(law, point)
    assert found[1] < 1e-9
    assert abs(math.expm1(found[0] - log_p)) <= found[1] + bound


def test_what_is_left_out_is_in_the_bound(monkeypatch):
    law = law_of([0] * 36 + [314_159, 271_828, -141_421, 5_772])
    point = 900_000
    right = rare_tail(law, point)
    assert right is not None
    errors = []
    for rare in (1e-4, 1e-6, 1e-8):
        monkeypatch.setattr(draw_rare, "_RARE", rare)
        rough = rare_tail(law, point)
        assert rough is not None
        errors.append(abs(math.expm1(rough[0] - right[0])))
        assert 1e-13 < errors[-1] <= rough[1]
    assert errors[0] > 100 * errors[2]


def test_multinomial_from_poisson():
    # c_K turns the Poisson product into the multinomial, here a binomial
    n, mean = 20, 3.0
    factors = draw_rare._multinomial_factors(n, mean, 25)
    poisson, _ = draw_rare._poisson(mean)
    for k in range(21):
        expected = math.comb(n, k) * (mean / n) ** k * (1 - mean / n) ** (n - k)
        assert poisson[k] * factors[k] == pytest.approx(expected, rel=1e-13)
    assert (factors[21:] == 0).all()
    chances, beyond = draw_rare._poisson(7.5)
    assert math.fsum(chances) + beyond == pytest.approx(1.0, abs=1e-14)
    assert beyond < 1e-14


def test_where_it_does_not_suit():
    rng = np.random.default_rng(1)
    many = [0] * 80 + rng.integers(1, 10**6, 12).tolist()
    assert rare_tail(law_of(many), 5 * 10**6) is None
    coarse = [0] * 80 + [1, 2, 5]
    assert rare_tail(law_of(coarse), 20) is None
    common = rng.choice([0, 314_159, 271_828], 400)
    assert rare_tail(law_of(common), int(common.sum()) + 10**6) is None


@pytest.mark.parametrize("few", [2, 3, 6])
def test_quantiles_of_a_handful(few, rng):
    values = np.zeros(100, dtype=np.int64)
    values[:few] = np.rint(rng.normal(0.3, 1, few) * 1e6)
    for upper in (False, True):
        limit = draw_quantile(values, 0.025, upper=upper)
        sign = 1 if upper else -1
        assert draw_tail(sign * values, sign * limit).path == "enumeration"
        assert draw_tail(sign * values, sign * limit, strict=True).log_p <= math.log(0.025) + 1e-11
        assert draw_tail(sign * values, sign * limit).log_p >= math.log(0.025) - 1e-11


def test_three_items_of_a_hundred(rng):
    a = np.zeros(100)
    a[:3] = [0.314159, 0.271828, -0.141421]
    found = nf.test(a, np.zeros(100), "bootstrap")
    assert found.computed.how == "exact"
    drawn = nf.test(a, np.zeros(100), "bootstrap", monte_carlo=99_999)
    assert found.p_value == pytest.approx(drawn.p_value, abs=5 * drawn.computed.error)
    assert found.interval is not None
    assert drawn.interval is not None
    assert found.interval.low == pytest.approx(drawn.interval.low, abs=5e-4)


def test_a_dozen_items_with_many_digits_are_drawn(rng):
    a = np.zeros(100)
    a[:12] = rng.normal(0.1, 1, 12).round(6)
    assert nf.test(a, np.zeros(100), "bootstrap").computed.resamples == 9_999
    a[:12] = rng.integers(-40, 60, 12) / 100
    assert nf.test(a, np.zeros(100), "bootstrap").computed.resamples == 0


@pytest.mark.parametrize(("n", "few", "z"), [(200, 1, 20), (1000, 2, 2), (1000, 2, 20), (1000, 8, 5)])
def test_weights_beyond_the_range_of_floats_are_refused_in_silence(n, few, z, rng):
    values = np.zeros(n, dtype=np.int64)
    values[:few] = np.rint(rng.normal(0.3, 1, few) * 1e6)
    law = law_of(values)
    point = round(law.draws * law.total / law.items + z * law.spread() * math.sqrt(law.draws))
    counted = count_draws(law, point, patient=True)
    assert counted is None or counted <= 0
