"""Rules for scores of items: t, sign flips, signed ranks, signs, Tango's score, the bootstrap of the mean."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import cast

import numpy as np

from nofluke.align import differences, in_steps
from nofluke.align.exact_sums import summable
from nofluke.engine.flips import flip_tail
from nofluke.engine.pairs.binary import fair_binomial_tails
from nofluke.forms import OF_COUNTS
from nofluke.inference.power.curves.flip_tails import flip_log_tails, signed_log_tails
from nofluke.inference.power.curves.pilot import Pilot
from nofluke.inference.power.curves.resample_tails import Lattice, lattice_of, resample_log_tails
from nofluke.inference.power.curves.rule import EXACT, NORMAL, SADDLEPOINT, Rule, Setting, t_tails
from nofluke.inference.power.paired_binary import score_z
from nofluke.inference.resampling.exact_bootstrap import Drawn, Form, one_sided
from nofluke.inference.tests.one_lost_item import FEWEST_DIFFERENT, largest_loss
from nofluke.inference.tests.tango import EXACT_UP_TO
from nofluke.laws.signed_rank import exact_tail, signed_ranks
from nofluke.laws.trinomial import exact_tail as exact_table_tail
from nofluke.types import FloatArray

# Up to this many items saddlepoints are too rough, and exact tails cost little.
_FEW = 24
# Up to this many different sizes of differences signed ranks are too coarse for them as well.
_COARSE = 12
# The forms of the bootstrap that ask on which side of a known number a resample falls.
WITHOUT_DRAWS = {
    "form": ("shift", "berg_kirkpatrick", "percentile"),
    "recentre": ("observed",),
    "two_sided": ("doubled",),
    "resample_size": (None,),
}


@OF_COUNTS.register("paired_t")
def t_rule(pilot: Pilot, setting: Setting) -> Rule:
    """Student's t of the differences."""
    values, _ = pilot.shifted(setting.delta)
    numbers = values.astype(np.float64)

    def block(counts: FloatArray) -> FloatArray:
        n, total = counts.sum(axis=1), counts @ numbers
        squares = counts @ (numbers * numbers) - total * total / n
        with np.errstate(divide="ignore", invalid="ignore"):
            # Rounding leaves a trace of spread where there is none.
            spread = np.where(squares > 1e-12 * (counts @ (numbers * numbers)), squares, 0.0)
            t = np.where(spread > 0, total / np.sqrt(n * spread / (n - 1)), np.nan)
        return setting.log_p(total, t_tails(t, n - 1))

    return Rule(block, EXACT)


@OF_COUNTS.register("one_lost_item", knows={"low": None, "high": None})
def lost_item_rule(pilot: Pilot, setting: Setting) -> Rule:
    """Student's t with one lost item; of clusters by CR1. An unknown loss is the largest one of the pilot's items."""
    values = differences(pilot.sample).values
    loss, _ = largest_loss(
        pilot.sample, values, FEWEST_DIFFERENT, (setting.options.get("low"), setting.options.get("high"))
    )
    totals, sizes = pilot.totals * pilot.step, pilot.sizes.astype(np.float64)

    def logs(counts: FloatArray, side: int) -> FloatArray:
        groups, items = counts.sum(axis=1) + 1, counts @ sizes + 1
        mean = (counts @ totals + side * loss) / items
        squares = (
            counts @ totals**2
            + loss * loss
            - 2 * mean * (counts @ (totals * sizes) + side * loss)
            + mean**2 * (counts @ sizes**2 + 1)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (mean - setting.delta) * items / np.sqrt(groups / (groups - 1) * np.maximum(squares, 0.0))
        return np.where(-side * t > 0, t_tails(t, groups - 1), 0.0)

    def block(counts: FloatArray) -> FloatArray:
        if setting.alternative == "two-sided":
            return np.minimum(0.0, math.log(2) + np.minimum(logs(counts, -1), logs(counts, 1)))
        return logs(counts, -1 if setting.alternative == "greater" else 1)

    return Rule(block, EXACT)


@OF_COUNTS.register("permutation", knows={"form": ("studentized", "raw")}, corpus=True, averages=True)
def flip_rule(pilot: Pilot, setting: Setting) -> Rule:
    """Sign flips of the mean, or of cluster totals."""
    values, _ = pilot.shifted(setting.delta)

    def exact(row: FloatArray) -> float:
        items = np.repeat(values, row.astype(np.int64))
        total = int(summable(items).sum())
        tail = flip_tail(items, total) if total >= 0 else flip_tail(-items, -total)
        return float(setting.log_p(np.array([total]), np.array([tail.log_p]))[0])

    def block(counts: FloatArray) -> FloatArray:
        logs = setting.log_p(*signed_log_tails(values, counts, setting.tail))
        if counts[0].sum() <= _FEW:
            for row in np.flatnonzero(logs < math.log(min(1.0, 20 * setting.level))):
                logs[row] = exact(counts[row])
        return logs

    return Rule(block, SADDLEPOINT, exact)


@OF_COUNTS.register(
    "wilcoxon",
    knows={"zeros": ("drop", "pratt"), "mode": ("auto", "exact", "normal"), "continuity": (False,), "snap": (True,)},
)
def wilcoxon_rule(pilot: Pilot, setting: Setting) -> Rule:
    """Signed ranks with ties, zeros dropped (or ranked and then dropped), from counts of the sizes in order."""
    values, _ = pilot.shifted(setting.delta)
    order = np.argsort(np.abs(values), kind="stable")
    ordered = values[order]
    zeros = int(np.sum(values == 0))
    signs, sizes = np.sign(ordered[zeros:]).astype(np.float64), np.abs(ordered[zeros:])
    # Where both signs of a size occur they share a rank: `starts` are the first of each size.
    starts = np.flatnonzero(np.concatenate(([True], np.diff(sizes) > 0))) if len(sizes) else np.empty(0, np.int64)
    sorted_already, paired = bool((np.diff(order) > 0).all()), len(starts) < len(sizes)
    pratt, normal = setting.options.get("zeros") == "pratt", setting.options.get("mode") == "normal"

    def exact(row: FloatArray) -> float:
        ranks = signed_ranks(np.repeat(values, row.astype(np.int64)), "pratt" if pratt else "drop")
        tail = exact_tail(ranks.ranks, abs(ranks.difference))
        return float(setting.log_p(np.array([ranks.difference]), np.array([tail.log_p]))[0])

    def block(counts: FloatArray) -> FloatArray:
        inorder = counts if sorted_already else counts[:, order]
        present = inorder[:, zeros:]
        if not present.shape[1]:
            return np.zeros(len(counts))
        ties = np.add.reduceat(present, starts, axis=1) if paired else present
        # Ranks before + 1 ... before + ties have twice their mean at 2 before + ties + 1.
        doubled = np.cumsum(ties, axis=1)
        doubled *= 2.0
        doubled -= ties
        doubled += 1.0
        if pratt:
            doubled += 2.0 * inorder[:, :zeros].sum(axis=1, keepdims=True)
        leaning = np.add.reduceat(present * signs, starts, axis=1) if paired else present * signs
        total = np.einsum("ij,ij->i", leaning, doubled)
        if normal:
            return setting.log_p(total, _normal_tails(total, np.sqrt(np.einsum("ij,ij,ij->i", ties, doubled, doubled))))
        # Doubled ranks of untied items are even, so that the sum moves in steps of 4; tied pairs make odd ones.
        halves = np.where((ties > 1).any(axis=1), 1.0, 2.0)
        if len(starts) <= _COARSE:
            # A few different ranks may have a larger step in common: a single one, as of 0/1 scores, is a step itself.
            halves = np.gcd.reduce(np.where(ties > 0, doubled, 0.0).astype(np.int64), axis=1).astype(np.float64)
        logs = setting.log_p(total, flip_log_tails(doubled, ties, np.abs(total), halves, setting.tail))
        few = counts[0].sum() <= _FEW
        if few or len(starts) <= _COARSE:
            # A handful of different ranks makes a sum with steps of its own, which no smooth law follows.
            near = math.log(20 if few else 1.2)
            for row in np.flatnonzero(np.abs(logs - math.log(setting.level)) < near):
                logs[row] = exact(counts[row])
        return logs

    return Rule(block, NORMAL, None) if normal else Rule(block, SADDLEPOINT, exact)


def _normal_tails(total: FloatArray, spread: FloatArray) -> FloatArray:
    from scipy.special import log_ndtr

    safe = np.where(spread > 0, spread, 1.0)
    logs: FloatArray = np.where(spread > 0, log_ndtr(-np.abs(total) / safe), 0.0)
    return logs


@OF_COUNTS.register("sign", knows={"snap": (True,), "tie_width": (0.0, 0)})
@OF_COUNTS.register("mcnemar", knows={"mode": ("exact",), "continuity": (False,)})
def sign_rule(pilot: Pilot, setting: Setting) -> Rule:
    """Signs of the differences: the sign test, and McNemar's on 0/1 scores."""
    signs = np.sign(pilot.totals)
    better, worse = (signs > 0).astype(np.float64), (signs < 0).astype(np.float64)

    def block(counts: FloatArray) -> FloatArray:
        wins, losses = counts @ better, counts @ worse
        return setting.log_p(wins - losses, sign_tails(wins, losses))

    return Rule(block, EXACT)


def sign_tails(wins: FloatArray, losses: FloatArray) -> FloatArray:
    """Give log P(at least so many of the more frequent sign) for fair coins."""
    more, all_signs = np.maximum(wins, losses).astype(np.int64), (wins + losses).astype(np.int64)
    return fair_binomial_tails(all_signs, more)


@OF_COUNTS.register("tango", knows={"mode": ("auto",)}, zero_one=True)
def tango_rule(pilot: Pilot, setting: Setting) -> Rule:
    """Tango's score test; exact up to 50 items, as the test itself is."""
    signs = np.sign(pilot.totals)
    better, worse = (signs > 0).astype(np.float64), (signs < 0).astype(np.float64)
    known: dict[tuple[int, int, int], float] = {}

    def exact(b: int, c: int, n: int) -> float:
        if (b, c, n) not in known:
            upper = score_z(np.array([b]), np.array([b + c]), n, setting.delta)[0] >= 0
            found = exact_table_tail(b, c, n, setting.delta) if upper else exact_table_tail(c, b, n, -setting.delta)
            known[b, c, n] = found.log_value
        return known[b, c, n]

    def block(counts: FloatArray) -> FloatArray:
        b, c, n = (counts @ better).astype(np.int64), (counts @ worse).astype(np.int64), int(counts[0].sum())
        z = score_z(b, b + c, n, setting.delta)
        if n <= EXACT_UP_TO:
            return setting.log_p(z, np.array([exact(int(one), int(two), n) for one, two in zip(b, c, strict=True)]))
        tails = _normal_tails(z, np.ones_like(z))
        alike = n * math.log1p(-abs(setting.delta)) if setting.delta else 0.0
        return setting.log_p(z, np.where(b + c == 0, np.maximum(tails, alike), tails))

    return Rule(block, EXACT)


@OF_COUNTS.register("bootstrap", knows=WITHOUT_DRAWS, corpus=True)
def bootstrap_rule(pilot: Pilot, setting: Setting) -> Rule:
    """The bootstrap of the mean, in the forms that ask on which side of a known number a resample falls.

    With clusters, S* counts T - tau S, tau being the bound on the mean: for shift tau = 2 d - delta, else delta.
    Where no resample gets so far the test has no p-value and names sign flips to be used instead; so does the curve.
    """
    flips = flip_rule(pilot, setting)
    form = cast(Form, setting.options.get("form", "shift"))
    totals, sizes = pilot.totals.astype(np.float64), pilot.sizes.astype(np.float64)
    null = in_steps(setting.delta, pilot.sample.grid)
    clustered = pilot.sample.clusters is not None
    lattice = None if clustered else lattice_of(pilot.totals, pilot.multiplicity)
    # A mirror of the values is one of their middle.
    mirrored = None if lattice is None else Lattice(-lattice.origin, lattice.gap, lattice.gaps)

    def exact(row: FloatArray) -> float:
        drawn = Drawn(
            np.repeat(pilot.totals, row.astype(np.int64)),
            np.repeat(pilot.sizes, row.astype(np.int64)) if clustered else None,
        )
        leaning = drawn.mean >= null
        tail = one_sided(form, drawn, Fraction(null), greater=leaning)
        if tail.log_p == -math.inf and flips.exact is not None:
            return flips.exact(row)
        return float(setting.log_p(np.array([1.0 if leaning else -1.0]), np.array([tail.log_p]))[0])

    def block(counts: FloatArray) -> FloatArray:
        mean = (counts @ totals) / (counts @ sizes)
        excess = mean - float(null)
        # shift looks beyond the mean on the observed side; percentile behind it. Mirrored so that it is always up.
        ahead = np.where(excess >= 0, 1.0, -1.0) * (-1.0 if form == "percentile" else 1.0)
        bound = mean + excess if form != "percentile" else np.full_like(mean, float(null))
        values = totals if not clustered else totals[None, :] - bound[:, None] * sizes[None, :]
        # The threshold is a part of what the test set holds, plus the null: 2 S - null, the null, or 0 of T - tau S.
        factor, null_part = (0.0, 0.0) if clustered else (0.0, 1.0) if form == "percentile" else (2.0, -1.0)
        beyond = null_part * float(null) * (counts @ sizes)
        logs = np.empty(len(counts))
        for sign, seen in ((1.0, lattice), (-1.0, mirrored)):
            rows = np.flatnonzero(ahead == sign)
            if rows.size:
                chosen = sign * (values if values.ndim == 1 else values[rows])
                asked = factor, sign * beyond[rows], setting.tail
                logs[rows] = resample_log_tails(
                    chosen, counts[rows], *asked, lattice=seen, strict=form == "berg_kirkpatrick"
                )
        logs = setting.log_p(excess, logs)
        silent = np.isnan(logs)
        if silent.any():
            logs[silent] = flips.block(counts[silent])
        return logs

    return Rule(block, SADDLEPOINT, exact, dear=True)
