"""The quick certificate is a proof, moments give the same nodes, and one contour serves all thresholds near its own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.engine.draws import draw_quantile, draw_tail, gaps
from nofluke.engine.draws import inversion as draw_inversion
from nofluke.engine.draws import paths as draw_paths
from nofluke.engine.draws.certificate import CUTOFF, LONGEST_FFT, live_node_ranges
from nofluke.engine.draws.gaps import quick_node_ranges
from nofluke.engine.draws.inversion import Contour, contour_of, invert
from nofluke.engine.draws.law import multiset, on_lattice
from nofluke.engine.draws.nodes import DrawNodes, NodeSum
from nofluke.engine.draws.series import series_of
from nofluke.engine.draws.tilt import tilt_to
from support.thinned import in_turn

QUICK = settings(deadline=None, derandomize=True, max_examples=150)


def law_of(values, draws=None):
    distinct, counts = multiset(np.asarray(values).astype(np.int64), None)
    law = on_lattice(distinct, counts, len(values) if draws is None else draws)
    assert law is not None
    return law


def above(law, z):
    return round(law.draws * law.total / law.items + z * law.spread() * math.sqrt(law.draws))


KINDS = {
    "six decimals": lambda rng: rng.normal(0, 1e6, 2000),
    "five digits": lambda rng: rng.normal(0, 1e5, 2000),
    "hundredths": lambda rng: rng.normal(0, 100, 800),
    "half ties": lambda rng: np.where(rng.random(2000) < 0.5, 0, rng.normal(0, 1e5, 2000)),
    "t with 3 degrees of freedom": lambda rng: rng.standard_t(3, 3000) * 1e5,
    "two clumps": lambda rng: np.concatenate([rng.normal(0, 1e3, 1500), rng.normal(2e4, 1e3, 1500)]),
    "skewed": lambda rng: rng.lognormal(0, 1, 4000) * 1e4,
}


def nearly_multiples(rng, step, off):
    """3,000 multiples of the step, but for a few."""
    values = rng.integers(-90, 100, 3000) * step
    values[:off] += rng.integers(1, step, off)
    return values


NEARLY = {"mostly hundreds": (100, 30), "hundreds but for two": (100, 2)}


@QUICK
@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(1, 9)), min_size=2, max_size=12, unique_by=lambda pair: pair[0]
    ),
    st.floats(0, math.pi),
    st.integers(1, 11),
)
def test_pairs_prove_what_they_say(pairs, t, apart):
    values, counts = np.array(sorted(pairs)).T
    weights = counts / counts.sum()
    true = 1.0 - abs((weights * np.exp(1j * t * values)).sum()) ** 2
    if apart < values.size:
        joint = np.minimum(weights[apart:], weights[:-apart])
        proved = (joint * np.sin(t * (values[apart:] - values[:-apart]) / 2) ** 2).sum()
        assert true >= proved - 1e-12
    # by variance and fourth moment alone
    mean = (weights * values).sum()
    second, fourth = ((weights * (values - mean) ** k).sum() for k in (2, 4))
    assert true >= t**2 * second - t**4 * (fourth + 3 * second**2) / 12 - 1e-12


@QUICK
@given(st.floats(0.01, 10), st.floats(0.001, 10), st.floats(0.001, 3))
def test_the_first_root(a, b, need):
    root = gaps._first_root(a, b, need)
    t = np.linspace(0, 3 * math.sqrt(a / b), 2001)
    reached = a * t**2 - b * t**4 >= need
    if root is None:
        assert not (a * t**2 - b * t**4 > need * (1 + 1e-3)).any()
    else:
        assert a * root**2 - b * root**4 == pytest.approx(need, rel=1e-6)
        assert not reached[t < root * (1 - 1e-6)].any()


@pytest.mark.parametrize(("name", "z"), in_turn([*KINDS, *NEARLY], [0.2, 3.0]))
def test_what_the_quick_certificate_leaves_out_is_negligible(name, z, rng):
    law = law_of(nearly_multiples(rng, *NEARLY[name]) if name in NEARLY else np.rint(KINDS[name](rng)))
    tilted = tilt_to(law, above(law, z))
    ranges = quick_node_ranges(tilted)
    assert ranges is not None
    half, nodes = tilted.nodes // 2, DrawNodes(tilted)
    live = np.concatenate([np.arange(first, last + 1) for first, last in ranges])
    assert live.size < (half / 3 if name in NEARLY else 600)
    edges = [last + 1 for _, last in ranges] + [first - 1 for first, _ in ranges]
    # wherever most values are in phase: multiples of 10 and 100 in the user's units, and a little beside
    teeth = [round(tilted.nodes * tooth * law.scale / q) for q in (10, 100) for tooth in range(1, 20)]
    beside = [k + step for k in teeth for step in (-40, -3, -1, 0, 1, 3, 40)]
    looked_at = np.unique([*edges, *beside, *rng.integers(0, half, 200), *np.geomspace(1, half, 120).astype(np.int64)])
    for k in looked_at[~np.isin(looked_at, live)].tolist():
        if 0 <= k <= half:
            assert nodes.add(NodeSum(), k, k) <= math.exp(-CUTOFF) * 1.001


@pytest.mark.parametrize("name", KINDS)
def test_quick_and_patient_certificate_agree(name, rng, monkeypatch):
    law = law_of(np.rint(KINDS[name](rng)))
    point = above(law, 1.3)
    quick = invert(law, point)
    patient = live_node_ranges(tilt_to(law, point), LONGEST_FFT)
    monkeypatch.setattr(draw_inversion, "_CERTIFICATES", (lambda _: patient,))
    slow = invert(law, point)
    assert quick[2] == slow[2] == "lattice"
    assert max(quick[1], slow[1]) < 1e-9
    assert abs(math.expm1(quick[0] - slow[0])) <= quick[1] + slow[1]


def test_resurgence_is_found_by_the_quick_certificate_and_matters(rng, monkeypatch):
    law = law_of(nearly_multiples(rng, *NEARLY["hundreds but for two"]))
    point = above(law, 1.3)
    ranges = quick_node_ranges(tilt_to(law, point))
    assert ranges is not None
    assert len(ranges) > 3
    monkeypatch.setattr(draw_inversion, "_AFFORDABLE_SECONDS", math.inf)
    right = invert(law, point)
    assert right[2] == "lattice"
    patient = live_node_ranges(tilt_to(law, point), LONGEST_FFT)
    monkeypatch.setattr(draw_inversion, "_CERTIFICATES", (lambda _: patient,))
    assert abs(math.expm1(invert(law, point)[0] - right[0])) <= 2 * right[1]
    monkeypatch.setattr(draw_inversion, "_CERTIFICATES", (lambda _: ranges[:1],))
    blind = invert(law, point)
    assert abs(math.expm1(blind[0] - right[0])) > 1e-6


def test_wide_numbers_are_not_proved_by_a_short_scan(rng):
    law = law_of(np.rint(rng.normal(0, 1e12, 2000)))
    assert quick_node_ranges(tilt_to(law, above(law, 1))) is None


@pytest.mark.parametrize("name", ["six decimals", "t with 3 degrees of freedom", "half ties"])
def test_moments_give_the_nodes(name, rng):
    law = law_of(np.rint(KINDS[name](rng)))
    tilted = tilt_to(law, above(law, 1.1))
    values = (law.values - tilted.threshold // law.draws).astype(np.float64)
    reach = min(8.0 / tilted.deviation, 3.9 / max(-values[0], values[-1]))
    series = series_of(values, tilted.weights, reach)
    assert series is not None
    frequencies = reach * np.array([0.0, 0.01, 0.3, 0.77, 1.0])
    found, error = series.excess(frequencies)
    # phi - 1 in extended precision
    angles = frequencies[:, None].astype(np.longdouble) * values.astype(np.longdouble)
    real = (tilted.weights * -2 * np.sin(angles / 2) ** 2).sum(axis=1)
    imaginary = (tilted.weights * np.sin(angles)).sum(axis=1)
    off = np.hypot((found.real - real).astype(np.float64), (found.imag - imaginary).astype(np.float64))
    assert (off <= error).all()
    assert (error <= 1e-14 * np.maximum(frequencies * tilted.spread, 1e-300) * 3).all()
    # one moment fewer than the bound was made for would be seen
    assert (np.abs(found) > 0)[1:].all()


def test_moments_are_not_taken_where_they_would_be_many():
    assert series_of(np.array([-1.0, 0.0, 5.0]), np.full(3, 1 / 3), 1.0) is None


@pytest.mark.parametrize("name", KINDS)
def test_one_contour_serves_its_neighbourhood(name, rng):
    law = law_of(np.rint(KINDS[name](rng)))
    contour = contour_of(law, above(law, 1.9))
    for z in (0.9, 1.5, 1.8, 1.9001, 2.3, 3.0):
        point = above(law, z)
        there, own = contour.tail(point), invert(law, point)
        assert abs(math.expm1(there[0] - own[0])) <= there[1] + own[1]
        assert there[1] < 1e-8
    # a bound, not a promise: far away the terms cancel, or alias, and it says so
    far = contour.tail(above(law, 9.0))
    assert far[1] > 1e-4 or abs(math.expm1(far[0] - invert(law, above(law, 9.0))[0])) <= far[1]


def test_a_contour_over_the_whole_period(rng):
    law = law_of(rng.integers(0, 9, 40))
    contour = contour_of(law, above(law, 1.0))
    for point in range(above(law, 0.2), above(law, 3.0)):
        there, own = contour.tail(point), invert(law, point)
        assert abs(math.expm1(there[0] - own[0])) <= there[1] + own[1]
        assert there[1] < 1e-9


@pytest.mark.parametrize(("name", "most"), [("six decimals", 1), ("skewed", 1), ("hundredths", 1)])
def test_a_quantile_makes_one_contour(name, most, rng, monkeypatch):
    made = []

    def counting(law, threshold):
        made.append(threshold)
        return contour_of(law, threshold)

    monkeypatch.setattr(draw_paths, "contour_of", counting)
    monkeypatch.setattr(draw_inversion, "contour_of", counting)
    values = np.rint(KINDS[name](rng)).astype(np.int64)
    for upper in (False, True):
        made.clear()
        limit = draw_quantile(values, 0.025, upper=upper)
        assert len(made) == most
        sign = 1 if upper else -1
        outside = draw_tail(sign * values, sign * limit, strict=True).log_p
        reached = draw_tail(sign * values, sign * limit).log_p
        assert outside <= math.log(0.025) + 1e-11 < reached + 2e-11


def test_doubtful_tails_are_computed_on_their_own(rng, monkeypatch):
    # a contour that claims to know little must not decide near the level
    values = rng.integers(-900, 1000, 300)
    expected = draw_quantile(values, 0.025, upper=True)
    plain = Contour.tail
    monkeypatch.setattr(Contour, "tail", lambda self, at: draw_paths.Tail(plain(self, at)[0] + 1e-3, 2e-3, "inversion"))
    monkeypatch.setattr(
        draw_paths, "law_tail", lambda law, at: draw_paths.Tail(plain(contour_of(law, at), at)[0], 0, "")
    )
    assert draw_quantile(values, 0.025, upper=True) == expected
