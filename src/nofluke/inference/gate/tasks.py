"""What a gate judges: which tasks of the baseline, by which metrics; what the candidate lacks of them is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from nofluke.align.choose import where
from nofluke.align.datasets import have_single_items, named_only, noun_of, of_single_items, part_of_rows
from nofluke.align.runs import most_runs
from nofluke.errors import Fix, InputError, Option, listing, unknown
from nofluke.options import listed
from nofluke.types import Note, Sample, Scores
from nofluke.types.base import counted

BASELINE, CANDIDATE = "baseline", "candidate"
TaskMetric = tuple[str, str]


def tasks_or_items(scores: Scores) -> Scores:
    """Take tasks of which only one score is known as what is matched: together they are one task of many items."""
    return of_single_items(scores) if have_single_items(scores) else scores


def refuse_unfinished(scores: Scores) -> None:
    """Refuse a run that did not end: the items that it lacks are no accident."""
    for source in scores.sources:
        for told in source.notes:
            said = _unfinished(told)
            if said:
                raise InputError(
                    f"a run did not end: {listing(said, 3)}.",
                    where=where(scores),
                    fix="finish it or run it again, and give the logs of the run that ended.",
                )


def _unfinished(told: Note) -> list[str]:
    """Name what a note says was broken off, before the first line or later."""
    if told.code == "logs.ended":
        return [f"{system} on {dataset} ({status})" for system, dataset, status in told["logs"]]
    return [f"{file} (empty)" for file in told["files"]] if told.code == "logs.empty_files" else []


def judged_pairs(
    scores: Scores, tasks: str | Sequence[str] | None, metric: str | Sequence[str] | None
) -> list[TaskMetric]:
    """Give the tasks of the baseline, each with the metrics that it is judged by, in the baseline's order.

    Whatever the baseline has of these and the candidate lacks is refused: a gate must not pass what was not run.
    """
    ours, theirs = (_pairs_of(scores, side) for side in (BASELINE, CANDIDATE))
    wanted = _matching(scores, tasks, list(dict.fromkeys(task for task, _ in ours)))
    if not any(task in wanted for task, _ in theirs):
        raise InputError(
            f"baseline and candidate have no {noun_of(scores)} in common: {_named(ours)} and {_named(theirs)}.",
            where=where(scores),
            fix="run both on the same tasks, and give the folder of each.",
        )
    judged = _of_metrics(scores, [pair for pair in ours if pair[0] in wanted], metric)
    lacking = [pair for pair in judged if pair not in theirs]
    if lacking:
        raise _lacks(scores, lacking, theirs)
    return judged


def other_tasks(scores: Scores, judged: Sequence[TaskMetric]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the tasks that only the candidate has, and those of the baseline that are not judged."""
    ours, theirs = ([task for task, _ in _pairs_of(scores, side)] for side in (BASELINE, CANDIDATE))
    seen = {task for task, _ in judged}
    new = dict.fromkeys(task for task in theirs if task not in ours)
    return tuple(new), tuple(dict.fromkeys(task for task in ours if task not in seen))


def _pairs_of(scores: Scores, side: str) -> list[TaskMetric]:
    """The tasks and metrics that a side has rows of, in the order in which they come."""
    wide = len(scores.metrics)
    keys = scores.key("dataset", "metric")[scores.system.codes == scores.system.code_of(side)]
    found, first = np.unique(keys, return_index=True)
    return [(scores.datasets[key // wide], scores.metrics[key % wide]) for key in found[np.argsort(first)].tolist()]


def _named(pairs: Sequence[TaskMetric]) -> str:
    return listing(dict.fromkeys(task or "(no name)" for task, _ in pairs), 4)


def _matching(scores: Scores, tasks: str | Sequence[str] | None, known: list[str]) -> list[str]:
    if tasks is None:
        return known
    patterns = _names(tasks, "tasks", known)
    found = [task for task in known if any(task == one or fnmatchcase(task, one) for one in patterns)]
    for one in patterns:
        if not any(task == one or fnmatchcase(task, one) for task in known):
            raise unknown(f"{noun_of(scores)} of the baseline like", one, known, where=where(scores))
    return found


def _names(given: str | Sequence[str], option: str, known: list[str]) -> list[str]:
    """Refuse an empty list, which a variable that is not set may be: a gate must not pass by judging nothing."""
    names = listed(given, known)
    if not names:
        raise InputError(
            f"{option} is given, and names nothing.",
            fix=Fix("name some of ", listing(known), "; or leave ", Option(option), " out."),
        )
    return names


def _of_metrics(scores: Scores, pairs: list[TaskMetric], metric: str | Sequence[str] | None) -> list[TaskMetric]:
    """Choose by name, or else the metric that a task is judged by, or the only one it has."""
    known = list(dict.fromkeys(name for _, name in pairs))
    if metric is not None:
        names = _names(metric, "metric", known)
        for name in names:
            if name not in known:
                raise unknown("metric of the baseline", name, known, where=where(scores))
        return [pair for pair in pairs if pair[1] in names]
    chosen = []
    for task in dict.fromkeys(task for task, _ in pairs):
        own = [name for of, name in pairs if of == task]
        first = scores.primary.get(task)
        if first not in own and len(own) > 1:
            at = f" of {task}" if task else ""
            raise InputError(
                f"there are {len(own)} metrics{at}, and nothing says which one counts: {listing(own)}.",
                where=where(scores),
                fix=Fix("name one or several: ", Option("metric", own[0]), ", say."),
            )
        chosen.append((task, first if first in own and first is not None else own[0]))
    return chosen


def _lacks(scores: Scores, lacking: list[TaskMetric], theirs: Sequence[TaskMetric]) -> InputError:
    """The error of a candidate that was not run on, or not measured by, what the baseline was."""
    noun = noun_of(scores)
    absent = list(dict.fromkeys(task for task, _ in lacking if task not in {one for one, _ in theirs}))
    if absent:
        message = f"the candidate has no results on {counted(len(absent), noun)} of the baseline: {listing(absent)}."
        fix = Fix("run the candidate there too, or name the tasks to be judged: ", Option("tasks", "GLOB"), ".")
        return InputError(message, where=where(scores), fix=fix)
    (task, name), there = lacking[0], [other for of, other in theirs if of == lacking[0][0]]
    at = f" on {task}" if task else ""
    return InputError(
        f"the candidate has no {name}{at}, by which the baseline is judged; it has {listing(there)}.",
        where=where(scores),
        fix=Fix("score both by the same metrics, or name one that both have: ", Option("metric", "NAME"), "."),
    )


def only(scores: Scores, pairs: Sequence[TaskMetric]) -> Scores:
    """Keep these tasks by these metrics, and of the candidate the items that the baseline has."""
    wide = len(scores.metrics)
    wanted = [scores.dataset.code_of(task) * wide + scores.metric.code_of(metric) for task, metric in pairs]
    rows = np.isin(scores.key("dataset", "metric"), wanted)
    items, ours = scores.key("dataset", "item"), scores.system.codes == scores.system.code_of(BASELINE)
    part = part_of_rows(scores, rows & (ours | np.isin(items, np.unique(items[ours & rows]))))
    return replace(part, metric=named_only(part.metric))


def paired(scores: Scores, pairs: Sequence[TaskMetric], aligning: Mapping[str, Any]) -> Sample:
    """Candidate and baseline on these tasks by these metrics, and on items that the baseline has."""
    return only(scores, pairs).pair(CANDIDATE, BASELINE, **aligning)


def runs_of(scores: Scores) -> tuple[int, int]:
    """How many runs of an item the baseline and the candidate have at most."""
    ours, theirs = (scores.system.codes == scores.system.code_of(side) for side in (BASELINE, CANDIDATE))
    return most_runs(part_of_rows(scores, ours)), most_runs(part_of_rows(scores, theirs))
