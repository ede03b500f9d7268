"""All pairs by sign flips: counting equal sizes instead of going through the items changes no tail."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.engine.pairs import sizes
from nofluke.engine.pairs.flips import POOR, all_pairs_flips
from nofluke.engine.pairs.sign_tails import CENTRE, flip_saddle, invert_lobe
from nofluke.engine.pairs.sizes import pair_sizes
from nofluke.engine.pairs.table import PairTails, checked


def listed(scores: np.ndarray, **options: object) -> PairTails:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sizes, "_TALLIED", math.inf)
        return all_pairs_flips(scores, **options)  # type: ignore[arg-type]


def agree(scores: np.ndarray, **options: object) -> None:
    """Assert that both ways give the same tails, and say the same of their errors."""
    tallied, expected = all_pairs_flips(scores, **options), listed(scores, **options)  # type: ignore[arg-type]
    assert (tallied.computed == expected.computed).all()
    assert np.array_equal(tallied.log_p[expected.exact], expected.log_p[expected.exact])
    # Going through the items repeats the rounding of equal sizes, which 1/w^3 magnifies near the centre.
    assert np.allclose(tallied.log_p, expected.log_p, rtol=1e-12, atol=2e-9)
    assert np.allclose(tallied.bound, expected.bound, rtol=1e-5, atol=1e-9)


KINDS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "decimals": lambda rng, n: np.rint(rng.beta(4, 3, (n, 5)) * 100 + np.arange(5)).astype(np.int64),
    "ratings": lambda rng, n: rng.integers(1, 6, (n, 5)),
    "ratings on a finer grid": lambda rng, n: rng.integers(1, 6, (n, 5)) * 250 + 7,
    "one system far ahead": lambda rng, n: rng.integers(0, 9, (n, 5)) + np.array([0, 0, 1, 2, 9]),
    "few differences": lambda rng, n: np.where(rng.random((n, 5)) < 0.05, rng.integers(0, 30, (n, 5)), 3),
    "outliers": lambda rng, n: np.where(np.arange(n)[:, None] < 2, 25 * np.arange(5), rng.integers(0, 4, (n, 5))),
    "near a grid": lambda rng, n: rng.integers(0, 3, (n, 5)) * 31 + (rng.random((n, 5)) < 0.01),
    "equal systems": lambda rng, n: np.repeat(rng.integers(0, 4, (n, 2)), (2, 3), axis=1),
}


@pytest.mark.parametrize("n", [420, 3_000])
@pytest.mark.parametrize("kind", KINDS)
def test_tallied_and_listed_sizes_give_the_same_tails(kind: str, n: int, rng: np.random.Generator) -> None:
    scores = KINDS[kind](rng, n)
    assert any(pairs.counts is not None for pairs in pair_sizes(checked(scores)))
    for how in ("none", "near"):
        agree(scores, exact=how)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.integers(0, 2**32),
    st.integers(40, 400),
    st.integers(1, 12),
    st.integers(1, 1000),
    st.floats(0.0, 0.9),
)
def test_any_whole_scores_give_the_same_tails(seed: int, n: int, top: int, step: int, same: float) -> None:
    rng = np.random.default_rng(seed)
    scores = step * np.where(rng.random((n, 4)) < same, 0, rng.integers(0, top + 1, (n, 4)))
    agree(scores, exact="none")


def test_what_pairs_have_in_common_is_the_same(rng: np.random.Generator) -> None:
    systems = checked(
        np.where(rng.random((900, 30)) < 0.3, 0, rng.integers(0, 5, (900, 30)) * 6 * (1 + np.arange(30) % 2))
    )
    tallied = list(pair_sizes(systems))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sizes, "_TALLIED", math.inf)
        items = list(pair_sizes(systems))
    for name in ("others", "ahead", "nonzero", "step", "widest"):
        both = [np.concatenate([getattr(part, name) for part in parts]) for parts in (tallied, items)]
        assert np.array_equal(*both), name
    assert {int(step) for pairs in tallied for step in pairs.step} == {6, 12}
    firsts = [np.concatenate([np.full(part.others.size, part.first) for part in parts]) for parts in (tallied, items)]
    assert np.array_equal(*firsts)


@pytest.mark.parametrize("x", [CENTRE * 1.01, 0.5, 3.0])
def test_a_million_equal_sizes_keep_their_digits(x: float) -> None:
    # Normal but for the fourth cumulant, of the order of one millionth; rounding once per item would cost 5e-7.
    values, counts = np.array([1.0, 2.0]), np.array([[700_000.0, 300_000.0]])
    deviation = math.sqrt(float(counts[0] @ values**2))
    fourth = -2.0 * float(counts[0] @ values**4) / deviation**4
    density = math.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi)
    expected = math.erfc(x / math.sqrt(2.0)) / 2.0 + fourth / 24.0 * (x**3 - 3.0 * x) * density
    saddle = flip_saddle(values[None] / deviation, np.array([x]), np.array([1e-12]), counts)
    assert math.exp(saddle.log_tail[0]) == pytest.approx(expected, rel=1e-9)


def test_a_lobe_of_counted_sizes_is_that_of_the_items() -> None:
    values, counts = np.array([1.0, 2.0, 3.0, 50.0]), np.array([[150.0, 0.0, 90.0, 1.0]])
    deviation = math.sqrt(float(counts[0] @ values**2))
    items = np.repeat(values, counts[0].astype(np.int64))[None] / deviation
    x, half = np.array([2.1]), np.array([1.0 / deviation])
    tilt = flip_saddle(items, x, half).tilt
    for ours, theirs in zip(
        invert_lobe(values[None] / deviation, x, half, tilt, counts), invert_lobe(items, x, half, tilt), strict=True
    ):
        assert ours == pytest.approx(theirs, rel=1e-10)
    assert flip_saddle(items, x, half).error[0] > POOR
