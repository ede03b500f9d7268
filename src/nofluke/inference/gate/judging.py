"""Judge every task by every metric: is a loss shown, or is one of the margin ruled out?"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.align import differences
from nofluke.check import check_range
from nofluke.errors import MethodError
from nofluke.inference.comparison.margin import judge_margin, range_options
from nofluke.inference.gate.chances import chance_to_pass, loss_caught
from nofluke.inference.p_values import significant
from nofluke.inference.power.binary_gap import binary_differences
from nofluke.inference.resampling.corpus import refuse_undefined
from nofluke.inference.tests.claims import Range, margin_method, margin_options, refuse_two_runs
from nofluke.inference.tests.run import run_test
from nofluke.types import Coverage, Detectable, Flip, GateRow, Interval, Note, Sample, Scores, TestResult, note

# Items that differ: as many as a reader may want to see; the rest is counted.
MOST_FLIPS = 100
# Notes on what the coverage of a gate counts.
_COUNTED = ("logs.not_scored", "align.left_out", "align.items")


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A sample of candidate and baseline with what it is held to, and what its tests found.

    `worse` is the one-sided test of a loss; `kept` that of the margin, None where there is none or it refused.
    """

    task: str
    sample: Sample
    coverage: Coverage
    margin: float | None
    worse: TestResult
    interval: Interval | None
    kept: TestResult | None = None
    chance: float = math.nan
    notes: tuple[Note, ...] = ()


def judge(
    task: str, sample: Sample, coverage: Coverage, margin: float | None, *, alpha: float, seed: int, score_range: Range
) -> Judged:
    """Test a loss by swaps of outputs, and a margin as `compare` does."""
    refuse_undefined(sample, where=task)
    if sample.aggregate.linear and score_range != (None, None):
        check_range(sample.statistics[..., 0], *score_range)
    # Swaps of right and wrong answers are McNemar's exact test; over training runs swaps say nothing.
    method = "permutation" if sample.runs is None else "crossed_runs"
    level: dict[str, Any] = {"confidence_level": 1 - 2 * alpha}
    worse = run_test(sample, method, alternative="less", seed=seed, **level)
    refuse_two_runs(worse.notes)
    if math.isnan(worse.p_value):
        raise MethodError(
            f"the loss on {task or 'these items'} by {sample.metric} has no p-value.",
            fix="score more items that differ, or leave the task out.",
        )
    if margin is None:
        interval = run_test(sample, method, seed=seed, **level).interval
        # Right and wrong answers that may be swapped differ symmetrically, however lopsided those seen are.
        binary = binary_differences(sample) is not None
        notes = tuple(told for told in worse.notes if not (binary and told.code.startswith("test.skewed")))
        return Judged(task, sample, coverage, None, worse, interval, notes=notes)
    part = judge_margin(sample, margin, "", alpha=alpha, seed=seed, score_range=score_range)
    own = margin_method(sample, score_range)
    told: dict[str, Any] = {"seed": seed, **range_options(own, score_range), **margin_options(own, sample), **level}
    limits = None if part.test is None else run_test(sample, own, **told).interval
    chance = chance_to_pass(sample, part.test, margin, alpha, score_range)
    return Judged(task, sample, coverage, margin, worse, limits, part.test, chance, part.notes)


def rows_of(judged: Sequence[Judged], alpha: float, must_catch: float | None, score_range: Range) -> list[GateRow]:
    """Correct losses that are forbidden for their number (Holm), and read every verdict.

    Margins are each tested at alpha: the candidate passes only with all of them, which makes passing a worse one no
    likelier (intersection-union). Of a margin that is not kept a loss may be shown as well; that word is corrected
    over the margins.
    """
    forbidden, required = ([one for one in judged if (one.margin is None) == free] for free in (True, False))
    adjusted = {
        id(one): p
        for several in (forbidden, required)
        for one, p in zip(several, _holm([one.worse.p_value for one in several]), strict=True)
    }
    number = len(forbidden)
    return [_row(one, adjusted[id(one)], number, alpha, must_catch, score_range) for one in judged]


def _holm(p_values: Sequence[float]) -> list[float]:
    from nofluke.inference.multiplicity.corrections import holm

    found: list[float] = holm(np.array(p_values)).tolist() if p_values else []
    return found


def _row(
    one: Judged, adjusted: float, number: int, alpha: float, must_catch: float | None, score_range: Range
) -> GateRow:
    sample, strata = one.sample, one.sample.strata
    lost, won = _flipped(sample)
    row = GateRow(
        task=one.task,
        metric=sample.metric,
        n=sample.n,
        scores=(sample.score(1), sample.score(0)),
        difference=one.worse.estimate,
        standard_error=_standard_error(one.interval, alpha),
        interval=one.interval,
        rule="forbid",
        margin=one.margin,
        p_value=one.worse.p_value,
        adjusted=adjusted,
        verdict="worse" if significant(adjusted, alpha) else "passed",
        method=one.worse.method,
        coverage=one.coverage,
        lost=lost,
        won=won,
        clusters=0 if sample.clusters is None else len(np.unique(sample.clusters)),
        averaged=0 if strata is None else len(strata.names),
        higher_is_better=sample.higher_is_better,
    )
    if one.margin is not None:
        p = math.nan if one.kept is None else one.kept.p_value
        passed = not math.isnan(p) and significant(p, alpha)
        shown = "worse" if row.verdict == "worse" else "not shown"
        method = row.method if one.kept is None else one.kept.method
        row = replace(row, rule="require", p_value=p, adjusted=p, chance=one.chance, method=method)
        return replace(row, verdict="passed" if passed else shown)
    found = loss_caught(sample, alpha / number, score_range)
    row = replace(row, caught=found.difference, reason=found.reason)
    blind = must_catch is not None and not _catches(found, must_catch)
    return replace(row, verdict="blind") if blind and row.verdict == "passed" else row


def _catches(found: Detectable, loss: float) -> bool:
    return found.difference <= loss * (1 + 1e-9)


def _flipped(sample: Sample) -> tuple[int, int]:
    if not sample.aggregate.linear:
        return 0, 0
    signs = differences(sample).signs
    return int((signs < 0).sum()), int((signs > 0).sum())


def _standard_error(interval: Interval | None, alpha: float) -> float:
    """About that of the difference, for the digits to print; nan where the interval does not say."""
    from scipy.special import ndtri

    if interval is None or not math.isfinite(interval.high - interval.low) or interval.high <= interval.low:
        return math.nan
    return (interval.high - interval.low) / (-2 * float(ndtri(alpha)))


def outcome_of(rows: Sequence[GateRow]) -> str:
    """Give the gravest verdict of all rows: a loss that is shown, then one that is not ruled out, then blindness."""
    found = {row.verdict for row in rows}
    return next((one for one in ("worse", "not shown", "blind") if one in found), "passed")


def flips_of(
    samples: Sequence[tuple[str, Sample]], failed: Collection[tuple[str, str]] = (), most: int = MOST_FLIPS
) -> tuple[tuple[Flip, ...], int]:
    """Give the items that differ most over all tasks, losses before gains, and how many differ at all.

    Only where items have a score of their own. Of items that differ as much, those of tasks that `failed` come first.
    """
    found: list[Flip] = []
    number = 0
    for task, sample in samples:
        if not sample.aggregate.linear or sample.ids is None or sample.unit_size > 1:
            continue
        d = differences(sample).values
        number += int(np.count_nonzero(d))
        order = np.lexsort((d > 0, -np.abs(d)))[:most]
        candidate, baseline = sample.scores(0), sample.scores(1)
        found += [
            Flip(task, sample.metric, sample.ids[at], float(baseline[at]), float(candidate[at]), float(d[at]))
            for at in order.tolist()
            if d[at]
        ]
    found.sort(key=lambda one: (-abs(one.difference), one.difference > 0, (one.task, one.metric) not in failed))
    return tuple(found[:most]), number


def notes_on(scores: Scores, judged: Sequence[Judged]) -> tuple[Note, ...]:
    """What is to be known of the files and of the tests, each once; what has no score is told by the coverage."""
    of_files = [told for source in scores.sources for told in source.notes]
    # Of tests that are told the same, each of its own figures, the first one speaks, by its name.
    tasks: dict[Note, list[str]] = {}
    for one in judged:
        for told in dict.fromkeys((*one.sample.notes, *one.notes)):
            tasks.setdefault(told, []).append(one.task)
    of_rows = {told.code: _for_gates(told, where, len(judged)) for told, where in reversed(tasks.items())}
    same = [note("gate.identical")] if judged and not any(_differs(one.sample) for one in judged) else []
    return tuple(dict.fromkeys(one for one in (*same, *of_files, *of_rows.values()) if one.code not in _COUNTED))


def _for_gates(told: Note, where: Sequence[str], judged: int) -> Note:
    """What a test of some tasks only says names them; tasks on other scales are judged: an average leaves them out."""
    if told.code == "align.other_scales":
        return note("gate.other_scales", tasks=told["tasks"])
    of_some = told.code.startswith(("test.", "compare.")) and len(where) < judged
    return note("replicate.on_datasets", datasets=tuple(where), note=told) if of_some else told


def _differs(sample: Sample) -> bool:
    return bool((sample.statistics[:, 0] != sample.statistics[:, 1]).any())
