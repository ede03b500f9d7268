"""The bootstrap of a mean without resamples, for the forms that ask on which side of a known number the mean falls."""

from __future__ import annotations

import math
from typing import Literal, cast

from nofluke.align import differences, in_steps
from nofluke.engine.tail import EXACT_BOUND
from nofluke.inference.exact_bootstrap import LINEAR_FORMS, Drawn, Form, deciding_tails, exact_limits, is_cheap
from nofluke.inference.resampled_mean import Units
from nofluke.inference.significance.bootstrap_notes import notes_on
from nofluke.inference.significance.bootstrap_settings import Settings
from nofluke.inference.significance.sides import p_of, tail_levels
from nofluke.types import Computed, Interval, Sample, TestResult


def without_resamples(sample: Sample, units: Units, settings: Settings) -> TestResult | None:
    """Give the result to which ever more resamples would lead, or None where it cannot be had cheaply and exactly."""
    if not _fits(units, settings):
        return None
    drawn = Drawn(units.totals, units.sizes, settings.size)
    null = in_steps(settings.delta, sample.grid)
    wanted = deciding_tails(cast(Form, settings.form), drawn, null, settings.alternative)
    bound = max(tail.bound for tail in wanted)
    if bound > EXACT_BOUND:
        return None
    # A threshold beyond what resampling can reach would be p = 0: undefined, with a note.
    out = any(tail.log_p == -math.inf for tail in wanted)
    sides = 2 if settings.alternative == "two-sided" else 1
    log_p = math.nan if out else min(0.0, math.log(sides) + min(tail.log_p for tail in wanted))
    step = float(sample.grid.exact_step)
    standard_error = _standard_error(units, settings.size) * step
    mean = float(differences(sample).values.mean())
    return TestResult(
        statistic=mean,
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=settings.alternative,
        n=sample.n,
        computed=Computed("exact", error=0.0 if out else bound * p_of(log_p)),
        validity="asymptotic",
        estimate=mean,
        z_score=(mean - settings.delta) / standard_error,
        delta=settings.delta,
        interval=_interval(drawn, settings, step),
        details={"standard_error": standard_error, "n_units": len(units), "n_resampled": settings.size},
        notes=notes_on(units, settings, out, 0.0),
    )


def _standard_error(units: Units, size: int) -> float:
    """The spread of the mean over resamples; over clusters, of the ratio linearised at the observed mean."""
    if units.sizes is None:
        return float(units.totals.std()) / math.sqrt(size)
    residuals = units.totals - float(units.mean) * units.sizes
    return float(residuals.std()) / float(units.sizes.mean()) / math.sqrt(size)


def _fits(units: Units, settings: Settings) -> bool:
    if settings.form not in LINEAR_FORMS or settings.recentre != "observed" or settings.two_sided != "doubled":
        return False
    return is_cheap(units)


def _interval(drawn: Drawn, settings: Settings, step: float) -> Interval:
    below, above = tail_levels(settings.alternative, settings.level)
    kind: Literal["percentile", "basic"] = "percentile" if settings.form == "percentile" else "basic"
    low, high = exact_limits(kind, drawn, below, above)
    return Interval(float(low) * step, float(high) * step, settings.level, f"{kind} bootstrap")
