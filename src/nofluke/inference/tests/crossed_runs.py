"""A t-test of systems that were trained several times: items and training runs both vary."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.p_values import Alternative, ConfidenceLevel, Delta, no_difference_fits, p_of
from nofluke.inference.spread import Spread, added, item_values, spread_of_mean
from nofluke.inference.tests.student import Student, hardest
from nofluke.registry import TESTS
from nofluke.types import Computed, FloatArray, Interval, Noise, Note, Sample, TestResult, note

# From so many runs of each system on, a claim about training can be made; fewer are indicative.
ENOUGH_RUNS = 3
# With fewer the subtracted form rejects true null hypotheses too often.
_RUNS_TO_SUBTRACT = 10


@TESTS.register(
    "crossed_runs",
    label="t-test over items and training runs",
    needs="paired",
    null="{a} and {b}, trained again and scored on other items, differ by delta in the mean",
    estimand="mean difference",
    about="mean",
    clusters=True,
    strata=True,
    runs=True,
    delta_instead="",
    cite="Satterthwaite 1946; Miller 2024",
)
def crossed_runs(
    sample: Sample,
    *,
    alternative: Alternative = "two-sided",
    delta: Delta = 0.0,
    confidence_level: ConfidenceLevel = 0.95,
    form: Annotated[
        Literal["whole", "subtracted"],
        "whole adds the variance of run averages; subtracted takes off what items explain of it (from 10 runs each on)",
    ] = "whole",
) -> TestResult:
    """Would one system still be better than the other if both were trained again and scored on other items?

    For runs="crossed": every run of a system is scored on all items. The variance of the difference is that of item
    means, s_d^2 / n (of clusters, of datasets with their weights), plus s_run^2 / R for the R run averages of each
    system; t has Satterthwaite's degrees of freedom. The p-value is the larger one of this test and of Student's pooled
    t-test of the run averages, the interval the wider one: with few runs either alone rejects too often. With 3 runs
    or more of each system it rejected at most 4.8 % of true null hypotheses at .05 in simulations, 6.3 % where only one
    of the two systems varied; 2 runs are indicative. Resampling runs, or leaving them out, takes seeds for evidence.
    """
    tests = [Student(_estimate(sample), spread) for spread in spreads(sample, form)]
    log_p, limits = hardest(tests, alternative, delta, confidence_level)
    if _identical(sample) and no_difference_fits(alternative, delta):
        log_p = 0.0
    first = tests[0]
    numbers = _numbers(sample)
    return TestResult(
        statistic=first.t(delta),
        p_value=p_of(log_p),
        log_p_value=log_p,
        alternative=alternative,
        n=sample.n,
        computed=Computed("exact"),
        validity="asymptotic",
        estimate=first.estimate,
        delta=delta,
        interval=None if limits is None else Interval(*limits, confidence_level, "t"),
        details={
            "df": first.spread.df,
            "standard_error": first.spread.standard_error,
            "runs_a": numbers[0],
            "runs_b": numbers[1],
        },
        notes=_notes(sample, math.isnan(log_p)),
    )


def _identical(sample: Sample) -> bool:
    """Whether both systems have the same scores in all runs."""
    return sample.runs is not None and np.array_equal(sample.runs.statistics[0], sample.runs.statistics[1])


def spreads(sample: Sample, form: str = "whole") -> list[Spread]:
    """Give what the difference may be off by: from items and runs, and (form "whole") from run averages alone."""
    if not sample.paired or len(sample.systems) != 2:
        raise MethodError("two systems on the same items are compared.", fix="choose two with scores.pair(a, b).")
    items, parts = spread_of_difference(sample), [spread_of_runs(sample, index) for index in (0, 1)]
    if math.isnan(items.variance):
        raise MethodError(
            f"one {sample.unit} has no spread, and the difference of the systems rests on it.",
            fix="score more items; of several datasets leave out those with one item.",
        )
    if form == "whole":
        return [added(items, *parts), _pooled(sample)]
    _refuse_few_runs(parts)
    return [added(items, *(_less(part, items_in_runs(sample, index)) for index, part in enumerate(parts)))]


def spread_of_difference(sample: Sample) -> Spread:
    """Give the variance of the difference of two systems from items, their scores being means over runs."""
    return spread_of_mean(item_values(sample, 0) - item_values(sample, 1), sample)


def _estimate(sample: Sample) -> float:
    """The difference of the mean scores of runs, positive where A is better."""
    a, b = (math.fsum(scores.tolist()) / len(scores) for scores in (sample.run_scores(0), sample.run_scores(1)))
    return a - b if sample.higher_is_better else b - a


def _numbers(sample: Sample) -> tuple[int, int]:
    a, b = (0, 0) if sample.runs is None else map(len, sample.runs.names[:2])
    return a, b


def spread_of_runs(sample: Sample, index: int) -> Spread:
    """The variance of a system's mean score from its runs."""
    scores = sample.run_scores(index)
    return Spread(_variance(scores) / len(scores), len(scores) - 1.0)


def _variance(values: FloatArray) -> float:
    # A mean of equal numbers need not be that number.
    return 0.0 if values.min() == values.max() else float(np.var(values, ddof=1))


def items_in_runs(sample: Sample, index: int) -> float:
    """Give what items explain of the variance of a system's run averages: MS_res / n, over datasets and clusters."""
    runs = sample.runs
    if runs is None:
        return 0.0
    number = len(runs.names[index])
    values = np.stack([item_values(sample, index, run) for run in range(number)], axis=1)
    residuals = values - values.mean(axis=1, keepdims=True)
    each = (spread_of_mean(residuals[:, run], sample).variance for run in range(number))
    return math.fsum(each) / (number - 1)


def _less(part: Spread, explained: float) -> Spread:
    """Take off what items explain; R is one more than the degrees of freedom."""
    return Spread(max(part.variance - explained / (part.df + 1), 0.0), part.df)


def _pooled(sample: Sample) -> Spread:
    """The variance of the difference from run averages alone, both systems having the same spread."""
    a, b = sample.run_scores(0), sample.run_scores(1)
    df = len(a) + len(b) - 2
    spread = (_variance(a) * (len(a) - 1) + _variance(b) * (len(b) - 1)) / df
    return Spread(spread * (1 / len(a) + 1 / len(b)), float(df))


def _refuse_few_runs(parts: list[Spread]) -> None:
    fewest = int(min(part.df for part in parts)) + 1
    if fewest < _RUNS_TO_SUBTRACT:
        raise MethodError(
            f"form 'subtracted' rejects too often below {_RUNS_TO_SUBTRACT} runs of each system; there are {fewest}.",
            fix="leave form at 'whole'.",
        )


def _notes(sample: Sample, undefined: bool) -> tuple[Note, ...]:
    notes = notes_on_few_runs(sample)
    return (*notes, note("test.no_spread", instead=())) if undefined else notes


def notes_on_few_runs(sample: Sample, index: int | None = None) -> tuple[Note, ...]:
    """Note which systems (or whether this one) were trained so seldom that claims about training are indicative."""
    if sample.runs is None:
        return ()
    numbers = dict(zip(sample.systems, map(len, sample.runs.names), strict=True))
    asked = sample.systems if index is None else sample.systems[index : index + 1]
    few = tuple(name for name in asked if numbers[name] < ENOUGH_RUNS)
    return (note("test.two_runs", systems=few, enough=ENOUGH_RUNS),) if few else ()


def noise_of(sample: Sample) -> Noise | None:
    """Split the variance of the difference into items and runs; None where runs are not kept apart."""
    if sample.runs is None or math.isnan(items := spread_of_difference(sample).variance):
        return None
    numbers = _numbers(sample)
    explained = [items_in_runs(sample, index) for index in (0, 1)]
    runs = [max(_variance(sample.run_scores(index)) - explained[index], 0.0) for index in (0, 1)]
    of_runs = math.fsum(own / number for own, number in zip(runs, numbers, strict=True))
    # Item means still hold the noise of single answers, which more runs average away as well.
    answers = math.fsum(own / number for own, number in zip(explained, numbers, strict=True))
    worth = sample.n if sample.strata is None else sample.strata.effective_n
    return Noise(
        items=items,
        runs=(runs[0], runs[1]),
        n_runs=numbers,
        standard_error=math.sqrt(items + of_runs),
        twice_items=math.sqrt(items / 2 + of_runs),
        twice_runs=math.sqrt(max(items - answers / 2, items / 2) + of_runs / 2),
        sd=math.sqrt(max(items - answers, 0.0) * worth),
        run_sd=math.sqrt((runs[0] + runs[1]) / 2),
        answer_sd=math.sqrt((explained[0] + explained[1]) / 2 * worth),
    )
