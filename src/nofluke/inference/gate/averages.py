"""The average of all tasks of a gate: held to a margin of its own, or named where it shows a loss that no task does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from nofluke.inference.gate.coverage import refuse_hidden_loss
from nofluke.inference.gate.judging import Judged, judge
from nofluke.inference.gate.tasks import TaskMetric, paired
from nofluke.inference.p_values import significant
from nofluke.inference.power.detectable import widest_gap
from nofluke.types import Coverage, Note, Sample, Scores, note


def averages_of(
    scores: Scores,
    pairs: Sequence[TaskMetric],
    judged: Sequence[Judged],
    aligning: Mapping[str, Any],
    *,
    by_metric: bool,
) -> list[tuple[Sample, list[Judged]]]:
    """The average of all tasks by the metric that each is judged by, or by each of the metrics that were named.

    Beside it stand the tasks that it is made of; a task comes once among them.
    """
    found = []
    for metric in dict.fromkeys(metric for _, metric in pairs) if by_metric else (None,):
        own = [place for place, pair in enumerate(pairs) if metric in (None, pair[1])]
        sample = paired(scores, [pairs[place] for place in own], aligning)
        found.append((sample, [judged[place] for place in own]))
    return found


def judge_average(
    scores: Scores, sample: Sample, tasks: Sequence[Judged], margin: float | None, told: Mapping[str, Any]
) -> Judged:
    """Hold an average to its margin."""
    refuse_hidden_loss(scores, "", _parts(tasks, sample), margin, widest_gap(sample, told["score_range"]))
    return judge("", sample, _total(tasks, sample), margin, **told)


def lost_on_average(averages: Sequence[tuple[Sample, list[Judged]]], told: Mapping[str, Any]) -> tuple[Note, ...]:
    """Say where all tasks together show a loss, and none alone: the gate promises nothing about that."""
    found = [
        judge("", sample, _total(tasks, sample), None, **told)
        for sample, tasks in averages
        if sample.strata is not None and (sample.score(0) < sample.score(1)) == sample.higher_is_better
    ]
    lost = [one for one in found if significant(one.worse.p_value, told["alpha"])]
    return tuple(_told(one, len(averages)) for one in lost)


def _told(lost: Judged, averages: int) -> Note:
    return note(
        "gate.average_lost",
        metric=lost.sample.metric,
        averages=averages,
        tasks=len(lost.sample.strata.names) if lost.sample.strata else 0,
        loss=-lost.worse.estimate,
        p_value=lost.worse.p_value,
    )


def _parts(tasks: Sequence[Judged], average: Sample) -> list[tuple[float, Coverage]]:
    """The weight and the coverage of every task that an average is made of."""
    strata = average.strata
    if strata is None:
        return [(1.0, _total(tasks, average))]
    coverages = {one.task: one.coverage for one in tasks}
    return [(weight, coverages[name]) for name, weight in zip(strata.names, strata.weights, strict=True)]


def _total(tasks: Sequence[Judged], average: Sample) -> Coverage:
    """The coverage of the tasks that an average is made of: one on another scale may have been left out."""
    strata = average.strata
    parts = [one.coverage for one in tasks if strata is None or one.task in strata.names]
    return Coverage(*(sum(getattr(part, one.name) for part in parts) for one in fields(Coverage)))
