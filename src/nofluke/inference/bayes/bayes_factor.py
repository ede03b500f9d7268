"""The JZS Bayes factor: how many times more probable the data are if A and B differ than if they do not."""

from __future__ import annotations

import math
from typing import Annotated

from nofluke.inference.bayes.jzs import log_bayes_factor
from nofluke.inference.bayes.region import check_positive
from nofluke.inference.bayes.result import refuse_clusters
from nofluke.inference.describe.moments import of_differences
from nofluke.inference.p_values import Alternative
from nofluke.registry import POSTERIORS
from nofluke.types import Estimate, Note, Sample, note

# Beyond, the prior says that effects are all but none, or all but infinite; the integral is right up to here.
_LARGEST_SCALE = 1e6
_LARGEST_LOG = math.log(1.7e308)


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
