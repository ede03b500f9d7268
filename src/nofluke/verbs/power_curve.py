"""power_curve: how does the power grow with the number of items like these?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from nofluke.align import as_sample
from nofluke.errors import InputError
from nofluke.inference.p_values import tail_levels
from nofluke.inference.power.curves.ask import Ask, check_ask
from nofluke.inference.power.curves.curve import power_curve_of
from nofluke.inference.power.detectable import units_and_spread
from nofluke.inference.power.terms import AcceptedLoss, Target, TestLevel, Tests
from nofluke.inference.recommend.default import preferred
from nofluke.inference.tests.claims import Range, margin_method, margin_options
from nofluke.inference.tests.student import Student
from nofluke.noting import called
from nofluke.options import (
    POSITIVE,
    Alternative,
    Bounds,
    Missing,
    Opt,
    SeedOfDraws,
)
from nofluke.registry import TESTS, Method
from nofluke.types import Interval, PowerCurve, Sample
from nofluke.verbs.test import test


@called("power_curve", "pair", "a", "b", methods=TESTS, settled=lambda result: {"method": result.test})
def power_curve(
    a: Any,
    b: Any = None,
    method: Annotated[str, Opt("The test; auto takes the recommended one.")] = "auto",
    *,
    difference: Annotated[
        float | Literal["observed"] | None,
        Opt(
            "The smallest true difference that would matter, in score units; observed draws the curve at the pilot's "
            "own difference, which is no evidence."
        ),
    ] = None,
    form: Annotated[str, Opt("pilot draws the file's items; normal draws normal differences.")] = "pilot",
    test_form: Annotated[str | None, Opt("The option form of the test (bootstrap, permutation).")] = None,
    sd: Annotated[float | None, Opt("Form normal: standard deviation of the differences.", bounds=POSITIVE)] = None,
    sizes: Annotated[
        int | Sequence[int],
        Opt(
            "How many sizes, or the sizes with commas between them.",
            bounds=Bounds(at_least=2, at_most=10**6),
            web=Bounds(at_least=2, at_most=60),
            most=60,
        ),
    ] = 20,
    up_to: Annotated[
        int | None,
        Opt("The largest size. Default: enough to reach the power.", web=Bounds(at_least=2, at_most=10**6)),
    ] = None,
    iterations: Annotated[int, Opt("Test sets drawn at each size.", web=Bounds(at_least=10, at_most=20_000))] = 200,
    seed: SeedOfDraws = 0,
    power: Target = 0.8,
    margin: AcceptedLoss = None,
    tests: Tests = 1,
    alpha: TestLevel = 0.05,
    alternative: Alternative = "two-sided",
    missing: Missing = "refuse",
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PowerCurve:
    """How does the chance to find a difference grow with the number of items like these?

    Takes two sequences or one Sample (a pilot) and any registered test, on any metric. `difference` is the smallest
    true difference that would matter, in score units, positive = A better: the pilot's items are reweighted until they
    show it, and test sets of each size are drawn from them, also larger ones than the pilot. Without it the answer is
    how many items the detectable difference, its half and both ends of the interval need. difference="observed" is the
    retrospective curve of Zhu et al. (2020), with a warning. form="normal" draws normal differences (with `sd`, or the
    pilot's) instead of items; what the test itself calls form is `test_form` here.

    `sizes` is how many sizes (up to `up_to`), or the sizes themselves; `power` the target. The band is Clopper and
    Pearson's 95% for `iterations` drawn test sets. Further options belong to the test.

    >>> import nofluke as nf
    >>> curve = nf.power_curve([1, 0, 1, 1] * 20, [0, 0, 1, 0] * 10 + [1, 1, 1, 0] * 10, difference=0.1)
    >>> curve.test, bool(curve.power[-1] > curve.power[0])
    ('mcnemar', True)
    """
    if isinstance(a, Sample) and isinstance(b, str):
        b, method = None, b
    unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
    sample = as_sample(a, b, paired=not unpaired, missing=missing)
    chosen = _method(sample, method, margin, (options.get("low"), options.get("high")))
    if margin is not None and "low" not in chosen.option_names():
        # The range of the scores is for the tests that take it.
        options = {name: value for name, value in options.items() if name not in ("low", "high")}
    if margin is not None and method == "auto" and test_form is None:
        options = {**margin_options(chosen.name, sample), **options}
    stated, observed = _true_difference(difference, margin)
    ask = Ask(
        method=chosen,
        options=options if test_form is None else {**options, "form": test_form},
        difference=stated,
        observed=observed,
        form=form,
        sd=sd,
        sizes=sizes,
        up_to=up_to,
        iterations=iterations,
        seed=seed,
        alpha=alpha,
        tests=tests,
        alternative=alternative,
        margin=margin,
        target=power,
    )
    check_ask(ask, sample)
    if ask.options or margin is not None:
        # What the test refuses on the pilot it would refuse, or leave unused, in every drawn test set.
        asked: dict[str, Any] = {"alternative": ask.setting.alternative, "seed": seed, **ask.options}
        asked |= {} if margin is None else {"delta": ask.setting.delta}
        test(sample, chosen.name, **asked)
    interval = _interval(sample, ask) if stated is None and not observed else None
    return power_curve_of(sample, ask, interval, progress)


def _true_difference(difference: float | str | None, margin: float | None) -> tuple[float | None, bool]:
    """Give the difference that was stated, if any, and whether it is that of the pilot."""
    if difference == "observed":
        return None, True
    if isinstance(difference, str):
        raise InputError(
            f"difference = {difference!r} is neither a number nor 'observed'.",
            fix="give the smallest difference that would matter to you, in score units.",
        )
    # "Not worse" is planned for systems that are truly equal unless something else is stated.
    return 0.0 if difference is None and margin is not None else difference, False


def _method(sample: Sample, method: str, margin: float | None, score_range: Range) -> Method:
    if method != "auto":
        return TESTS[method]
    return TESTS[preferred(sample) if margin is None else margin_method(sample, score_range)]


def _interval(sample: Sample, ask: Ask) -> Interval | None:
    """Give the test's own interval where it is one of the mean, otherwise that of t."""
    level = 1 - ask.setting.level
    if ask.method.facts["about"] == "mean" and not ask.options and sample.aggregate.whole is None:
        found = test(sample, ask.method.name, confidence_level=level, seed=ask.seed)
        if found.interval is not None:
            return found.interval
    if not sample.paired:
        return None
    units, spread = units_and_spread(sample)
    if units < 2 or math.isnan(spread.variance):
        return None
    estimate = sample.score(0) - sample.score(1)
    estimate = estimate if sample.higher_is_better else -estimate
    below, above = tail_levels("two-sided", level)
    return Interval(*Student(estimate, spread).limits(below, above), level, "t")
