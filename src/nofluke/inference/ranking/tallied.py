"""Tests of all pairs from tallies of their differences: sign flips, t, McNemar's and the sign test."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.flips import Exactness, tallied_flips
from nofluke.engine.pairs.tallies import PairTallies
from nofluke.engine.tail import between
from nofluke.errors import MethodError
from nofluke.forms import OF_TALLIES
from nofluke.inference.ranking.panel import FEW_PAIRS, PairTable, Settings, binomial_table, exactly, from_disk
from nofluke.laws.tails import log_t_tails
from nofluke.types import Grid, IntArray, Items, note

# What is left of a tail's relative error where sizes were rounded to their places and their squares kept.
_ROUNDED = 1e-6


def in_whole_steps(how: tuple[Grid, int], path: Path) -> IntArray:
    """Read a part of the items as whole numbers of steps, higher = better."""
    grid, sign = how
    numbers = sign * to_integers(np.load(path, mmap_mode="r"), grid)
    if numbers.dtype == object:
        raise MethodError("the scores need more than 64 bits.", fix="round them, or give them on another scale.")
    return numbers


@OF_TALLIES.register("mcnemar", knows={"mode": ("exact",), "continuity": (False,)})
def _mcnemar(items: Items, tallies: PairTallies, settings: Settings) -> PairTable:
    if items.different != (0.0, 1.0):
        raise MethodError("mcnemar compares scores of 0 and 1, and these are others.", fix="use another test.")
    return _signs(items, tallies, settings)


@OF_TALLIES.register("sign", knows={"tie_width": (0.0,), "snap": (True,)})
def _signs(_items: Items, tallies: PairTallies, _settings: Settings) -> PairTable:
    ahead, behind = tallies.table(tallies.ahead), tallies.table(tallies.behind)
    return binomial_table((ahead + behind.T).astype(np.int64))


@OF_TALLIES.register("permutation", knows={"form": ("studentized",), "stop": ("never",)})
def _flips(items: Items, tallies: PairTallies, settings: Settings) -> PairTable:
    pairs = len(items.systems) * (len(items.systems) - 1) // 2
    every = settings.exact == "all" or pairs <= FEW_PAIRS
    slack = 0 if items.grid.exact else 2 * items.n
    sign = 1 if items.higher_is_better else -1

    def differences(i: int, j: int) -> IntArray:
        if tallies.exact:
            return tallies.differences(i, j)
        # Rounded to places they would be others: the items themselves are read.
        both = to_integers(from_disk(items, i, j).statistics[:, :, 0], items.grid)
        found: IntArray = sign * (both[:, 0] - both[:, 1])
        return found

    def exact(i: int, j: int) -> tuple[float, float, str]:
        d, lead = differences(i, j), tallies.totals[i] - tallies.totals[j]
        tail = flip_tail(d, lead - slack, enough=0.0)
        if slack:
            tail = between(tail, flip_tail(d, lead + slack, enough=0.0))
        return tail.log_p, tail.bound, exactly(tail.bound)

    some = in_whole_steps((items.grid, sign), items.files[0])[list(items.rows)]
    how: Exactness = "all" if every else "none" if settings.exact == "none" else "near"
    tails = tallied_flips(tallies, differences, some, exact=how, slack=slack, progress=settings.progress)
    bound = tails.bound if tallies.exact else np.where(tails.exact, tails.bound, np.maximum(tails.bound, _ROUNDED))
    return PairTable(tails.log_p, tails.computed, bound, "exact_if_swappable", exact=exact)


@OF_TALLIES.register("paired_t")
def _paired_t(_items: Items, tallies: PairTallies, _settings: Settings) -> PairTable:
    squares, _ = tallies.moments()
    n, systems = tallies.n, len(tallies.totals)
    upper = np.triu_indices(systems, 1)
    led = np.array([float(tallies.totals[i] - tallies.totals[j]) for i, j in zip(*upper, strict=True)])
    varied = squares > 0
    error = np.sqrt(np.where(varied, squares, 1.0) / (n - 1) / n)
    t = np.where(varied, led / n / error, np.where(led == 0, 0.0, np.nan))
    log_p = np.zeros((systems, systems))
    log_p[upper], log_p.T[upper] = log_t_tails(t, n - 1), log_t_tails(-t, n - 1)
    same = (tallies.ahead + tallies.behind) == 0
    log_p[upper], log_p.T[upper] = np.where(same, 0.0, log_p[upper]), np.where(same, 0.0, log_p.T[upper])
    undefined = int(np.isnan(t).sum())
    notes = (note("rank.t_undefined", pairs=undefined),) if undefined else ()
    return PairTable(log_p, np.full(log_p.shape, "exact", "<U11"), np.zeros(log_p.shape), "normal_differences", notes)
