"""Several datasets at once: a hierarchical normal model, integrated without a sampler."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from nofluke.align import differences
from nofluke.errors import InputError, MethodError
from nofluke.inference.bayes.posterior_law import NormalMixture, nodes_between, three
from nofluke.inference.bayes.region import CredibleLevel, Rope, check_positive, check_share
from nofluke.inference.bayes.result import CREDIBLE, Setting, from_law
from nofluke.registry import POSTERIORS
from nofluke.types import DatasetEffect, FloatArray, Interval, Note, Posterior, Sample, note

# Spacing of the half-Cauchy probabilities at which the spread between datasets is taken; half of it changes nothing.
_SPACING = 0.004
_FEW_ITEMS = 20
# The default scale of the prior of that spread, in standard deviations of the observed differences.
_WIDTH = 3.0
# The widest prior whose integral is right, in default scales.
_WIDEST = 1e6


@POSTERIORS.register(
    "hierarchical",
    label="hierarchical normal model over datasets",
    needs="datasets",
    about="mean difference over datasets like these",
    cite="Gelman 2006; Corani et al. 2017",
)
def hierarchical(
    sample: Sample,
    *,
    rope: Rope = None,
    target: Annotated[
        Literal["mean", "next"], "the mean over all datasets like these, or the difference on the next such dataset"
    ] = "mean",
    rho: Annotated[float, "correlation of two differences of a dataset: 0 for items, the test share for splits"] = 0.0,
    spread_scale: Annotated[
        float | None, "scale of the half-Cauchy prior on the spread between datasets; default from the data"
    ] = None,
    confidence_level: CredibleLevel = 0.95,
) -> Posterior:
    """Over datasets like these, how probable is it that A is better on average, or on the next one?

    Each dataset has its own true difference; these are normal around a common mean with an unknown spread. What is
    observed on a dataset is normal around its true difference with its standard error, which is taken as known (an
    approximation, rough below some 20 items; Corani et al. sample that too, and a t in place of the normal). Flat prior
    on the common mean; half-Cauchy prior on the spread with, unless stated, 3 standard deviations of the observed
    differences as its scale. Given the spread all is normal; the spread itself is integrated numerically, no draws.

    `clusters` of the sample are the datasets; nf.bayes makes such a sample of several datasets. Not for a single one.
    """
    share = check_share(rho, "rho")
    seen = _observed(sample, share)
    scale = seen.default_scale if spread_scale is None else _checked_scale(spread_scale, seen)
    shape = integrated(seen, scale)
    laws = {"mean": shape.mean_law(), "next": shape.next_law()}
    setting = Setting(sample, rope, _prior(scale, spread_scale is None), confidence_level, about=_ABOUT[target])
    notes = (_other_target(setting, laws, target), note("bayes.between_datasets", sd=shape.spread, scale=seen.rough))
    result = from_law(setting, laws[target], (*notes, *_notes(sample, seen)))
    effects = tuple(_dataset(seen, shape, index, confidence_level) for index in range(len(seen.names)))
    return replace(result, datasets=effects)


_ABOUT = {"mean": "datasets_mean", "next": "next_dataset"}


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What is seen on each dataset: size, mean difference and its standard error."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    means: FloatArray
    errors: FloatArray
    borrowed: tuple[str, ...] = ()

    @property
    def rough(self) -> float:
        """A typical standard error, for rounding."""
        return float(np.median(self.errors))

    @property
    def default_scale(self) -> float:
        """A multiple of the standard deviation of the observed differences, or of a typical standard error if larger.

        The multiple is large enough for 95% intervals to hold the truth in about 95 of 100 simulations or more.
        """
        return _WIDTH * max(float(np.std(self.means, ddof=1)), math.sqrt(float(np.mean(self.errors**2))))


def _observed(sample: Sample, rho: float) -> Observed:
    if sample.clusters is None or len(np.unique(sample.clusters)) < 2:
        raise MethodError(
            "a hierarchical model needs several datasets.",
            fix="give a mapping of datasets to pairs of sequences, or scores with a dataset column; "
            "use 'correlated_t' or 'dirichlet' for a single one.",
        )
    values, codes = differences(sample).values, sample.clusters
    groups = [values[codes == code] for code in np.unique(codes)]
    names = tuple(sample.cluster_labels[code] for code in np.unique(codes))
    factors = np.array([math.sqrt(1 / len(group) + rho / (1 - rho)) for group in groups])
    spreads = np.array([_spread(group) for group in groups])
    usable = spreads > 0
    if not usable.any():
        raise MethodError(
            "no dataset shows any spread, so nothing is known of how far off its mean may be.",
            fix="give the scores of items, several for each dataset; with one score a dataset use 'signed_rank'.",
        )
    pooled = math.sqrt(float(np.mean(spreads[usable] ** 2)))
    borrowed = tuple(name for name, fine in zip(names, usable, strict=True) if not fine)
    errors = np.where(usable, spreads, pooled) * factors
    means = np.array([math.fsum(group.tolist()) / len(group) for group in groups])
    return Observed(names, tuple(len(group) for group in groups), means, errors, borrowed)


def _checked_scale(spread_scale: float, seen: Observed) -> float:
    """Refuse a prior so wide that the spreads the data allow lie between its first two nodes; a narrow one is none."""
    scale, widest = check_positive(spread_scale, "spread_scale"), _WIDEST * seen.default_scale
    if scale > widest:
        raise InputError(
            f"spread_scale = {spread_scale!r} is more than a million times what the data show.",
            fix=f"give at most {widest:.3g}: a flat prior gives the same figures from a thousandth of that on.",
        )
    return scale


def _spread(group: FloatArray) -> float:
    """The standard deviation; 0 where it cannot be told."""
    return float(np.std(group, ddof=1)) if len(group) > 1 and np.ptp(group) > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Integrated:
    """For every value of the spread: its posterior weight, and the normal distribution of the common mean given it."""

    spreads: FloatArray
    weights: FloatArray
    means: FloatArray
    variances: FloatArray

    @property
    def spread(self) -> float:
        """The median of the spread between datasets."""
        order = np.argsort(self.spreads)
        return float(self.spreads[order][np.searchsorted(np.cumsum(self.weights[order]), 0.5)])

    def mean_law(self) -> NormalMixture:
        """The common mean."""
        return NormalMixture(self.means, np.sqrt(self.variances), self.weights)

    def next_law(self) -> NormalMixture:
        """The true difference on a dataset not seen yet."""
        return NormalMixture(self.means, np.sqrt(self.variances + self.spreads**2), self.weights)

    def dataset_law(self, observed: float, error: float) -> NormalMixture:
        """The true difference on a dataset that was seen: drawn towards the common mean, the more the noisier it is."""
        pull = error**2 / (error**2 + self.spreads**2)
        variances = (1 - pull) * error**2 + pull**2 * self.variances
        return NormalMixture(observed + pull * (self.means - observed), np.sqrt(variances), self.weights)


def integrated(seen: Observed, scale: float) -> Integrated:
    """Gelman et al. (2013), section 5.4: p(spread | data), with the half-Cauchy prior made uniform by its own cdf."""
    u, weights = nodes_between(0.0, 1.0, _SPACING)
    spreads = scale * np.tan(0.5 * math.pi * u)
    precision = 1 / (seen.errors**2 + spreads[:, None] ** 2)
    variances = 1 / precision.sum(axis=1)
    means = variances * (precision @ seen.means)
    misfit = np.sum(precision * (seen.means - means[:, None]) ** 2, axis=1)
    log_density = 0.5 * np.log(variances) + 0.5 * np.sum(np.log(precision), axis=1) - 0.5 * misfit
    mass = weights * np.exp(log_density - log_density.max())
    keep = mass > mass.max() * 1e-18
    return Integrated(spreads[keep], mass[keep] / mass[keep].sum(), means[keep], variances[keep])


def _dataset(seen: Observed, shape: Integrated, index: int, level: float) -> DatasetEffect:
    observed, error = float(seen.means[index]), float(seen.errors[index])
    law = shape.dataset_law(observed, error)
    tail = (1 - level) / 2
    interval = Interval(law.quantile(tail), law.quantile(1 - tail), level, CREDIBLE)
    return DatasetEffect(
        seen.names[index], seen.sizes[index], observed, error, law.quantile(0.5), interval, law.above(0.0)
    )


def _prior(scale: float, from_data: bool) -> Note:
    return note("bayes.prior_hierarchical", scale=scale, deviations=_WIDTH if from_data else None)


def _other_target(setting: Setting, laws: dict[str, NormalMixture], target: str) -> Note:
    """Note the probabilities of the target that was not asked for."""
    other = "next" if target == "mean" else "mean"
    better, equal, worse = three(laws[other], setting.region, 0.0)
    facts = {"a": setting.names[0], "b": setting.names[1], "about": _ABOUT[other]}
    return note("bayes.other_target", p_better=better, p_equal=equal, p_worse=worse, **facts)


def _notes(sample: Sample, seen: Observed) -> tuple[Note, ...]:
    notes = list(sample.notes)
    few = [name for name, size in zip(seen.names, seen.sizes, strict=True) if size < _FEW_ITEMS]
    if few:
        notes.append(note("bayes.small_datasets", datasets=len(few), of=len(seen.names), fewest=_FEW_ITEMS))
    if seen.borrowed:
        notes.append(note("bayes.borrowed", datasets=seen.borrowed))
    if len(seen.names) < 5:
        notes.append(note("bayes.few_datasets", datasets=len(seen.names)))
    return tuple(notes)
