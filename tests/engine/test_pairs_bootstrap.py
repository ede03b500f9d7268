"""All pairs by the bootstrap: equal to enumeration, to draws and to one pair at a time, whatever the threads."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nofluke.engine.draws import draw_tail
from nofluke.engine.pairs import bootstrap as pairs_bootstrap
from nofluke.engine.pairs import resonance
from nofluke.engine.pairs.bootstrap import Phases, all_pairs_bootstrap
from nofluke.engine.pairs.draw_saddlepoint import draw_saddle
from nofluke.engine.pairs.draws import describe
from nofluke.engine.pairs.trinomial import shift_bootstrap_tails
from nofluke.engine.resample import resampled_sums
from nofluke.errors import InputError

QUICK = settings(deadline=None, derandomize=True, max_examples=60)


def leaderboard(rng: np.random.Generator, n: int, systems: int, spread: float = 0.3, scale: float = 1e6) -> np.ndarray:
    ability = np.linspace(0, spread, systems)
    return np.rint((rng.normal(0, 1, (n, 1)) + ability + rng.normal(0, 0.7, (n, systems))) * scale).astype(np.int64)


def one_by_one(scores: np.ndarray) -> np.ndarray:
    systems = scores.shape[1]
    log_p = np.zeros((systems, systems))
    for i, j in itertools.permutations(range(systems), 2):
        d = scores[:, i] - scores[:, j]
        t = int(d.sum())
        log_p[i, j] = draw_tail(d, 2 * t).log_p if d.any() else 0.0
    return log_p


@QUICK
@given(
    st.integers(2, 3).flatmap(
        lambda k: st.lists(st.lists(st.integers(-3, 3), min_size=k, max_size=k), min_size=1, max_size=5)
    )
)
def test_small_tables_against_all_resamples(rows: list[list[int]]) -> None:
    scores = np.array(rows)
    tails = all_pairs_bootstrap(scores)
    n, systems = scores.shape
    resamples = np.array(list(itertools.product(range(n), repeat=n)))
    for i in range(systems):
        for j in range(systems):
            d = scores[:, i] - scores[:, j]
            share = float(np.mean(d[resamples].sum(axis=1) >= 2 * d.sum()))
            assert math.exp(tails.log_p[i, j]) == pytest.approx(share, rel=1e-10, abs=1e-13)


@pytest.mark.parametrize("n", [6, 7, 8])
def test_compositions(n: int, rng: np.random.Generator) -> None:
    scores = np.rint(rng.normal(0, 1, (n, 3)) * 1000).astype(np.int64)
    tails = all_pairs_bootstrap(scores)
    d = scores[:, 0] - scores[:, 1]
    p = 0.0
    for chosen in itertools.combinations_with_replacement(range(n), n):
        if sum(int(d[i]) for i in chosen) >= 2 * d.sum():
            ways = math.factorial(n)
            for count in np.bincount(chosen):
                ways //= math.factorial(int(count))
            p += ways / n**n
    assert math.exp(tails.log_p[0, 1]) == pytest.approx(p, rel=1e-10)


KINDS: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "real": lambda rng: leaderboard(rng, 1500, 12),
    "wide numbers": lambda rng: leaderboard(rng, 1500, 12, scale=1e11),
    "unequal spreads": lambda rng: leaderboard(rng, 900, 12) * (1 + 3 * (np.arange(12) % 3 == 0)),
    "Likert": lambda rng: np.clip(np.rint(rng.normal(3 + np.linspace(0, 0.2, 12), 1.2, (1500, 12))), 1, 5).astype(int),
    "constant shift of Likert": lambda rng: rng.integers(1, 6, (1500, 12)) * 1000 + np.arange(12) * 7,
    "nearly whole": lambda rng: (
        rng.integers(0, 3, (800, 12)) * 1000
        + np.where(rng.random((800, 12)) < 0.003, rng.integers(0, 1000, (800, 12)), 0)
    ),
    "skewed": lambda rng: np.rint(rng.lognormal(0, 1, (800, 12)) * 1e4).astype(np.int64),
    "few items": lambda rng: leaderboard(rng, 80, 12),
}


@pytest.mark.parametrize("kind", KINDS)
def test_equal_to_one_pair_at_a_time(kind: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    # the shared nodes are forced even where few pairs would not pay for them
    monkeypatch.setattr(pairs_bootstrap, "_PAIRS_PER_NODE", 0)
    scores = KINDS[kind](rng)[:, : 4 if kind == "nearly whole" else 8]
    tails, expected = all_pairs_bootstrap(scores), one_by_one(scores)
    difference = np.abs(np.exp(tails.log_p) - np.exp(expected))
    relative = np.abs(np.expm1(tails.log_p - expected))
    assert difference[tails.computed == "gram"].max(initial=0.0) < 3e-12
    assert (relative[tails.computed != "gram"] <= np.maximum(tails.bound[tails.computed != "gram"], 1e-9)).all()
    assert (difference <= np.maximum(tails.bound, 1e-11) * np.exp(expected) + 1e-15).all()
    if kind in ("real", "Likert", "wide numbers", "constant shift of Likert"):
        assert (tails.computed == "gram").sum() > 10
    if kind == "nearly whole":
        assert (tails.computed == "gram").sum() < 6


def test_nearly_whole_scores_need_the_search(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_bootstrap, "_PAIRS_PER_NODE", 0)
    monkeypatch.setattr(pairs_bootstrap, "draw_resonance", lambda *arrays: np.zeros_like(arrays[1]))
    scores = KINDS["nearly whole"](rng)[:, :3]
    difference = np.abs(np.exp(all_pairs_bootstrap(scores).log_p) - np.exp(one_by_one(scores)))
    assert difference.max() > 1e-6


@pytest.mark.parametrize("kind", ["real", "Likert", "nearly whole", "constant shift of Likert"])
def test_looking_at_some_items_first_changes_no_verdict(
    kind: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = np.ascontiguousarray(KINDS[kind](rng).T)
    pairs = describe(systems)
    deviation, step = np.zeros((len(systems),) * 2), np.zeros((len(systems),) * 2, np.int64)
    deviation[pairs.first, pairs.second], step[pairs.first, pairs.second] = pairs.deviation, pairs.step
    screened = resonance.draw_resonance(systems, deviation, step)
    monkeypatch.setattr(resonance, "_SOME_ITEMS", 10**9)
    whole = resonance.draw_resonance(systems, deviation, step)
    assert np.abs(screened - whole).max() < 2e-16
    assert (whole.max() > 1e-5) == (kind == "nearly whole")


def test_deep_tails_are_right_in_relative_terms(rng: np.random.Generator) -> None:
    scores = leaderboard(rng, 1000, 6, spread=1.0)
    exact, usual = all_pairs_bootstrap(scores, deep="exact"), all_pairs_bootstrap(scores)
    expected = one_by_one(scores)
    deep = expected < math.log(1e-8)
    assert deep.sum() >= 8
    assert expected.min() < math.log(1e-30)
    assert exact.exact[deep].all()
    assert np.abs(np.expm1(exact.log_p - expected))[deep].max() < 1e-9
    assert (usual.computed[deep] == "saddlepoint").all()
    error = np.abs(np.expm1(usual.log_p - expected))[deep]
    assert (error <= usual.bound[deep]).all()
    assert error.max() < 1e-6


# About thrice what was seen in the worst of eight tails.
DRAW_ERRORS = {60: 3e-3, 300: 1e-4, 2000: 2e-6}


@pytest.mark.parametrize("n", DRAW_ERRORS)
def test_error_of_the_draw_saddlepoint_by_number_of_items(n: int, rng: np.random.Generator) -> None:
    for z in (1.5, 3.0, 5.0, 6.5):
        d = np.rint(rng.normal(0, 1, n) * 1e6).astype(np.int64)
        d -= round(d.mean())
        deviation = math.sqrt(float(d @ d))
        threshold = int(z * deviation + d.sum())
        values = (d - d.mean())[None] / deviation
        x = np.array([(threshold - d.sum()) / deviation])
        log_tail, _, error = draw_saddle(values, x, np.array([0.5 / deviation]), n)
        off = abs(math.expm1(float(log_tail[0]) - draw_tail(d, threshold).log_p))
        assert off < DRAW_ERRORS[n]
        assert off < float(error[0])


def test_agrees_with_draws(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_bootstrap, "_PAIRS_PER_NODE", 0)
    scores = leaderboard(rng, 500, 6, spread=0.1)
    tails, resamples = all_pairs_bootstrap(scores), 20_000
    sums, totals = resampled_sums(scores, resamples, seed=5), scores.sum(axis=0)
    for i, j in itertools.permutations(range(6), 2):
        seen = int(np.count_nonzero(sums[:, i] - sums[:, j] >= 2 * (totals[i] - totals[j])))
        p = math.exp(tails.log_p[i, j])
        assert abs(seen - resamples * p) < 4 * math.sqrt(resamples * p * (1 - p)) + 1


def test_zeros_and_ones_by_counts(rng: np.random.Generator) -> None:
    scores = (rng.random((400, 12)) < np.linspace(0.4, 0.75, 12)).astype(np.int64)
    tails, expected = all_pairs_bootstrap(scores), one_by_one(scores)
    assert tails.exact.all()
    assert np.abs(np.expm1(tails.log_p - expected)).max() < 1e-10
    assert expected.min() < math.log(1e-12)


@QUICK
@given(st.integers(1, 60), st.data())
def test_trinomial_tails_against_convolution(n: int, data: st.DataObject) -> None:
    ahead = data.draw(st.integers(0, n))
    behind = data.draw(st.integers(0, min(ahead, n - ahead)))
    law = np.array([1.0])
    for _ in range(n):
        law = np.convolve(law, np.array([behind, n - ahead - behind, ahead]) / n)
    threshold = 2 * (ahead - behind)
    expected = float(law[n + threshold :].sum()) if threshold <= n else 0.0
    log_p, point = shift_bootstrap_tails(n, np.array([ahead]), np.array([behind]))
    assert math.exp(log_p[0]) == pytest.approx(expected, rel=1e-11, abs=0)
    assert point[0] == pytest.approx(float(law[n + threshold]) if threshold <= n else 0.0, rel=1e-9, abs=1e-14)


def test_what_no_resample_reaches(rng: np.random.Generator) -> None:
    base = rng.integers(0, 9, (20, 1))
    tails = all_pairs_bootstrap(np.hstack((base, base + 3, base)))
    assert tails.log_p[1, 0] == -math.inf
    assert tails.log_p[0, 1] == 0.0
    assert tails.log_p[0, 2] == tails.log_p[2, 0] == 0.0
    binary = all_pairs_bootstrap(np.array([[1, 0], [1, 0], [1, 0], [1, 1]]))
    assert binary.log_p[0, 1] == -math.inf
    assert binary.log_p[1, 0] == 0.0


def test_permuting_systems_permutes_the_table(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_bootstrap, "_PAIRS_PER_NODE", 0)
    scores = leaderboard(rng, 600, 8)
    order = rng.permutation(8)
    p, moved = (np.exp(all_pairs_bootstrap(s).log_p) for s in (scores, scores[:, order]))
    assert np.allclose(moved, p[np.ix_(order, order)], rtol=0, atol=3e-12)
    point = p + p.T - 1 - np.eye(8)
    assert np.abs(point).max() < 1e-7


def test_means_of_phases_are_right(rng: np.random.Generator) -> None:
    scores = rng.normal(0, 1, (7, 700))
    waves = np.exp(0.3j * scores)
    assert np.abs(Phases(scores).means(0.3) - waves @ waves.conj().T / 700).max() < 1e-14


SCRIPT = """
import hashlib, numpy as np
from nofluke.engine.pairs import bootstrap as pairs_bootstrap
from nofluke.engine.pairs import resonance
pairs_bootstrap._PAIRS_PER_NODE = 0
rng = np.random.default_rng(1)
scores = np.rint(rng.normal(np.linspace(0, 0.1, 20), 1, (700, 20)) * 1e6).astype(np.int64)
tails = pairs_bootstrap.all_pairs_bootstrap(scores)
print((tails.computed == "gram").sum() > 250, hashlib.sha256(tails.log_p.tobytes()).hexdigest())
"""


def test_the_bytes_do_not_depend_on_the_number_of_threads() -> None:
    def digest(threads: str) -> str:
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        environment = os.environ | dict.fromkeys(names, threads)
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    single = digest("1")
    assert single.startswith("True ")
    assert digest("2") == single


def test_refusals() -> None:
    with pytest.raises(InputError, match="deep = 'rough'"):
        all_pairs_bootstrap(np.zeros((3, 2), dtype=np.int64), deep="rough")  # type: ignore[arg-type]


def test_giants_of_other_systems_leave_a_pair_its_digits():
    """One system has giants on four items: what all are taken from to keep phases small must not round the others'."""
    rng = np.random.default_rng(5)
    scores = rng.integers(-300, 300, (60, 5)) + np.array([0, 20, 90, 150, 160])
    scores[:4, 0] = [10**11, 2 * 10**11, 3 * 10**11, 4 * 10**11]
    tails = all_pairs_bootstrap(scores)
    for i in range(1, 5):
        for j in range(1, 5):
            differences = scores[:, i] - scores[:, j]
            if differences.sum() > 0:
                expected = draw_tail(differences, 2 * int(differences.sum()))
                off = abs(math.expm1(tails.log_p[i, j] - expected.log_p))
                assert off <= max(float(tails.bound[i, j]), 1e-12) + expected.bound
