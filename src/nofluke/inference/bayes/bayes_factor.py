"""The JZS Bayes factor: how many times more probable the data are if A and B differ than if they do not."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from nofluke.inference.bayes.region import check_positive
from nofluke.inference.bayes.result import refuse_clusters
from nofluke.inference.describe import of_differences
from nofluke.inference.p_values import Alternative
from nofluke.laws.tails import log_t_tail
from nofluke.registry import POSTERIORS
from nofluke.types import Estimate, FloatArray, Note, Sample, note

# Beyond, the prior says that effects are all but none, or all but infinite; the integral is right up to here.
_LARGEST_SCALE = 1e6
_LARGEST_LOG = math.log(1.7e308)
# Spacing in log g: the integrand is analytic in a strip of half-width pi / 2, so 0.05 leaves an error below 1e-30.
_STEP = 0.05
# The prior of g vanishes doubly exponentially below exp(-6) / 2; above it falls like g^-1/2, and with the likelihood
# like 1 / g beyond 1 / (n r^2).
_FIRST = -7.0
_BEYOND = 48.0


@POSTERIORS.register(
    "bayes_factor",
    label="JZS Bayes factor",
    needs="paired",
    about="standardised mean difference",
    cite="Rouder et al. 2009; Morey and Rouder 2011",
)
def bayes_factor(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    r: Annotated[float, "scale of the Cauchy prior on the standardised difference; 1 in older papers"] = math.sqrt(0.5),
    log: Annotated[bool, "give the natural logarithm of the Bayes factor"] = False,
) -> Estimate:
    """How many times more probable are the data if A and B differ than if they do not differ at all?

    BF10 of the paired t statistic. Under H0 the mean difference is exactly 0; under H1 the difference in standard
    deviations has a Cauchy prior with scale r (half of it for a one-sided claim). Above 1 the data speak for a
    difference, below 1 for none. The value hangs on r and must be reported with it; and exact equality is seldom the
    question, so prefer a posterior with a region.

    Assumes independent differences with a nearly normal mean. BF10 is not the probability of H1: that takes the prior
    odds as well. Not for items in clusters.
    """
    refuse_clusters(sample, "bayes_factor")
    scale = check_positive(r, "r", _LARGEST_SCALE)
    d = of_differences(sample)
    if d.n < 2 or d.variance == 0:
        return Estimate("bayes_factor", math.nan, notes=(_why_undefined(d.n, d.mean),))
    t = d.mean / math.sqrt(d.variance / d.n)
    log_factor = log_bayes_factor(t, d.n, scale, alternative)
    value = log_factor if log else math.exp(log_factor) if log_factor < _LARGEST_LOG else math.inf
    claim = {"alternative": alternative, "a": sample.systems[0], "b": sample.systems[1]}
    notes = (
        note("bayes.factor", log_factor=log_factor, log=log, **claim),
        note("bayes.factor_prior", r=scale, t=t, n=d.n, log_factor=log_factor, **claim),
        note("bayes.factor_is_no_probability"),
        *((note("bayes.factor_too_large"),) if log_factor >= _LARGEST_LOG and not log else ()),
    )
    return Estimate("bayes_factor", value, notes=notes)


def _why_undefined(n: int, mean: float) -> Note:
    return note("bayes.factor_one_difference") if n < 2 else note("bayes.factor_no_spread", difference=mean)


def log_bayes_factor(t: float, n: int, r: float, alternative: str = "two-sided") -> float:
    """Give log BF10 of a t statistic from n differences, with a Cauchy prior of scale r on the standardised effect.

    Rouder et al. (2009), equation 1: the effect is normal with variance g r^2, and g inverse chi-square with 1 degree
    of freedom. One-sided, the prior is the half of the Cauchy on that side: given g, the factor is then multiplied by
    2 P(T < c sqrt(n)), T Student's t with n degrees of freedom and c / sqrt(1 + c^2) = t' sqrt(a / (1 + a)), where
    a = n g r^2 and t' = t / sqrt(n - 1 + t^2).

    >>> round(math.exp(log_bayes_factor(4.0621277, 10, 2**-0.5)), 4)
    17.2589
    """
    df = n - 1
    log_g = np.arange(_FIRST, _BEYOND + max(0.0, -math.log(n * r * r)) + 2 * math.log1p(t * t / df), _STEP)
    g = np.exp(log_g)
    scaled = n * r * r * g
    log_prior = -0.5 * math.log(2 * math.pi) - 1.5 * log_g - 0.5 / g
    # (1 + t^2/df)^(n/2) (1 + t^2 / ((1 + a) df))^(-n/2), as one quotient.
    gain = 0.5 * n * np.log1p(t * t / df * scaled / (1 + scaled) / (1 + t * t / (df * (1 + scaled))))
    terms: FloatArray = log_prior - 0.5 * np.log1p(scaled) + gain + log_g
    if alternative != "two-sided":
        side = t if alternative == "greater" else -t
        terms = terms + math.log(2) + _log_on_side(side, n, scaled)
    peak = float(terms.max())
    return peak + math.log(_STEP * math.fsum(np.exp(terms - peak).tolist()))


def _log_on_side(t: float, n: int, scaled: FloatArray) -> FloatArray:
    """Give log P(effect > 0) given g and the data."""
    df = n - 1
    # c^2 = k^2 t'^2 / (1 - k^2 t'^2) with k^2 = a / (1 + a) and t'^2 = t^2 / (df + t^2).
    c = t * np.sqrt(scaled / (df + t * t + df * scaled))
    return np.array([log_t_tail(-float(x), n) for x in c * math.sqrt(n)])
