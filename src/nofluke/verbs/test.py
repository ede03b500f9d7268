"""test: run one significance test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from nofluke.align import as_sample
from nofluke.inference.recommend.default import preferred
from nofluke.inference.tests.run import run_test
from nofluke.noting import called
from nofluke.options import Alternative, ConfidenceLevel, Delta, Missing, Opt, Seed
from nofluke.registry import TESTS
from nofluke.types import Sample, TestResult


@called("test", "pair", "a", "b", methods=TESTS, settled=lambda result: result.call.options)
def test(
    a: Any,
    b: Any = None,
    method: Annotated[str, Opt("The test; auto takes the recommended one.", registry="test")] = "auto",
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    seed: Seed = 0,
    missing: Missing = "refuse",
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> TestResult:
    """Could the difference between A and B be a fluke, by this test?

    Takes two sequences, or one Sample (then the method may follow it directly). method="auto" takes the one that
    `recommend` prefers. `alternative` "greater" claims that A is better. `delta` is the difference under the null
    hypothesis. Further options belong to the method (see `methods`). The p-value does not depend on any alpha and is
    never 0; `log_p_value` reaches further down. missing="drop" leaves out items without a score for both systems;
    `progress` is called with (done, total) while draws are made.

    >>> import nofluke as nf
    >>> nf.test([1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 1, 0], "sign").p_value
    0.0625
    """
    if isinstance(a, Sample) and isinstance(b, str):
        b, method = None, b
    unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
    sample = as_sample(a, b, paired=not unpaired, missing=missing)
    return run_test(
        sample,
        preferred(sample) if method == "auto" else method,
        alternative=alternative,
        delta=delta,
        confidence_level=confidence_level,
        seed=seed,
        progress=progress,
        **options,
    )
