"""How many of the baseline's items a gate can judge: gaps that could hide a loss fail closed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.align.choose import where
from nofluke.align.match import ways_to_zero
from nofluke.errors import Fix, InputError, Option
from nofluke.inference.gate.tasks import BASELINE, CANDIDATE, paired
from nofluke.types import STATUSES, Coverage, IntArray, Sample, Scores
from nofluke.types.base import counted

_LEFT_OUT = [STATUSES.index("skipped"), STATUSES.index("invalid")]


def covered(
    scores: Scores, task: str, metric: str, aligning: Mapping[str, Any], *, max_errors: float, min_items: int
) -> tuple[Sample, Coverage]:
    """Match the items of one task; refuse to judge where too few of the baseline's have both scores."""
    _refuse_no_common_item(scores, task, metric)
    sample = paired(scores, [(task, metric)], aligning)
    coverage = _coverage_of(scores, task, metric, sample.n)
    _refuse_gaps(scores, task, coverage, max_errors, min_items)
    return sample, coverage


def _coverage_of(scores: Scores, task: str, metric: str, matched: int) -> Coverage:
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


def _refuse_no_common_item(scores: Scores, task: str, metric: str) -> None:
    """Refuse two sides that share no item: then ids do not match, or other items were run."""
    found = _coverage_of(scores, task, metric, 0)
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


def _refuse_gaps(scores: Scores, task: str, found: Coverage, max_errors: float, min_items: int) -> None:
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
