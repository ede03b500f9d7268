"""Cohen's d of paired scores in its four forms, with the noncentral t interval."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.inference.effects.interpret import interpret, rule_named
from nofluke.inference.effects.standardisers import PairMoments, spread_of, standard_error, standardiser
from nofluke.inference.intervals.inversion import where_tail_passes
from nofluke.inference.p_values import ConfidenceLevel
from nofluke.laws.noncentral_t import log_noncentral_t_above, log_noncentral_t_below
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Note, Sample, note

Rules = Annotated[
    Literal["none", "cohen1988", "sawilowsky2009"], "name the magnitude by this rule of thumb; none gives no word"
]
_RESOLUTION = 1e-11


@EFFECTS.register(
    "cohens_d",
    label="Cohen's d",
    symbol="d",
    needs="paired",
    bounds=(-math.inf, math.inf),
    null=0.0,
    rules=("cohen1988", "sawilowsky2009"),
    cite="Cohen 1988; Lakens 2013; Bonett 2008 (form = av or rm or pooled)",
)
def cohens_d(
    sample: Sample,
    *,
    form: Annotated[
        Literal["z", "av", "rm", "pooled"],
        "divide by the sd of the differences (z), the mean of the two sd (av), the sd of the differences with the "
        "correlation taken out (rm), the root mean square of the two sd (pooled)",
    ] = "z",
    confidence_level: ConfidenceLevel = 0.95,
    rules: Rules = "none",
) -> Estimate:
    """How large is the mean difference, in standard deviations?

    Four numbers go by this name; say which: z = mean(d)/sd(d), av = mean(d)/((sA + sB)/2), pooled =
    mean(d)/sqrt((sA^2 + sB^2)/2), rm = z sqrt(2 (1 - r)). z grows with the correlation of the systems and with the
    unit size, so it can be compared only between equal designs. The words of Cohen are meant for pooled.

    Interval: z by inverting the noncentral t distribution, exact for normal differences; the others d +- quantile *
    standard error by the delta method under normality (Bonett 2008), approximate below some 30 items. Items in
    clusters get none. Without any spread, and for identical systems, d is nan.
    """
    spread = spread_of(sample)
    reason = undefined(spread, form, "d", sample.systems)
    if reason is not None:
        return Estimate("", math.nan, notes=(reason,))
    d = spread.mean / standardiser(spread, form)
    notes = _notes(sample, form, rules)
    if sample.clusters is not None or not spread.difference:
        return Estimate(
            "",
            d,
            magnitude=interpret("cohens_d", d, rules),
            rule=rule_named(rules),
            notes=(*notes, _no_interval(sample)),
        )
    error = standard_error(spread, form, d)
    return Estimate(
        "",
        d,
        d_z_interval(spread, confidence_level) if form == "z" else _bonett(d, error, confidence_level),
        error,
        interpret("cohens_d", d, rules),
        rule_named(rules),
        notes,
    )


def undefined(spread: PairMoments, form: str, symbol: str, systems: tuple[str, ...]) -> Note | None:
    """Say why there is no standardised difference; None where there is one."""
    if spread.n < 2:
        return note("effect.one_item_undefined", symbol=symbol)
    if not spread.difference and not spread.mean:
        return note("effect.identical_undefined", symbol=symbol, systems=systems)
    if standardiser(spread, form) > 0:
        return None
    if form == "z":
        return note("effect.equal_differences_undefined", symbol=symbol)
    if form == "rm":
        return note("effect.correlation_undefined", symbol=symbol, systems=systems)
    return note("effect.constant_scores_undefined", symbol=symbol, systems=systems)


def d_z_interval(spread: PairMoments, level: float, factor: float = 1.0) -> Interval:
    """Invert the noncentral t distribution and divide the noncentrality by sqrt(n); `factor` is Hedges' correction."""
    root = math.sqrt(spread.n)
    error = (1 - level) / 2
    t = spread.mean / spread.difference * root
    found = noncentral_t_interval(t, spread.n - 1, error, error, level)
    return Interval(found.low / root * factor, found.high / root * factor, level, found.method)


def _bonett(d: float, error: float, level: float) -> Interval:
    from scipy.special import ndtri

    half = -float(ndtri((1 - level) / 2)) * error
    return Interval(d - half, d + half, level, "Bonett delta method")


def _notes(sample: Sample, form: str, rules: str) -> tuple[Note, ...]:
    notes = []
    if form in ("z", "rm") and rules != "none":
        notes.append(note("effect.rule_for_groups", rules=rules, symbol="d"))
    if form == "z" and sample.unit_size > 1:
        notes.append(note("effect.grows_with_unit", size=sample.unit_size))
    return tuple(notes)


def _no_interval(sample: Sample) -> Note:
    return note("effect.clusters") if sample.clusters is not None else note("effect.equal_differences")


def noncentral_t_interval(t: float, df: float, below: float, above: float, level: float) -> Interval:
    """Invert the noncentral t distribution: the ncp with P(T >= t) > below and P(T <= t) > above.

    Each tail is monotone in the noncentrality, so each limit is one crossing (Steiger and Fouladi 1997). A limit with
    error 0 is open.
    """

    def rising(ncp: float) -> float:
        return log_noncentral_t_above(t, df, ncp)

    def falling(mirrored: float) -> float:
        return log_noncentral_t_below(t, df, -mirrored)

    # The large-sample standard error of the noncentrality: 1 from the mean, t^2 / 2 df from the sd.
    scale = math.sqrt(1 + t * t / (2 * df))
    low = (
        where_tail_passes(rising, below, t + _normal_quantile(below) * scale, scale, _RESOLUTION)
        if below
        else -math.inf
    )
    high = (
        -where_tail_passes(falling, above, -t + _normal_quantile(above) * scale, scale, _RESOLUTION)
        if above
        else math.inf
    )
    return Interval(low, high, level, "noncentral t")


def _normal_quantile(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))
