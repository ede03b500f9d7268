"""The Wilcoxon signed-rank test."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.intervals.hodges_lehmann import too_few_for, walsh_averages, walsh_interval
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, Snap, log_p_of, p_of, tail_levels
from nofluke.inference.resampling.drawn_p_values import by_path
from nofluke.laws.signed_rank import SignedRanks, Zeros, exact_tail, shifted, signed_ranks
from nofluke.laws.tails import log_normal_tail
from nofluke.registry import TESTS
from nofluke.types import Computed, Interval, Note, Sample, TestResult, note

Mode = Literal["auto", "exact", "normal", "slides"]


@TESTS.register(
    "wilcoxon",
    label="Wilcoxon signed-rank test",
    needs="paired",
    null="the differences of {a} and {b} are symmetric about delta",
    estimand="pseudo-median of the differences (Hodges-Lehmann)",
    about="ranks",
    clusters=False,
    delta_instead="",
    least_p_by_signs=True,
    hangs_on_ties=True,
    cite="Wilcoxon 1945; Pratt 1959 (zeros = pratt or zsplit); Hodges and Lehmann 1963; Noether 1967",
)
def wilcoxon(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    zeros: Annotated[
        Zeros, "zero differences: dropped, ranked and then dropped (Pratt), or their ranks split between both signs"
    ] = "drop",
    mode: Annotated[
        Mode, "auto and exact count all sign patterns; normal approximates; slides is the z of a lecture"
    ] = "auto",
    continuity: Annotated[bool, "take half a unit off W+ in the normal approximation"] = False,
    snap: Snap = True,
) -> TestResult:
    """Do the larger differences favour A, more than random signs on their ranks would?

    Null: the differences are symmetric about delta. Estimand: their pseudo-median, the median average of two items.
    The statistic is W+, the rank sum of the positive differences. p is exact, ties and zeros included, at any n.

    zeros="zsplit" gives both signs half of the zeros' ranks: exactly, the same p as Pratt's, since zeros have no sign
    to toss; its normal form counts them in the variance as other tools do, which makes p larger.

    The interval consists of two Walsh averages and inverts the test when there are no ties; with fewer items than a
    rejection needs it is the range of all averages. With ties it covers at least as often as it says and may include
    delta although p is small: it counts the zero differences that the test drops. Either is noted, and such an
    interval is not told beside p.

    Not a test of means: skewed differences with mean 0 are rejected far too often (exponential differences: 13 % at
    n = 20, 63 % at n = 200, for a nominal 5 %). Not for 0/1 scores, where it is the sign test under another name, and
    not for items that come in clusters. A margin (delta) concerns the pseudo-median, so it never decides a gate.
    """
    refuse_settings(mode, zeros, continuity)
    d = differences(sample, snap=snap)
    ranks = signed_ranks(shifted(d, sample, delta), zeros)
    log_p, computed, z = _p_value(ranks, alternative, mode, zeros, continuity)
    averages = walsh_averages(d, sample)
    below, above = tail_levels(alternative, confidence_level)
    interval = walsh_interval(averages, below, above, confidence_level, normal=mode == "normal", continuity=continuity)
    split = zeros == "zsplit"
    return TestResult(
        statistic=ranks.w_plus(split=split),
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=computed,
        validity="asymptotic" if mode in ("normal", "slides") else "exact",
        estimate=averages.median(),
        direction=(ranks.difference > 0) - (ranks.difference < 0),
        z_score=z,
        delta=delta,
        interval=interval,
        details={"W_minus": ranks.w_minus(split=split), "n_nonzero": ranks.n_nonzero, "n_zero": ranks.n_zero},
        notes=(
            *_notes(ranks, mode, delta),
            *(too_few_for(interval, sample.n) if mode != "normal" else ()),
            *_apart(ranks, zeros, p_of(log_p), delta, interval, exact=mode != "normal"),
        ),
    )


def refuse_settings(mode: Mode, zeros: Zeros, continuity: bool) -> None:
    """Refuse settings that do not go together."""
    if mode == "slides" and (zeros != "drop" or continuity):
        raise MethodError(
            f"mode 'slides' is one fixed formula; zeros = {zeros!r}, continuity = {continuity} do not go with it.",
            fix="leave zeros at 'drop' and continuity at False, or use mode 'normal'.",
        )
    if continuity and mode != "normal":
        raise MethodError(
            f"mode {mode!r} of wilcoxon is not an approximation, so there is no continuity to correct for.",
            fix=Fix("leave ", Option("continuity"), " out, or give ", Option("mode", "normal"), "."),
        )


def _p_value(
    ranks: SignedRanks, alternative: str, mode: Mode, zeros: Zeros, continuity: bool
) -> tuple[float, Computed, float]:
    """Give the log p-value, how it was computed, and the z-score."""
    difference, spread = ranks.difference, ranks.spread(split=zeros == "zsplit")
    if mode == "slides":
        # z = (W - 0.5) / sqrt(m (m + 1) (2 m + 1) / 6) with W = W+ - W-, here in doubled ranks.
        m = ranks.n_nonzero
        return _normal(
            difference, 2 * math.sqrt(m * (m + 1) * (2 * m + 1) / 6), 1, alternative, note("computed.slides")
        )
    if mode == "normal":
        # W+ - E W+ is a quarter of the doubled W+ - W-, so half a unit of W+ is 2 here.
        return _normal(difference, spread, 2 if continuity else 0, alternative, note("computed.normal"))
    # The tail on the observed side is the smaller one, so two-sided needs no other.
    upper = alternative == "greater" or (alternative == "two-sided" and difference >= 0)
    tail = exact_tail(ranks.ranks, difference if upper else -difference)
    log_p = log_p_of(tail.log_p, tail.log_p, alternative)
    # "exact" is said only when the computed bound is below 1e-9; the bound is reported either way.
    how = "exact" if tail.bound < 1e-9 else "approximate"
    return (
        log_p,
        Computed(how, error=tail.bound * p_of(log_p), detail=by_path(tail.path)),
        difference / spread if spread else 0.0,
    )


def _normal(
    difference: int, spread: float, correction: int, alternative: str, detail: Note
) -> tuple[float, Computed, float]:
    computed = Computed("exact", detail=detail)
    if not spread:
        return 0.0, computed, 0.0
    greater, less = (difference - correction) / spread, (difference + correction) / spread
    log_p = log_p_of(log_normal_tail(greater), log_normal_tail(-less), alternative)
    towards_zero = max(greater, 0.0) if difference >= 0 else min(less, 0.0)
    return log_p, computed, {"greater": greater, "less": less}.get(alternative, towards_zero)


def _notes(ranks: SignedRanks, mode: Mode, delta: float) -> tuple[Note, ...]:
    notes = []
    if not ranks.n_nonzero:
        notes.append(note("test.all_at_null", unit="item"))
    if mode == "slides":
        notes.append(note("test.slides"))
    if delta:
        notes.append(note("test.margin_of_pseudo_median"))
    return tuple(notes)


def _apart(
    ranks: SignedRanks, zeros: Zeros, p: float, delta: float, interval: Interval, *, exact: bool
) -> tuple[Note, ...]:
    """Say where the interval, which counts ties, is no inversion of the test, which has other ranks or drops them."""
    disagree = (p <= 1 - interval.level) == (delta in interval)
    if not ranks.n_nonzero or not (ranks.tied or ranks.n_zero):
        return ()
    if ranks.n_zero and zeros == "drop" and (disagree or interval.low == interval.high):
        return (note("test.ties_in_walsh_interval", n=ranks.n_zero),)
    return (note("test.ties_apart", exact=exact),) if disagree else ()
