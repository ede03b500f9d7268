"""The Bayesian correlated t-test: the mean difference of items, clusters, or splits of a cross-validation."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.inference.bayes.posterior_law import StudentLaw
from nofluke.inference.bayes.region import CredibleLevel, Rope, check_share
from nofluke.inference.bayes.result import Setting, cannot_say, from_law, make
from nofluke.inference.describe import of_differences
from nofluke.registry import POSTERIORS
from nofluke.types import Note, Posterior, Sample, note

_SKEWED = 0.1
_FEW_CLUSTERS = 50


@POSTERIORS.register(
    "correlated_t",
    label="Bayesian correlated t",
    needs="paired",
    about="mean difference",
    cite="Corani and Benavoli 2015; Benavoli et al. 2017",
)
def correlated_t(
    sample: Sample,
    *,
    rope: Rope = None,
    rho: Annotated[float, "correlation of two differences: 0 for test items, test share for cross-validation"] = 0.0,
    confidence_level: CredibleLevel = 0.95,
) -> Posterior:
    """How probable is it that A's mean is above B's, and by more than what matters?

    Differences are taken as normal. With a flat prior on their mean and on the logarithm of their spread, the mean
    difference has Student's t distribution around the observed one, with scale sd * sqrt(1/n + rho / (1 - rho)) and
    n - 1 degrees of freedom. rho = 0 is for independent test items: P(worse) is then the one-sided p-value of the
    paired t-test. For the splits of a cross-validation rho is the test share (0.1 for 10 folds); some tools take
    1 / n for it unasked. Items in clusters: the spread is that of whole clusters, with as many degrees of freedom as
    clusters less one.

    Assumes a mean that is nearly normal: strong skew or few items make it rough. Not for 0/1 pairs, where `dirichlet`
    needs no such assumption.
    """
    share = check_share(rho, "rho")
    setting = Setting(sample, rope, _prior(share, sample), confidence_level)
    found = _location(sample, share)
    if found.df < 1:
        return cannot_say(setting, note("bayes.one_difference"), found.mean)
    if found.scale > 0:
        return from_law(setting, StudentLaw(found.mean, found.scale, found.df), _notes(sample, found, share))
    if found.mean:
        return cannot_say(setting, note("bayes.constant", difference=found.mean, a=setting.names[0]), found.mean)
    return _identical(setting)


class _Location(NamedTuple):
    mean: float
    scale: float
    df: int


def _location(sample: Sample, rho: float) -> _Location:
    d = of_differences(sample)
    if sample.clusters is None:
        return _Location(d.mean, math.sqrt(d.variance * (1 / d.n + rho / (1 - rho))) if d.n > 1 else math.nan, d.n - 1)
    # The item mean as a ratio of cluster totals and sizes, linearised: clusters are the independent units.
    totals, sizes = cluster_totals(differences(sample).values, sample.clusters)
    count = len(totals)
    residuals = totals - d.mean * sizes
    squares = 0.0 if d.constant else float(residuals @ residuals) / max(count - 1, 1)
    return _Location(d.mean, math.sqrt(squares * count * (1 + count * rho / (1 - rho))) / sample.n, count - 1)


def _identical(setting: Setting) -> Posterior:
    """All items tied: by symmetry nothing favours either side; how near to 0 the difference is cannot be said."""
    a, b = setting.names
    if setting.region is not None and setting.region[0] < setting.region[1]:
        low, high = setting.region
        return cannot_say(setting, note("bayes.all_tied_region", n=setting.sample.n, low=low, high=high), 0.0)
    p = (0.5, math.nan if setting.region is None else 0.0, 0.5)
    return make(setting, p, 0.0, None, (note("bayes.all_tied", a=a, b=b),))


def _prior(rho: float, sample: Sample) -> Note:
    return note("bayes.prior_flat", rho=rho, unit="item" if sample.clusters is None else "cluster")


def _notes(sample: Sample, found: _Location, rho: float) -> tuple[Note, ...]:
    if sample.clusters is not None:
        count = found.df + 1
        return (note("bayes.clusters", clusters=count, few=count < _FEW_CLUSTERS),)
    twin = note("bayes.twin", test="corrected_resampled_t" if rho else "paired_t", b=sample.systems[1])
    values = differences(sample).values
    centred = values - values.mean()
    spread = float(np.mean(centred**2))
    skewness = float(np.mean(centred**3)) / spread**1.5 if spread > 0 else 0.0
    if abs(skewness) / math.sqrt(len(values)) <= _SKEWED:
        return (twin,)
    return twin, note("bayes.skewed", skewness=skewness, n=len(values))
