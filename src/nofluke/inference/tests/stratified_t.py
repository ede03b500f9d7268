"""Satterthwaite's t-test of the weighted average of several datasets."""

from __future__ import annotations

import math

from nofluke.align import differences
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta
from nofluke.inference.spread import Design, design_of
from nofluke.inference.tests.t_result import t_result
from nofluke.registry import TESTS
from nofluke.types import Sample, TestResult


@TESTS.register(
    "stratified_t",
    label="stratified t-test of the average",
    needs="paired",
    null="the average difference of {a} and {b} over the datasets is delta",
    estimand="average difference over datasets",
    about="mean",
    clusters=True,
    strata=True,
    within_datasets=True,
    delta_instead="",
    cite="Satterthwaite 1946; Cameron and Miller 2015",
)
def stratified_t(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
) -> TestResult:
    """Is the average difference of datasets larger than the spread within each of them explains?

    The standard error is the root of the sum of w^2 s^2 / n over the datasets, with Satterthwaite's degrees of freedom;
    with clusters that of their totals (CR1), within each dataset unless they reach over several. Swaps are cautious
    where datasets truly differ (size .020 at .05 with differences of .4, 0 and -.4), and this test is not (.048). But
    it needs normal means in each dataset: with few differing items in one that weighs much it errs in both directions
    (.019 to .051 on 0/1 scores). So it is taken by name, before the data are seen, and never recommended. One dataset
    gives the paired t-test.
    """
    values, design = differences(sample).values, design_of(sample)
    spread = design.spread(values)
    if math.isnan(spread.variance):
        _refuse_single_units(sample, design)
    return t_result(
        design.average(values),
        spread.standard_error,
        spread.df,
        n=sample.n,
        alternative=alternative,
        delta=delta,
        confidence_level=confidence_level,
        validity="asymptotic",
        details={},
        instead=("permutation",),
    )


def _refuse_single_units(sample: Sample, design: Design) -> None:
    strata, lone = sample.strata, design.units.tolist().index(1)
    where = "there is 1" if strata is None or strata.one_source else f"{strata.names[lone]!r} has 1"
    raise MethodError(
        f"a t-test needs at least 2 {sample.unit}s in every dataset, and {where}: one difference has no spread.",
        fix=Fix("use ", Option("method", "permutation"), ", which needs no spread."),
    )
