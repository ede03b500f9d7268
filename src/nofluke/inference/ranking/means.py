"""Tests of mean differences for all pairs: sign flips, the t-test, the bootstrap; McNemar's and the sign test."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from nofluke.align.counts import paired_counts
from nofluke.align.exact_sums import largest, summable
from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.binary import two_valued, wins
from nofluke.engine.pairs.bootstrap import all_pairs_bootstrap
from nofluke.engine.pairs.flips import Exactness, all_pairs_flips
from nofluke.engine.pairs.table import PairTails, blocks, checked, totals
from nofluke.engine.tail import EXACT_BOUND, between
from nofluke.errors import MethodError
from nofluke.forms import OF_ALL_PAIRS
from nofluke.inference.ranking.panel import (
    FEW_UNITS,
    PairTable,
    Settings,
    all_exact,
    binomial_table,
    exactly,
    oriented,
    oriented_floats,
    pair_of,
    units_to_flip,
)
from nofluke.inference.ranking.weighed_wins import weighed_wins
from nofluke.inference.resampling.rounded_flips import Flipped
from nofluke.inference.tests.run import run_test
from nofluke.laws.tails import log_t_tails
from nofluke.types import FloatArray, IntArray, Note, Sample, note

# Columns whose differences have less than this share of their squares are subtracted one by one.
_ALIKE = 1e-6
# Below, the bootstrap is too optimistic in the far tails that a family of many tests needs.
_ENOUGH_TO_RESAMPLE = 500
# Bootstrap tails that may be off by more than this part of themselves are drawn, so many times.
_ROUGH, _DRAWS = 0.01, 99_999


@OF_ALL_PAIRS.register(
    "permutation", knows={"form": ("studentized",), "stop": ("never",)}, clusters=True, averages=True, approximates=True
)
def flips(sample: Sample, settings: Settings) -> PairTable:
    """Paired permutation tests of the mean; with clusters their totals are flipped."""
    flipped = units_to_flip(sample)
    units, slack = flipped.values, flipped.slack
    # "near": wherever the saddlepoint may be off by more than one in a thousand, the tail is inverted.
    how: Exactness = "all" if all_exact(settings, *units.shape) else "none" if settings.exact == "none" else "near"
    tails = _of_counts(sample, exact=how == "all")
    if tails is None:
        tails = all_pairs_flips(units, exact=how, slack=slack, progress=settings.progress)

    def exact(i: int, j: int) -> tuple[float, float, str]:
        differences = units[:, i] - units[:, j]
        lead = sum(differences.tolist())
        tail = flip_tail(differences, lead - slack, enough=0.0)
        if slack:
            tail = between(tail, flip_tail(differences, lead + slack, enough=0.0))
        if flipped.doubt:
            tail = Flipped(differences, None, flipped.doubt).with_doubt(tail)
        return tail.log_p, tail.bound, exactly(tail.bound)

    bound = tails.bound + _doubt(units, slack + flipped.doubt)
    if slack and len(units) <= FEW_UNITS:
        bound = np.maximum(bound, _uncertain_ties(units, slack, tails.log_p))
    computed = np.where((tails.computed == "exact") & (bound >= EXACT_BOUND), exactly(1.0), tails.computed)
    return PairTable(tails.log_p, computed, bound, "exact_if_swappable", exact=exact)


def _of_counts(sample: Sample, *, exact: bool) -> PairTails | None:
    """Right and wrong answers on datasets that count differently need only be counted; None for other scores."""
    strata = sample.strata
    if strata is None or strata.pooled or sample.clusters is not None:
        return None
    scores = oriented(sample)
    if not two_valued(scores) or scores.min() == scores.max():
        return None
    width = int(scores.max()) - int(scores.min())
    return weighed_wins(scores, strata.codes, tuple(width * one for one in strata.multipliers), exact=exact)


def _uncertain_ties(units: IntArray, slack: int, log_p: FloatArray) -> FloatArray:
    """Give the share of each tail that is there by ties which rounding may have made.

    Few units have no smooth law: each difference is moved up by its rounding, after which no sum ties by chance.
    """
    size, each = units.shape[1], -(-slack // len(units))
    share = np.zeros((size, size))
    for i, j in itertools.permutations(range(size), 2):
        d = units[:, i] - units[:, j]
        moved = summable(d.astype(object) + np.where(d == 0, 0, each))
        share[i, j] = -math.expm1(min(0.0, flip_tail(moved, int(moved.sum()), enough=0.0).log_p - log_p[i, j]))
    return np.where(share > EXACT_BOUND, share, 0.0)


def _doubt(units: IntArray, slack: int) -> FloatArray:
    """Give the share of each tail that lies within the rounding of sums, by the hazard of the normal law."""
    size = units.shape[1]
    if not slack:
        return np.zeros((size, size))
    unit = max(float(largest(units)), 1.0)
    values = units / unit
    products, sums = values.T @ values, values.sum(axis=0)
    own = products.diagonal()
    squares = own[:, None] + own - 2.0 * products
    # Of systems that are nearly the same the products cancel: these are subtracted.
    for i, j in np.argwhere(squares <= _ALIKE * (own[:, None] + own)).tolist():
        d = (units[:, i] - units[:, j]) / unit
        squares[i, j] = float(d @ d)
    spread = np.sqrt(np.maximum(squares, 1.0 / unit**2))
    doubt = 2.5 * slack / unit * (np.maximum(np.subtract.outer(sums, sums) / spread, 0.0) + 0.8) / spread
    return np.where(squares == 0, 0.0, doubt)


@OF_ALL_PAIRS.register("mcnemar", knows={"mode": ("exact",), "continuity": (False,)})
def mcnemar(sample: Sample, settings: Settings) -> PairTable:  # noqa: ARG001 (all bulk tests are called alike)
    """McNemar's exact tests: one product of matrices counts who is right where."""
    for index in range(len(sample.systems)):
        if not np.isin(sample.scores(index), (0.0, 1.0)).all():
            paired_counts(pair_of(sample, index, index - 1), "mcnemar")  # says which score is neither 0 nor 1
    right = oriented(sample)
    better = wins(np.ascontiguousarray(right.T)) if right.min() != right.max() else np.zeros((right.shape[1],) * 2, int)
    return binomial_table(better)


@OF_ALL_PAIRS.register("sign", knows={"tie_width": (0.0,), "snap": (True, False)})
def sign(sample: Sample, settings: Settings) -> PairTable:
    """Sign tests: on how many items is each system the better one?"""
    scores = oriented(sample) if settings.options.get("snap", True) else oriented_floats(sample)
    size = scores.shape[1]
    better = np.zeros((size, size), dtype=np.int64)
    for i in range(size):
        better[i] = (scores[:, i : i + 1] > scores).sum(axis=0)
    return binomial_table(better)


@OF_ALL_PAIRS.register("paired_t")
def paired_t(sample: Sample, settings: Settings) -> PairTable:
    """Paired t-tests, from sums of squares of whole differences where scores are exact decimals."""
    n, size = sample.n, len(sample.systems)
    if n < 2:
        raise MethodError(
            "a t-test needs at least 2 items, and there is 1: one difference has no spread.",
            fix="score more items, or use method 'sign' (whose p-value is 1 for a single item).",
        )
    t = _t_of_integers(oriented(sample)) if sample.grid.exact else _t_of_floats(sample)
    log_p, same = np.zeros((size, size)), np.isneginf(t)
    upper = np.triu_indices(size, 1)
    log_p[upper], log_p.T[upper] = log_t_tails(t[upper], n - 1), log_t_tails(-t[upper], n - 1)
    # Systems that do not differ at all have p = 1 on both sides.
    log_p[same | same.T] = 0.0
    undefined = int(np.isnan(t[upper]).sum())
    notes = (note("rank.t_undefined", pairs=undefined),) if undefined else ()
    if settings.progress is not None:
        settings.progress(1, 1)
    shape = log_p.shape
    return PairTable(
        log_p,
        np.full(shape, "exact", "<U11"),
        np.zeros(shape),
        "normal_differences",
        notes,
    )


def _t_of_integers(scores: IntArray) -> FloatArray:
    systems = checked(scores)
    size, n = systems.shape
    sums = totals(systems)
    t = np.zeros((size, size))
    for block in blocks(systems):
        led = [sums[block.first] - sums[j] for j in block.others.tolist()]
        # Centring on the nearest whole number keeps the values whole, and the rest within half a step.
        pivots = [(2 * total + n) // (2 * n) for total in led]
        centred = (block.differences - np.array(pivots)[:, None]).astype(np.float64)
        rest = np.array([total - n * pivot for total, pivot in zip(led, pivots, strict=True)], dtype=np.float64)
        squares = np.einsum("ij,ij->i", centred, centred) - rest * rest / n
        constant = (block.differences == block.differences[:, :1]).all(axis=1)
        t[block.first, block.others] = _quotient(np.array([float(total) for total in led]) / n, squares, n, constant)
    return t


def _t_of_floats(sample: Sample) -> FloatArray:
    values, whole = oriented_floats(sample), oriented(sample)
    n, size = values.shape
    t = np.zeros((size, size))
    for i in range(size - 1):
        d = values[:, i : i + 1] - values[:, i + 1 :]
        steps = whole[:, i : i + 1] - whole[:, i + 1 :]
        d = np.where(steps == 0, 0.0, d)
        mean = np.array([math.fsum(column) / n for column in d.T.tolist()])
        centred = d - mean
        unit = np.maximum(np.abs(centred).max(axis=0), 1e-300)
        centred /= unit
        squares = (centred**2).sum(axis=0) - centred.sum(axis=0) ** 2 / n
        t[i, i + 1 :] = _quotient(mean / unit, squares, n, (steps == steps[:1]).all(axis=0))
    return t


def _quotient(mean: FloatArray, squares: FloatArray, n: int, constant: np.ndarray) -> FloatArray:
    """Mean over standard error; without spread t is undefined, and 0 for systems that do not differ at all."""
    error = np.sqrt(np.where(constant, 1.0, squares / (n - 1) / n))
    t: FloatArray = np.where(constant, np.where(mean == 0, 0.0, np.nan), mean / error)
    # -inf stands for identical systems.
    return np.where(constant & (mean == 0), -np.inf, t)


@OF_ALL_PAIRS.register(
    "bootstrap", knows={"form": ("shift",), "recentre": ("observed",), "two_sided": ("doubled",)}, approximates=True
)
def bootstrap(sample: Sample, settings: Settings) -> PairTable:
    """Bootstrap tests of the mean, shift form, without draws."""
    tails = all_pairs_bootstrap(
        oriented(sample), deep="exact" if settings.exact == "all" else "saddlepoint", progress=settings.progress
    )
    beyond = np.isneginf(tails.log_p)
    notes: tuple[Note, ...] = (note("rank.bootstrap_undefined", pairs=beyond.sum()),) if beyond.any() else ()
    if sample.n < _ENOUGH_TO_RESAMPLE:
        notes += (note("rank.bootstrap_optimistic", n=sample.n, enough=_ENOUGH_TO_RESAMPLE),)
    log_p = np.where(beyond, np.nan, tails.log_p)
    # Where several scores outweigh all others on both sides, an inversion may know next to nothing: these are drawn.
    rough = np.argwhere((tails.bound > _ROUGH) & ~beyond).tolist()
    computed, bound = tails.computed.copy(), tails.bound.copy()
    for i, j in rough:
        drawn = run_test(
            pair_of(sample, i, j), "bootstrap", alternative="greater", monte_carlo=_DRAWS, seed=settings.seed
        )
        log_p[i, j], computed[i, j] = drawn.log_p_value, drawn.computed.how
        bound[i, j] = drawn.computed.error / drawn.p_value
    table = PairTable(log_p, computed, bound, "asymptotic", notes)
    return replace(table, resamples=_DRAWS, seed=settings.seed) if rough else table
