"""Each dataset beside the average: who is better there, after a correction for the number of datasets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.align.strata import averaged, tasks_of, unblocked
from nofluke.errors import MethodError
from nofluke.inference.p_values import significant
from nofluke.inference.recommend.default import preferred
from nofluke.inference.tests.run import run_test
from nofluke.types import Average, Replication, Sample, Strata, Task, TestResult


def judge_tasks(
    sample: Sample, result: TestResult, *, alpha: float, joint: bool, settings: Mapping[str, Any]
) -> tuple[tuple[Task, ...], Average | None]:
    """Test every dataset on its own items, and say how the average was made; nothing where there is one dataset.

    Holm's correction over the datasets, in both directions at half the level each where the test is two-sided: so the
    number of datasets on which a system is better and the list of them are the same claim, however datasets depend on
    each other. joint=True makes claims about single datasets only where the average is decided (a fixed sequence).
    """
    strata = sample.strata
    if strata is None:
        return (), None
    from nofluke.inference.replication.conclude import Request, conclude
    from nofluke.inference.replication.evidence import Manner, evidence_from_samples

    samples = tasks_of(sample)
    asked = Request(result.alternative, alpha, "unknown")
    method = result.method if all(_fits(one, result.method) for one in samples.values()) else "permutation"
    own = {name: value for name, value in settings.items() if name not in _SHARED and method == result.method}
    manner = Manner(method, settings.get("seed", 0), options=own, planned=False)
    found = conclude(evidence_from_samples(samples, None, None, None, asked, manner), asked)
    closed = joint and not significant(result.p_value, alpha)
    tasks = tuple(
        _task(found, place, strata, alpha, closed=closed, alternative=result.alternative)
        for place in range(len(samples))
    )
    return tasks, _average(sample, strata, tasks, result, settings, joint=joint)


# What every test of a mean takes; all else belongs to one of them.
_SHARED = ("alternative", "delta", "confidence_level", "seed")


def _fits(sample: Sample, method: str) -> bool:
    """Whether the test of the average is one of single datasets too; of 0/1 scores swaps are McNemar's test."""
    return method == "permutation" or method == preferred(sample)


def _task(found: Replication, place: int, strata: Strata, alpha: float, *, closed: bool, alternative: str) -> Task:
    sides = [found] if found.opposite is None else [found, found.opposite]
    adjusted = [float(side.adjusted["holm"][place]) for side in sides]
    raw = [float(side.p_values[place]) for side in sides]
    best = int(np.argmin(raw))
    both = len(sides)
    corrected = min(1.0, both * adjusted[best])
    claimed = "worse" if best == 1 or alternative == "less" else "better"
    stands = significant(corrected, alpha) and not closed
    test = found.tests[place]
    return Task(
        dataset=found.datasets[place],
        n=found.sizes[place],
        weight=strata.weights[place],
        scores=(float(found.scores[place, 0]), float(found.scores[place, 1])),
        difference=float(found.estimates[place]),
        interval=test.interval,
        p_value=min(1.0, both * raw[best]),
        adjusted=corrected,
        verdict=claimed if stands else "inconclusive",
        method=test.method,
    )


def _average(
    sample: Sample,
    strata: Strata,
    tasks: tuple[Task, ...],
    result: TestResult,
    settings: Mapping[str, Any],
    *,
    joint: bool,
) -> Average:
    better = sum(task.verdict == "better" for task in tasks)
    worse = sum(task.verdict == "worse" for task in tasks)
    other = _otherwise_weighted(sample, strata, tasks)
    return Average(
        weighting=strata.weighting,
        effective_n=strata.effective_n,
        better=better,
        worse=worse,
        joint=joint,
        shared=strata.shared,
        noun=strata.noun,
        other_weighting="" if other is None or other.strata is None else other.strata.weighting,
        other_scores=None if other is None else (other.score(0), other.score(1)),
        other_p_value=math.nan if other is None else _p_of_other(other, result, settings),
    )


def _p_of_other(other: Sample, result: TestResult, settings: Mapping[str, Any]) -> float:
    """The p-value of swaps under the other weighting; nan where they are no test of it."""
    same = result.method == "permutation"
    if not other.aggregate.linear or (result.delta and not same):
        return math.nan
    own = {name: value for name, value in settings.items() if same or name in _SHARED}
    try:
        return run_test(other, "permutation", **own).p_value
    except MethodError:
        return math.nan


def _otherwise_weighted(sample: Sample, strata: Strata, tasks: tuple[Task, ...]) -> Sample | None:
    """The same items under the other usual weighting; None where both are the same."""
    other = "equal" if strata.weighting == "items" else "items"
    if len({task.n for task in tasks}) == 1 and strata.weighting != "given":
        return None
    plain = replace(unblocked(sample), notes=())
    return averaged(plain, strata.names, strata.codes, other, strata.shared, strata.noun)
