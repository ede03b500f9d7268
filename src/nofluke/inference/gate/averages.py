"""The average of all tasks of a gate: held to a margin of its own, or named where it shows a loss that no task does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from nofluke.errors import InputError, MethodError
from nofluke.inference.gate.coverage import refuse_hidden_loss
from nofluke.inference.gate.family import Pair, paired
from nofluke.inference.gate.judging import Judged, judge
from nofluke.inference.p_values import significant
from nofluke.inference.power.detectable import widest_gap
from nofluke.types import Coverage, Note, Sample, Scores, note


def averages_of(scores: Scores, pairs: Sequence[Pair], aligning: Mapping[str, Any], *, by_metric: bool) -> list[Sample]:
    """The average of all tasks by the metric that each is judged by, or by each of the metrics that were named."""
    if not by_metric:
        return [paired(scores, pairs, aligning)]
    metrics = dict.fromkeys(metric for _, metric in pairs)
    return [paired(scores, [pair for pair in pairs if pair[1] == metric], aligning) for metric in metrics]


def judge_average(
    scores: Scores, sample: Sample, judged: Sequence[Judged], margin: float | None, told: Mapping[str, Any]
) -> Judged:
    """Hold an average to its margin."""
    refuse_hidden_loss(scores, "", _parts(judged, sample), margin, widest_gap(sample, told["score_range"]))
    return judge("", sample, total(judged, sample), margin, **told)


def lost_on_average(
    scores: Scores,
    pairs: Sequence[Pair],
    judged: Sequence[Judged],
    aligning: Mapping[str, Any],
    told: Mapping[str, Any],
    *,
    by_metric: bool,
) -> tuple[Note, ...]:
    """Say where all tasks together show a loss, and none alone: the gate promises nothing about that."""
    with suppress(InputError, MethodError):  # tasks of which there is no average
        averages = averages_of(scores, pairs, aligning, by_metric=by_metric)
        found = [
            judge("", sample, total(judged, sample), None, **told)
            for sample in averages
            if sample.strata is not None and (sample.score(0) < sample.score(1)) == sample.higher_is_better
        ]
        lost = [one for one in found if significant(one.worse.p_value, told["alpha"])]
        return tuple(_told(one, len(averages)) for one in lost)
    return ()


def _told(lost: Judged, averages: int) -> Note:
    return note(
        "gate.average_lost",
        metric=lost.sample.metric,
        averages=averages,
        tasks=len(lost.sample.strata.names) if lost.sample.strata else 0,
        loss=-lost.worse.estimate,
        p_value=lost.worse.p_value,
    )


def _parts(judged: Sequence[Judged], average: Sample) -> list[tuple[float, Coverage]]:
    """The weight and the coverage of every task that an average is made of."""
    coverages = {one.task: one.coverage for one in judged}
    strata = average.strata
    if strata is None:
        return [(1.0, total(judged, average))]
    return [(weight, coverages[name]) for name, weight in zip(strata.names, strata.weights, strict=True)]


def total(judged: Sequence[Judged], average: Sample | None = None) -> Coverage:
    """The coverage of all tasks, or of those that an average is made of."""
    names = None if average is None or average.strata is None else average.strata.names
    parts = {one.task: one.coverage for one in judged if names is None or one.task in names}.values()
    return Coverage(*(sum(getattr(part, name) for part in parts) for name in Coverage.__dataclass_fields__))
