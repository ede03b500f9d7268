"""Sign-flip permutation tests of the mean for all pairs of systems: saddlepoint for all, exact where it matters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.binary import BINOMIAL_BOUND, fair_binomial_tails, two_valued, wins
from nofluke.engine.pairs.low_resonance import low_resonance
from nofluke.engine.pairs.resonance import LOBE, flip_resonance
from nofluke.engine.pairs.sign_tails import flip_saddle, invert_lobe
from nofluke.engine.pairs.sizes import PairSizes, pair_sizes
from nofluke.engine.pairs.table import BoolArray, PairTails, Progress, checked, totals
from nofluke.engine.pairs.tallies import PairTallies
from nofluke.engine.tail import EXACT_BOUND
from nofluke.errors import InputError
from nofluke.types import FloatArray, IntArray

Exactness = Literal["near", "all", "none"]

# An estimated relative error above this makes the saddlepoint "poor".
POOR = 1e-3
# Below the smallest double no p-value has digits that could be wrong.
_NO_DIGITS = math.log(5e-324)
# Steps within a tail below this are left to the saddlepoint: nobody reads its digits, and inverting it is slow.
_DEEP = math.log(1e-12)
# An inversion this good is not counted out as well; where a decision is near, the ranking asks for more.
_ENOUGH = 1e-4
_LOG2 = math.log(2.0)


@dataclass(slots=True, eq=False)
class _Table:
    """The tails while they are filled in; tilt, curvature and deviation are those of the saddlepoints."""

    log_p: FloatArray
    error: FloatArray
    exact: BoolArray
    tilt: FloatArray
    curvature: FloatArray
    deviation: FloatArray
    step: IntArray
    inverted: BoolArray
    resonance: FloatArray


def all_pairs_flips(
    scores: npt.NDArray[Any],
    *,
    exact: Exactness = "near",
    slack: int = 0,
    progress: Progress | None = None,
) -> PairTails:
    """How likely would random swaps of i and j let system i lead system j by as much, for all pairs at once?

    `scores` is (n, S), whole multiples of one step, higher = better. Entry [i, j] is log P(T >= t), t the sum of
    score i minus score j and T the same sum with fair random signs; [j, i] is the other tail, P(T <= t).
    exact="near": saddlepoint for all; exact where few items differ or scores are nearly discrete (p above 1e-12);
    "inversion" (of the main lobe, no proof about the rest) where the saddlepoint may be off by more than 1e-3. "all":
    every entry. "none": only what is free. Sums within `slack` steps tie where tails are exact. Two-valued differences
    are always exact. Relative error of the saddlepoint for normal differences up to z = 5: 1.1e-3 at n = 41, 1.3e-4 at
    100, 6e-6 at 300, 7e-7 at 1,000, 1e-7 at 2,000.

    >>> import numpy as np
    >>> tails = all_pairs_flips(np.array([[1, 0], [1, 0], [1, 0], [0, 0]]))
    >>> [round(float(p), 12) for p in np.exp(tails.log_p[[0, 1], [1, 0]])], tails.computed[0, 1].item()
    ([0.125, 1.0], 'exact')
    """
    if exact not in ("near", "all", "none"):
        raise InputError(f"exact = {exact!r} is not known.", fix="choose near, all or none.")
    systems = checked(scores)
    if two_valued(systems):
        return _binary(systems)
    items = _Items(
        totals(systems),
        pair_sizes(systems),
        lambda *saddle: flip_resonance(systems, *saddle),
        lambda i, j: systems[i] - systems[j],
    )
    return _tails(items, exact, slack, progress)


def tallied_flips(
    tallies: PairTallies,
    differences: Callable[[int, int], IntArray],
    some: IntArray,
    *,
    exact: Exactness = "near",
    slack: int = 0,
    progress: Progress | None = None,
) -> PairTails:
    """Give the same where no more than the tallies of all differences is at hand; `differences` gives those of a pair.

    `some` are the (S, m) scores of some items. On these steps are looked for where sizes were rounded in the tallies.
    """
    resonance = tallies.flip_resonance if tallies.exact else partial(flip_resonance, some)
    return _tails(_Items(tallies.totals, tallies.pair_sizes(), resonance, differences), exact, slack, progress)


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """What is asked of all items: totals of systems, sizes of pairs, steps that are missed, differences of a pair."""

    totals: list[int]
    sizes: Iterable[PairSizes]
    resonance: Callable[..., FloatArray]
    differences: Callable[[int, int], IntArray]


def _tails(items: _Items, exact: Exactness, slack: int, progress: Progress | None) -> PairTails:
    table = _approximate(items, progress, invert=exact != "none")
    if exact == "all":
        _make_exact(items, table, ~table.exact, slack, progress)
    elif exact == "near":
        poor = (table.error > POOR) & (table.log_p > _NO_DIGITS)
        poor |= (table.resonance > POOR) & (table.log_p > _DEEP)
        _make_exact(items, table, ~table.exact & poor, slack, progress)
    np.maximum(table.error, np.where(table.exact, 0.0, table.resonance), out=table.error)
    computed = np.where(table.exact & (table.error <= EXACT_BOUND), "exact", "saddlepoint")
    computed[np.where(table.exact, table.error > EXACT_BOUND, table.inverted)] = "inversion"
    return PairTails(table.log_p, computed, table.error)


def _binary(systems: IntArray) -> PairTails:
    better = wins(systems)
    log_p = fair_binomial_tails(better + better.T, better)
    return PairTails(log_p, np.full(log_p.shape, "exact", dtype="<U11"), np.full(log_p.shape, BINOMIAL_BOUND))


def _approximate(items: _Items, progress: Progress | None, *, invert: bool) -> _Table:
    number = len(items.totals)
    shape = (number, number)
    zeros = [np.zeros(shape) for _ in range(6)]
    nowhere, step = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
    table = _Table(
        zeros[0], zeros[1], np.eye(number, dtype=bool), zeros[2], zeros[3], zeros[4], step, nowhere, zeros[5]
    )
    done = 0
    for pairs in items.sizes:
        _fill(table, pairs, items.totals, invert=invert)
        done += pairs.others.size
        if progress is not None:
            progress(done, number * (number - 1) // 2)
    if not table.exact.all():
        # A tail without digits has no steps that anybody could miss.
        looked_at = np.where(np.minimum(table.log_p, table.log_p.T) > _NO_DIGITS, table.deviation, 0.0)
        found = items.resonance(table.tilt, table.curvature, looked_at, table.step)
        np.maximum(found, table.resonance, out=found)
        # It is relative to the smaller tail of a pair; of the larger one the same steps are a smaller part.
        found *= np.exp(np.minimum(table.log_p.T - table.log_p, 0.0))
        table.resonance[:] = np.where(table.exact, 0.0, found)
    return table


def _fill(table: _Table, pairs: PairSizes, sums: list[int], *, invert: bool) -> None:
    simple = (pairs.widest == pairs.step) | (pairs.ahead == 0) | (pairs.ahead == pairs.nonzero)
    rows = np.flatnonzero(simple)
    if rows.size:
        _fill_simple(table, pairs, rows)
    rows = np.flatnonzero(~simple)
    if rows.size:
        led = np.array([float(sums[pairs.first] - sums[j]) for j in pairs.others[rows].tolist()])
        _fill_general(table, pairs, rows, led, invert=invert)


def _fill_general(table: _Table, pairs: PairSizes, rows: IntArray, led: FloatArray, *, invert: bool) -> None:
    nonzero, step = pairs.nonzero[rows], pairs.step[rows]
    values, counts, deviation = pairs.scaled(rows)
    threshold, half_step = np.abs(led) / deviation, step / deviation
    saddle = flip_saddle(values, threshold, half_step, counts)
    upper, error = saddle.log_tail, saddle.error.copy()
    poor = np.flatnonzero((error > POOR) & (_atoms(upper, nonzero) <= POOR) & (upper > _NO_DIGITS) & invert)
    lobe = LOBE / np.sqrt(np.minimum(saddle.curvature, 1.0))
    if poor.size:
        upper[poor], error[poor], lobe[poor] = invert_lobe(
            values[poor],
            threshold[poor],
            half_step[poor],
            saddle.tilt[poor],
            None if counts is None else counts[poor],
        )
    # A tail without digits has no steps that anybody could miss.
    lattice = np.where(upper > _NO_DIGITS, math.pi / 2.0 / half_step, 0.0)
    missed = low_resonance(values, saddle.tilt, saddle.curvature, lobe, lattice, upper <= _DEEP, counts)
    # Never below one pattern of signs, the observed one.
    upper = np.clip(upper, -nonzero * _LOG2, -1e-300)
    point = np.minimum(saddle.point, np.exp(upper))
    lower = np.log1p(-np.minimum(np.exp(upper) - point, 0.5))
    error = np.maximum(error, _atoms(upper, nonzero))
    # The other tail is at least one half: of the same error less is seen, but it has the error of the point as well.
    other = error * np.exp(upper - lower) + saddle.error * np.minimum(2.0 * point, 1.0)
    i, j = np.full(rows.size, pairs.first), pairs.others[rows]
    leads = led >= 0
    ahead, behind = np.where(leads, i, j), np.where(leads, j, i)
    table.log_p[ahead, behind], table.log_p[behind, ahead] = upper, lower
    table.error[ahead, behind], table.error[behind, ahead] = error, other
    table.inverted[i[poor], j[poor]] = table.inverted[j[poor], i[poor]] = True
    targets: tuple[tuple[npt.NDArray[Any], npt.NDArray[Any]], ...] = (
        (table.tilt, saddle.tilt),
        (table.curvature, saddle.curvature),
        (table.deviation, deviation),
        (table.step, step),
        (table.resonance, missed),
    )
    for target, value in targets:
        target[i, j] = target[j, i] = value


def _atoms(log_p: FloatArray, items: IntArray) -> FloatArray:
    """Sums of few items are separate atoms: about 1 / sqrt(their number in the tail) is chance."""
    return np.exp(np.minimum(-0.5 * (log_p + items * _LOG2), 0.0))


def _fill_simple(table: _Table, pairs: PairSizes, rows: IntArray) -> None:
    """Equal systems, differences of one size (a binomial), or all of one sign (only the observed pattern)."""
    ahead, nonzero = pairs.ahead[rows], pairs.nonzero[rows]
    i, j = np.full(rows.size, pairs.first), pairs.others[rows]
    one_size = pairs.widest[rows] == pairs.step[rows]
    for first, second, count in ((i, j, ahead), (j, i, nonzero - ahead)):
        only = np.where(count == 0, 0.0, -nonzero * _LOG2)
        log_p = np.where(one_size, fair_binomial_tails(nonzero, count), only)
        table.log_p[first, second] = log_p
        table.error[first, second] = np.where(one_size & (nonzero > 0), BINOMIAL_BOUND, 0.0)
        table.exact[first, second] = True


def _make_exact(items: _Items, table: _Table, wanted: BoolArray, slack: int, progress: Progress | None) -> None:
    sums = items.totals
    entries = np.argwhere(wanted).tolist()
    for done, (i, j) in enumerate(entries, start=1):
        tail = flip_tail(items.differences(i, j), sums[i] - sums[j] - slack, enough=_ENOUGH)
        table.log_p[i, j], table.error[i, j], table.exact[i, j] = tail.log_p, tail.bound, True
        if progress is not None:
            progress(done, len(entries))
