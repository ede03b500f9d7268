"""Wilcoxon's signed-rank and rank-sum tests for all pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.decimals import to_integers
from nofluke.forms import OF_ALL_PAIRS
from nofluke.inference.omnibus.ranked import doubled_positions
from nofluke.inference.ranking.flip_rows import BothTails, Rows, by_flips, flip_rows
from nofluke.inference.ranking.panel import PairTable, Settings, all_exact, exactly, oriented, oriented_floats
from nofluke.inference.tests.mann_whitney import refuse_continuity
from nofluke.inference.tests.wilcoxon import refuse_settings
from nofluke.laws.rank_sum import cost, count_pairs, exact_tails, normal_tails
from nofluke.laws.signed_rank import COUNTED_UP_TO, subset_sums
from nofluke.types import IntArray, Sample

_BLOCK = 1 << 19
# Seconds for which all signed-rank tails are counted out; beyond, the saddlepoint serves and only what matters is.
_PATIENCE = 2.0
# Additions that the exact rank-sum distribution of one pair may take, as in the single test.
_RANK_SUM_COST = 2e8


@OF_ALL_PAIRS.register(
    "wilcoxon",
    knows={
        "zeros": ("drop",),
        "mode": ("auto", "exact", "normal"),
        "continuity": None,
        "snap": (True, False),
    },
    approximates=True,
)
def wilcoxon(sample: Sample, settings: Settings) -> PairTable:
    """Signed-rank tests: exact, or by the tie-corrected normal approximation with mode="normal"."""
    mode, continuity = settings.options.get("mode", "auto"), bool(settings.options.get("continuity", False))
    refuse_settings(mode, "drop", continuity)
    snap = settings.options.get("snap", True)
    scores: npt.NDArray[Any] = oriented(sample) if snap else oriented_floats(sample)
    size = scores.shape[1]
    if mode == "normal":
        return _normal(scores, continuity)
    pairs = size * (size - 1) // 2
    every = all_exact(settings, sample.n, size) or pairs * _seconds(sample.n) <= _PATIENCE
    table = flip_rows(
        signed_rank_rows(scores),
        size,
        exact_all=every,
        validity="exact",
        exact_tails=rank_tails,
        progress=settings.progress,
    )

    def exact(i: int, j: int) -> tuple[float, float, str]:
        row = signed_ranks_of((scores[:, i] - scores[:, j])[None, :])[0]
        led = int(row.sum())
        tails = rank_tails(np.abs(row), abs(led))
        return (tails.ahead if led >= 0 else tails.behind), tails.bound, exactly(tails.bound)

    return PairTable(table.log_p, table.computed, table.bound, table.validity, exact=exact)


def rank_tails(sizes: IntArray, led: int) -> BothTails:
    """Give both tails of W+ - W- at `led` >= 0: counted out for few ranks, once for both, else inverted."""
    ranks = sizes[sizes > 0]
    if not ranks.size:
        return BothTails(0.0, 0.0, 0.0)
    if ranks.size > COUNTED_UP_TO:
        return by_flips(ranks, led)
    step, total = int(np.gcd.reduce(ranks)), int(ranks.sum())
    # The rank sum of one sign, T = (total - signed sum) / 2, is at most half of what `led` leaves.
    chances = subset_sums(ranks // step, (total - led) // 2 // step)
    reached = float(chances.sum())
    return BothTails(math.log(reached), math.log1p(float(chances[-1]) - reached), 0.0)


def _seconds(n: int) -> float:
    """About how long one exact tail takes: counted up to 200 ranks, inverted beyond."""
    return 1e-4 + 1e-3 * (n / 130) ** 2 if n <= COUNTED_UP_TO else 5e-3


def signed_ranks_of(differences: npt.NDArray[Any]) -> IntArray:
    """Give the doubled signed mid-ranks of the sizes in every row; zeros are dropped before ranking and rank 0."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1, kind="stable")
    ordered = np.take_along_axis(sizes, order, axis=1)
    zeros = np.count_nonzero(ordered == 0, axis=1)[:, None]
    doubled = doubled_positions(ordered) - 2 * zeros
    signs = np.sign(np.take_along_axis(differences, order, axis=1)).astype(np.int64)
    # The order of items does not matter from here on: only the signed ranks do.
    signed: IntArray = signs * doubled
    return signed


def signed_rank_rows(scores: npt.NDArray[Any]) -> Iterator[Rows]:
    """Give the signed ranks of all pairs, a bounded number at a time."""
    n, size = scores.shape
    columns = np.ascontiguousarray(scores.T)
    together = max(1, _BLOCK // n)
    for i in range(size - 1):
        for start in range(i + 1, size, together):
            second = np.arange(start, min(size, start + together))
            yield Rows(np.full(second.size, i), second, signed_ranks_of(columns[i] - columns[second]))


def _normal(scores: npt.NDArray[Any], continuity: bool) -> PairTable:
    from scipy.special import log_ndtr

    size = scores.shape[1]
    log_p = np.zeros((size, size))
    # W+ - E W+ is a quarter of the doubled W+ - W-, so half a unit of W+ is 2 here.
    correction = 2.0 if continuity else 0.0
    for first, second, values, _ in signed_rank_rows(scores):
        led = values.sum(axis=1).astype(np.float64)
        squares = np.einsum("ij,ij->i", values.astype(np.float64), values.astype(np.float64))
        spread = np.sqrt(np.where(squares > 0, squares, 1.0))
        some = squares > 0
        log_p[first, second] = np.where(some, log_ndtr((correction - led) / spread), 0.0)
        log_p[second, first] = np.where(some, log_ndtr((correction + led) / spread), 0.0)
    return PairTable(log_p, np.full(log_p.shape, "normal", "<U11"), np.zeros(log_p.shape), "asymptotic")


@OF_ALL_PAIRS.register("mann_whitney", knows={"mode": None, "continuity": None, "snap": None}, groups=True)
def mann_whitney(sample: Sample, settings: Settings) -> PairTable:
    """Rank-sum tests of independent groups of scores, higher = better."""
    refuse_continuity(settings.options.get("mode", "auto"), bool(settings.options.get("continuity", False)))
    groups = _groups(sample, snap=bool(settings.options.get("snap", True)))
    size = len(groups)
    mode, continuity = settings.options.get("mode", "auto"), bool(settings.options.get("continuity", False))
    log_p = np.zeros((size, size))
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    computed = np.full(log_p.shape, "exact", "<U11")
    for done, (i, j) in enumerate(pairs, start=1):
        found = count_pairs(groups[i], groups[j])
        exact = mode == "exact" or (mode == "auto" and cost(found.n_a, found.n_b) <= _RANK_SUM_COST)
        computed[i, j] = computed[j, i] = "exact" if exact else "normal"
        log_p[i, j], log_p[j, i] = exact_tails(found) if exact else normal_tails(found, continuity)
        if settings.progress is not None:
            settings.progress(done, len(pairs))
    validity = "exact" if (computed == "exact").all() else "asymptotic"
    return PairTable(np.minimum(log_p, 0.0), computed, np.zeros(log_p.shape), validity)


def _groups(sample: Sample, *, snap: bool) -> list[Any]:
    sign = 1 if sample.higher_is_better else -1
    groups = [sample.scores(index) for index in range(len(sample.systems))]
    return [sign * (to_integers(group, sample.grid) if snap else group) for group in groups]
