"""correlation_test: does A agree with the gold standard better than B?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nofluke.check import check_level
from nofluke.inference.correlation.dependent import Correlations
from nofluke.inference.tests.run import alpha_of
from nofluke.noting import called, signature
from nofluke.registry import CORRELATIONS
from nofluke.types import TestResult


@called("correlation_test")
def correlation_test(
    r_a: float,
    r_b: float,
    r_ab: float,
    n: int,
    method: str = "steiger",
    *,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> TestResult:
    """Does A correlate with the gold standard better than B, on the same items?

    `r_a` and `r_b` are the correlations of A and B with gold, `r_ab` that of A and B with each other, `n` the number of
    items. The interval of the difference is Zou's, whatever the test.

    >>> import nofluke as nf
    >>> round(nf.correlation_test(0.5, 0.4, 0.7, 200).p_value, 4)
    0.0382
    """
    chosen = CORRELATIONS[method]
    check_level(confidence_level, "confidence_level")
    found = Correlations(float(r_a), float(r_b), float(r_ab), int(n))
    found.check()
    settings: dict[str, Any] = {"alternative": alternative, "confidence_level": confidence_level}
    result: TestResult = chosen.function(found, **chosen.check_options(settings))
    return replace(
        result,
        method=chosen.name,
        label=chosen.label,
        null="the correlations of {a} and {b} with the gold standard are equal",
        estimand="difference of the correlations",
        about="mean",
        kind="correlation",
        alpha=alpha_of(confidence_level),
        signature=signature("correlation", chosen.name, {"alternative": alternative, "n": n}),
    )
