"""Hedges' g: Cohen's d of the differences, corrected for its small-sample bias."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.inference.effects.cohens_d import Rules, d_z_interval, undefined
from nofluke.inference.effects.interpret import interpret, rule_named
from nofluke.inference.effects.standardisers import spread_of, standard_error
from nofluke.inference.p_values import ConfidenceLevel
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Note, Sample, note


@EFFECTS.register(
    "hedges_g",
    label="Hedges' g",
    symbol="g",
    needs="paired",
    bounds=(-math.inf, math.inf),
    null=0.0,
    rules=("cohen1988", "sawilowsky2009"),
    cite="Hedges 1981; Zhu et al. 2020 (form = zhu2020)",
)
def hedges_g(
    sample: Sample,
    *,
    form: Annotated[
        Literal["exact", "approximate", "zhu2020"],
        "correction factor: by Gamma functions, 1 - 3/(4 df - 1), or as printed by Zhu et al. 2020",
    ] = "exact",
    confidence_level: ConfidenceLevel = 0.95,
    rules: Rules = "none",
) -> Estimate:
    """How large is the mean difference in standard deviations of the differences, without small-sample bias?

    d_z is too large on average by about 3/(4 n); g multiplies it by J = Gamma(df/2) / (sqrt(df/2) Gamma((df - 1)/2)),
    df = n - 1 (exact), or by 1 - 3/(4 df - 1) (approximate). zhu2020 is the factor 1 - 3/(4 n - 9) of that paper, which
    belongs to two groups of n scores in all and is wrong for n pairs: 0 at n = 3, 4 at n = 2. Only for reproduction.

    The interval is that of d_z times J. Not comparable with g of two independent groups. Assumes normal differences.
    """
    spread = spread_of(sample)
    reason = undefined(spread, "z", "g", sample.systems)
    if reason is None and spread.n == 2 and form != "zhu2020":
        reason = note("effect.two_items_undefined")
    if reason is not None:
        return Estimate("", math.nan, notes=(reason,))
    d = spread.mean / spread.difference
    factor = _factor(spread.n, form)
    notes = _notes(sample, form, rules)
    magnitude, rule = interpret("hedges_g", factor * d, rules), rule_named(rules)
    if sample.clusters is not None or form == "zhu2020":
        return Estimate("", factor * d, magnitude=magnitude, rule=rule, notes=notes)
    interval = d_z_interval(spread, confidence_level, factor)
    return Estimate("", factor * d, interval, factor * standard_error(spread, "z", d), magnitude, rule, notes)


def _factor(n: int, form: str) -> float:
    df = n - 1
    if form == "zhu2020":
        return 1 - 3 / (4 * n - 9)
    if form == "approximate":
        return 1 - 3 / (4 * df - 1)
    return _gamma_ratio((df - 1) / 2) / math.sqrt(df / 2)


def _gamma_ratio(x: float) -> float:
    """Gamma(x + 1/2) / Gamma(x); for large x by its series, as the difference of two large logarithms loses digits."""
    from scipy.special import poch

    if x < 50:
        return float(poch(x, 0.5))
    coefficients = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304)
    return math.sqrt(x) * math.fsum(c / x**power for power, c in enumerate(coefficients))


def _notes(sample: Sample, form: str, rules: str) -> tuple[Note, ...]:
    notes = []
    if form == "zhu2020":
        notes.append(note("effect.zhu2020"))
    if sample.clusters is not None:
        notes.append(note("effect.clusters"))
    if rules != "none":
        notes.append(note("effect.rule_for_groups", rules=rules, symbol="g"))
    return tuple(notes)
