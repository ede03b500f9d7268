"""What a gate judges: which tasks by which metrics, on how many of the baseline's items; all else fails closed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np

from nofluke.align.choose import where
from nofluke.align.datasets import have_single_items, named_only, noun_of, of_single_items, part_of_rows
from nofluke.align.match import ways_to_zero
from nofluke.align.runs import most_runs
from nofluke.errors import Fix, InputError, Option, listing, unknown
from nofluke.options import listed
from nofluke.types import STATUSES, Coverage, IntArray, Note, Scores
from nofluke.types.base import counted

BASELINE, CANDIDATE = "baseline", "candidate"
Pair = tuple[str, str]
_LEFT_OUT = [STATUSES.index("skipped"), STATUSES.index("invalid")]


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


def judged_pairs(scores: Scores, tasks: str | Sequence[str] | None, metric: str | Sequence[str] | None) -> list[Pair]:
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


def other_tasks(scores: Scores, judged: Sequence[Pair]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the tasks that only the candidate has, and those of the baseline that are not judged."""
    ours, theirs = ([task for task, _ in _pairs_of(scores, side)] for side in (BASELINE, CANDIDATE))
    seen = {task for task, _ in judged}
    new = dict.fromkeys(task for task in theirs if task not in ours)
    return tuple(new), tuple(dict.fromkeys(task for task in ours if task not in seen))


def _pairs_of(scores: Scores, side: str) -> list[Pair]:
    """The tasks and metrics that a side has rows of, in the order in which they come."""
    wide = len(scores.metrics)
    keys = scores.key("dataset", "metric")[scores.system.codes == scores.system.code_of(side)]
    found, first = np.unique(keys, return_index=True)
    return [(scores.datasets[key // wide], scores.metrics[key % wide]) for key in found[np.argsort(first)].tolist()]


def _named(pairs: Sequence[Pair]) -> str:
    return listing(dict.fromkeys(task or "(no name)" for task, _ in pairs), 4)


def _matching(scores: Scores, tasks: str | Sequence[str] | None, known: list[str]) -> list[str]:
    if tasks is None:
        return known
    patterns = listed(tasks, known)
    found = [task for task in known if any(task == one or fnmatchcase(task, one) for one in patterns)]
    for one in patterns:
        if not any(task == one or fnmatchcase(task, one) for task in known):
            raise unknown(f"{noun_of(scores)} of the baseline like", one, known, where=where(scores))
    return found


def _of_metrics(scores: Scores, pairs: list[Pair], metric: str | Sequence[str] | None) -> list[Pair]:
    """Choose by name, or else the metric that a task is judged by, or the only one it has."""
    known = list(dict.fromkeys(name for _, name in pairs))
    if metric is not None:
        names = listed(metric, known)
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


def _lacks(scores: Scores, lacking: list[Pair], theirs: Sequence[Pair]) -> InputError:
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


def only(scores: Scores, pairs: Sequence[Pair]) -> Scores:
    """Keep these tasks by these metrics, and of the candidate the items that the baseline has."""
    wide = len(scores.metrics)
    wanted = [scores.dataset.code_of(task) * wide + scores.metric.code_of(metric) for task, metric in pairs]
    rows = np.isin(scores.key("dataset", "metric"), wanted)
    items, ours = scores.key("dataset", "item"), scores.system.codes == scores.system.code_of(BASELINE)
    part = part_of_rows(scores, rows & (ours | np.isin(items, np.unique(items[ours & rows]))))
    return replace(part, metric=named_only(part.metric))


def runs_of(scores: Scores) -> tuple[int, int]:
    """How many runs of an item the baseline and the candidate have at most."""
    ours, theirs = (scores.system.codes == scores.system.code_of(side) for side in (BASELINE, CANDIDATE))
    return most_runs(part_of_rows(scores, ours)), most_runs(part_of_rows(scores, theirs))


def coverage_of(scores: Scores, task: str, metric: str, matched: int) -> Coverage:
    """Count what became of the baseline's items."""
    here = (scores.dataset.codes == scores.dataset.code_of(task)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    missing = np.isnan(scores.statistics).any(axis=1)
    # What the baseline itself left out on purpose is nothing that a candidate lacks.
    status = np.zeros(len(scores.statistics), np.int64) if scores.status is None else scores.status
    here &= ~(missing & np.isin(status, _LEFT_OUT) & (scores.system.codes == scores.system.code_of(BASELINE)))

    def items(side: str, *, scored: bool) -> IntArray:
        rows = here & (scores.system.codes == scores.system.code_of(side)) & ~(missing & scored)
        return np.unique(scores.item.codes[rows])

    ours, scored = items(BASELINE, scored=False), items(BASELINE, scored=True)
    theirs, answered = items(CANDIDATE, scored=False), items(CANDIDATE, scored=True)
    left = np.setdiff1d(scored, answered, assume_unique=True)
    absent = len(np.setdiff1d(left, theirs, assume_unique=True))
    return Coverage(
        expected=len(ours),
        matched=matched,
        missing=absent,
        failed=len(left) - absent,
        unscored=len(ours) - len(scored),
        new=len(np.setdiff1d(answered, ours, assume_unique=True)),
    )


def refuse_no_common_item(scores: Scores, task: str, metric: str) -> None:
    """Refuse two sides that share no item: then ids do not match, or other items were run."""
    found = coverage_of(scores, task, metric, 0)
    if found.missing + found.unscored < found.expected:
        return
    at = f" on {task}" if task else ""
    raise InputError(
        f"baseline and candidate have no item in common{at}: none of the baseline's {found.expected:,} items is among "
        "those of the candidate.",
        where=where(scores),
        fix=Fix(
            "run both on the same items with the same ids; logs can be matched by what items ask: ",
            Option("match_by", "content"),
            ".",
        ),
    )


def refuse_hidden_loss(
    scores: Scores, of: str, parts: Sequence[tuple[float, Coverage]], margin: float | None, widest: float
) -> None:
    """Refuse a margin that items without a score of the candidate could hide: each may be lost by the whole range.

    `parts` is the coverage of a task, or of every task of an average with its weight.
    """
    silent = sum(found.missing + found.failed for _, found in parts)
    if margin is None or not silent or not math.isfinite(widest):
        return
    hidden = widest * sum(weight * (found.missing + found.failed) / found.expected for weight, found in parts)
    if hidden < margin:
        return
    expected = sum(found.expected for _, found in parts)
    at = f" on {of}" if of else ""
    raise InputError(
        f"{silent:,} of the baseline's {expected:,} items{at} have no score of the candidate, which may hide a "
        f"loss of {hidden:.3g}: no margin of {margin:g} can be judged.",
        where=where(scores),
        fix=Fix(
            "run them again; ",
            *(_counting_zero(scores) if any(f.failed for _, f in parts) else ()),
            "or accept a larger margin.",
        ),
    )


def refuse_gaps(scores: Scores, task: str, found: Coverage, max_errors: float, min_items: int) -> None:
    """Refuse to judge where too many of the baseline's items have no score on both sides, or too few are left."""
    at = f" on {task}" if task else ""
    if found.lost > max_errors:
        parts = [
            (found.missing, "not in the candidate"),
            (found.failed, "failed or not scored in the candidate"),
            (found.unscored, "without a score of the baseline"),
        ]
        told = ", ".join(f"{number:,} {what}" for number, what in parts if number)
        lost = found.expected - found.matched
        raise InputError(
            f"{lost:,} of the baseline's {found.expected:,} items{at} cannot be judged ({told or 'not in every run'}); "
            f"at most {max_errors:.3g} of them may be lost.",
            where=where(scores),
            fix=Fix(
                "run them again; ",
                *(_counting_zero(scores) if found.failed else ()),
                "or allow more: ",
                Option("max_errors", f"{_allowing(found.lost):g}"),
                ".",
            ),
        )
    if found.matched < min_items:
        raise InputError(
            f"{counted(found.matched, 'item')}{at} can be judged, fewer than the {min_items:,} asked for.",
            where=where(scores),
            fix=Fix("run more items, or leave the task out: ", Option("tasks", "GLOB"), "."),
        )


def _counting_zero(scores: Scores) -> list[str | Option]:
    """Advise what counts as wrong the items that failed, or that were not scored; tables know of neither."""
    ways: list[str | Option] = []
    for way in ways_to_zero(scores):
        ways += [" and ", way]
    return ["count them as wrong: ", *ways[1:], "; "] if ways else []


def _allowing(lost: float) -> float:
    """The next hundredth that allows for so much."""
    return min(1.0, math.ceil(lost * 100) / 100)
