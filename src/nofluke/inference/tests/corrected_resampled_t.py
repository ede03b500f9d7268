"""The corrected resampled t-test over the splits of a cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated

from nofluke.align import FOLDS
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.inference.describe import of_differences
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta
from nofluke.inference.tests.t_result import t_result
from nofluke.registry import TESTS
from nofluke.types import Note, Sample, TestResult


@TESTS.register(
    "corrected_resampled_t",
    label="corrected resampled t-test",
    needs="paired",
    null="trained on such splits, the mean difference of {a} and {b} is delta",
    estimand="mean difference over splits",
    about="mean",
    clusters=False,
    delta_instead="",
    of_splits=True,
    cite="Nadeau and Bengio 2003; Bouckaert and Frank 2004",
)
def corrected_resampled_t(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    rho: Annotated[float | None, "share of the data in each test part (0.1 for 10-fold cross-validation)"] = None,
) -> TestResult:
    """Over the splits of a cross-validation, is the mean difference more than overlapping training data explain?

    One score for each split (not for each item). Splits share training data, so their differences correlate and the
    plain paired t-test finds far too much. The standard error is sd * sqrt(1/n + rho/(1 - rho)): with n_test / n_train
    = rho/(1 - rho), the correlation is taken to be the test share rho. n - 1 degrees of freedom. rho = 0 is the paired
    t-test. More repetitions of the cross-validation lower the first term only.

    Null: the mean difference over such splits is delta. The assumed correlation is a rule of thumb, and no unbiased
    estimate of this variance exists. Not for per-item scores of one test set (use permutation or paired_t).
    """
    share = _check(rho)
    d = of_differences(sample)
    if d.n < 2:
        raise MethodError(
            "the corrected resampled t-test needs at least 2 splits, and there is 1.",
            fix="give one score for each split, or compare the items of the one test set with 'permutation'.",
        )
    return t_result(
        d.mean,
        math.sqrt(d.variance * (1 / d.n + share / (1 - share))),
        d.n - 1,
        n=d.n,
        alternative=alternative,
        delta=delta,
        confidence_level=confidence_level,
        validity="split_correlation",
        unit="split",
        details={"rho": share},
    )


def unless_corrected(notes: Iterable[Note], method: str) -> tuple[Note, ...]:
    """Leave out the warning of folds where this test takes each of them as one split."""
    of_splits = method in TESTS and TESTS[method].facts["of_splits"]
    return tuple(one for one in notes if not (of_splits and one.code == FOLDS and not one["columns"]))


def _check(rho: float | None) -> float:
    """Refuse to guess the test share."""
    if rho is None:
        raise MethodError(
            "corrected_resampled_t has to know the test share rho.",
            fix="give rho = test items / all items of a split: 0.1 for 10-fold, 0.5 for 5x2-fold cross-validation.",
        )
    if not 0 <= rho < 1:
        raise InputError(
            f"rho = {rho!r} is not a share of at least 0 and below 1.",
            fix=Fix("give, say, ", Option("rho", "0.1"), "."),
        )
    return rho
