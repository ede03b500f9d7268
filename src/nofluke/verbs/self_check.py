"""self_check: do the runs of one system differ more than chance allows?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from nofluke.align.choose import where
from nofluke.check import check_level
from nofluke.errors import By, Fix, InputError, Option
from nofluke.inference.p_values import significant
from nofluke.noting import called, signature
from nofluke.option_groups import Reading
from nofluke.options import INPUT, LEVEL, Clusters, Opt, Seed, stating
from nofluke.types import Axis, IntArray, Scores, SelfCheck, SelfTask, frozen
from nofluke.types.base import counted

# How unlikely the number of alarms must be before it is one.
_ALARM = 0.05


@called("self_check", "sides", "runs", "workers")
@stating(Reading)
def self_check(
    runs: Any,
    *,
    tasks: Annotated[
        Sequence[str] | None, Opt("Look at these tasks alone: names, or patterns such as 'mmlu_*'.", INPUT)
    ] = None,
    metric: Annotated[
        str | None, Opt("Compare by this metric. Default: the one that a log puts first, or the only one.", INPUT)
    ] = None,
    system: Annotated[str | None, Opt("The system to look at, where files hold several.", INPUT)] = None,
    alpha: Annotated[float, Opt("Level at which a task counts as differing.", bounds=LEVEL)] = 0.05,
    clusters: Clusters = True,
    seed: Seed = 0,
    workers: int = 1,
    **stated: Any,
) -> SelfCheck:
    """Do the runs of one system differ more than chance allows?

    An A/A check of what a gate rests on: the first half of a system's runs is compared with its second half, every task
    once, two-sided at alpha. If the runs are alike, one task in twenty differs at .05; the number that does is judged
    by the binomial law at .05 (4 of 20). An alarm says that runs drift, or that items are not matched rightly. No alarm
    says that nothing was found: it is no proof, and it says nothing of other items. `runs` is a path, a list of paths
    that are runs, or Scores, with two runs or more.

    >>> import io, nofluke as nf
    >>> rows = "".join(f"q{i},{run},{(i + run) % 2}\\n" for i in range(30) for run in (1, 2))
    >>> nf.self_check(nf.read(io.StringIO("item,run,accuracy\\n" + rows))).outcome
    'nothing found'
    """
    from nofluke.align.datasets import noun_of
    from nofluke.inference.gate.tasks import BASELINE, judged_pairs, other_tasks, refuse_unfinished
    from nofluke.verbs.gate import read_for_gate

    check_level(alpha, "alpha")
    whole = read_for_gate({BASELINE: runs}, Reading(**stated), system, workers)
    refuse_unfinished(whole)
    scores, left_out = _halves(whole)
    pairs = judged_pairs(scores, tasks, metric)
    if not significant(alpha ** len(pairs), _ALARM):
        raise InputError(
            f"at alpha = {alpha:g} {counted(len(pairs), noun_of(scores))} can never be an alarm.",
            fix=Fix("give ", Option("alpha", "0.05"), ", or look at more tasks."),
        )
    found = [_compared(scores, pair, alpha, clusters=clusters, seed=seed) for pair in pairs]
    alarms = sum(task.alarm for task in found)
    p_value = _at_least(alarms, len(found), alpha)
    noticed = dict.fromkeys(told for source in scores.sources for told in source.notes)
    facts = {"alpha": alpha, "tasks": len(found), "n": sum(task.n for task in found)}
    return SelfCheck(
        outcome="alarm" if significant(p_value, _ALARM) else "nothing found",
        tasks=tuple(found),
        alarms=alarms,
        p_value=p_value,
        alpha=alpha,
        noun=noun_of(scores),
        notes=tuple(one for one in noticed if one.code != "logs.not_scored"),
        signature=signature("self_check", "halves", facts),
        left_out=tuple(dict.fromkeys((*left_out, *other_tasks(scores, pairs)[1]))),
    )


def _halves(scores: Scores) -> tuple[Scores, tuple[str, ...]]:
    """Call the first half of every task's runs one side and the rest the other; name the tasks that have one run."""
    from nofluke.align.datasets import part_of_rows
    from nofluke.inference.gate.tasks import BASELINE, CANDIDATE

    run = np.zeros_like(scores.item.codes) if scores.run is None else scores.run.codes
    second: IntArray = np.zeros_like(scores.system.codes)
    alone = []
    for code, name in enumerate(scores.datasets):
        here = scores.dataset.codes == code
        own = np.unique(run[here])
        if len(own) < 2:
            alone.append(name)
        second[here & np.isin(run, own[len(own) // 2 :])] = 1
    if len(alone) == len(scores.datasets):
        raise InputError(
            "there is one run, and runs are compared with each other.",
            where=where(scores),
            fix=Fix("give two runs or more: ", By("[PATH, PATH]", "--self PATH --self PATH"), "."),
        )
    sides = Axis((BASELINE, CANDIDATE), frozen(second, np.int64))
    kept = ~np.isin(scores.dataset.codes, [scores.dataset.code_of(name) for name in alone])
    return part_of_rows(replace(scores, system=sides), kept), tuple(alone)


def _compared(scores: Scores, pair: tuple[str, str], alpha: float, *, clusters: bool, seed: int) -> SelfTask:
    from nofluke.inference.gate.tasks import BASELINE, CANDIDATE, only
    from nofluke.inference.tests.run import run_test

    task, metric = pair
    part = only(scores, [pair])
    sample = part.pair(CANDIDATE, BASELINE, missing="drop", clusters=clusters)
    result = run_test(sample, "permutation", seed=seed)
    runs = [0 if part.run is None else len(np.unique(part.run.codes[part.system.codes == code])) for code in (0, 1)]
    return SelfTask(
        task=task,
        metric=metric,
        n=sample.n,
        runs=(runs[0], runs[1]),
        scores=(sample.score(1), sample.score(0)),
        p_value=result.p_value,
        alarm=significant(result.p_value, alpha),
    )


def _at_least(alarms: int, tasks: int, alpha: float) -> float:
    """The chance of so many alarms or more, if every task gives one with probability alpha."""
    from scipy.special import bdtrc

    return float(bdtrc(alarms - 1, tasks, alpha)) if alarms else 1.0
