"""gate: may the candidate take the place of the baseline?"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from nofluke.check import check_count, check_level, check_number
from nofluke.errors import Fix, InputError, MethodError, Option, unknown
from nofluke.inference.gate.margins import Margins, margins_of
from nofluke.noting import called, signature
from nofluke.option_groups import Reading
from nofluke.options import (
    ADVANCED,
    COUNT,
    INPUT,
    LEVEL,
    SHARE,
    Clusters,
    HighestScore,
    LowestScore,
    Missing,
    Opt,
    Runs,
    Seed,
    Weights,
    stating,
)
from nofluke.types import Flip, Gate, Note, Sample, Scores, Source

if TYPE_CHECKING:
    from nofluke.inference.gate.judging import Judged

# One-sided limits at a larger level would change places.
_LARGEST_LEVEL = 0.5


@called("gate", "sides", "baseline", "candidate", "workers")
@stating(Reading)
def gate(
    baseline: Any,
    candidate: Any,
    *,
    tasks: Annotated[
        Sequence[str] | None, Opt("Judge these tasks alone: names, or patterns such as 'mmlu_*'.", INPUT)
    ] = None,
    metric: Annotated[
        Sequence[str] | None,
        Opt("Judge by these metrics: NAME,NAME. Default: the one that a log puts first, or the only one.", INPUT),
    ] = None,
    system: Annotated[str | None, Opt("The system (model, prompt) to judge, where files hold several.", INPUT)] = None,
    forbid: Annotated[
        Literal["worse"], Opt("worse: fail where a loss is shown, on every task that has no margin.")
    ] = "worse",
    require: Annotated[
        Literal["not-worse"] | None, Opt("not-worse: fail unless a loss of `margin` or more is ruled out.")
    ] = None,
    margin: Annotated[
        float | Sequence[str] | Mapping[str, float] | None,
        Opt(
            "With `require`, the loss you would accept in score units: M (every task), TASK=M, or average=M (of all "
            "tasks). Tasks without a margin stay under `forbid`."
        ),
    ] = None,
    alpha: Annotated[float, Opt("Largest chance of a wrong decision.", bounds=LEVEL)] = 0.05,
    must_catch: Annotated[
        float | None,
        Opt("Fail as blind unless every task without a margin would have shown such a loss in 8 of 10 test sets."),
    ] = None,
    min_items: Annotated[int, Opt("Refuse to judge a task on fewer items.", bounds=COUNT)] = 1,
    max_errors: Annotated[
        float, Opt("Refuse to judge where more than this share of a task's items has no score.", bounds=SHARE)
    ] = 0.05,
    missing: Missing = "drop",
    runs: Runs = "nested",
    clusters: Clusters = True,
    weights: Weights = "equal",
    low: LowestScore = None,
    high: HighestScore = None,
    name: Annotated[str, Opt("What this gate is called, where a pull request has several.", ADVANCED)] = "gate",
    show_text: Annotated[
        bool, Opt("Show what items ask where their score changed; texts are left out otherwise.", ADVANCED)
    ] = False,
    seed: Seed = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **stated: Any,
) -> Gate:
    """May the candidate take the place of the baseline?

    Both are a path (a file, a folder of logs, kept scores), a list of paths that are runs of one side, or Scores; how
    files are read is said as in `read`. Items are matched by id, task by task. With forbid="worse" the gate fails only
    where a loss is shown: one-sided swap tests, corrected over all tasks and metrics (Holm), so at most alpha of equal
    candidates are blocked. With require="not-worse" it fails unless a loss of the margin is ruled out on every task
    that has one, so at most alpha of candidates that lose the margin pass. `outcome` is passed, worse, not shown or
    blind. What cannot be judged is refused: no item, task or metric in common, an unfinished run, other prompts under
    the same ids, or more than `max_errors` of a task's items without a score.

    >>> import io, nofluke as nf
    >>> base, new = (nf.read(io.StringIO("item,accuracy\\n" + "".join(f"q{i},{right}\\n" for i in range(40))))
    ...              for right in (1, 0))
    >>> nf.gate(base, new).outcome
    'worse'
    """
    # What computes is loaded here: help needs the signature alone.
    from nofluke.align.datasets import noun_of
    from nofluke.inference.gate.averages import averages_of, judge_average, lost_on_average
    from nofluke.inference.gate.coverage import covered, refuse_hidden_loss
    from nofluke.inference.gate.judging import flips_of, judge, notes_on, outcome_of, rows_of
    from nofluke.inference.gate.tasks import (
        BASELINE,
        CANDIDATE,
        judged_pairs,
        other_tasks,
        refuse_unfinished,
        runs_of,
        tasks_or_items,
    )
    from nofluke.inference.power.detectable import widest_gap
    from nofluke.readers.sides import sources_of

    margins = _checked(alpha, forbid, require, margin, must_catch, max_errors, min_items)
    sides = {BASELINE: baseline, CANDIDATE: candidate}
    how = Reading(**stated)
    scores = tasks_or_items(read_for_gate(sides, how, system, workers))
    refuse_unfinished(scores)
    pairs = judged_pairs(scores, tasks, metric)
    noun = noun_of(scores)
    margins.check([task for task, _ in pairs], noun)
    aligning = {"missing": missing, "runs": runs, "clusters": clusters}
    told: dict[str, Any] = {"alpha": alpha, "seed": seed, "score_range": (low, high)}
    judged: list[Judged] = []
    for task, own in pairs:
        sample, coverage = covered(scores, task, own, aligning, max_errors=max_errors, min_items=min_items)
        refuse_hidden_loss(scores, task, [(1.0, coverage)], margins.of(task), widest_gap(sample, (low, high)))
        judged.append(judge(task, sample, coverage, margins.of(task), **told))
        if progress is not None:
            progress(len(judged), len(pairs))

    def averaged() -> list[tuple[Sample, list[Judged]]]:
        return averages_of(scores, pairs, judged, {**aligning, "weights": weights}, by_metric=metric is not None)

    of_all = averaged() if margins.average else []
    averages = [judge_average(scores, sample, own, margins.average, told) for sample, own in of_all]
    rows = rows_of(judged, alpha, must_catch, (low, high))
    of_averages = rows_of(averages, alpha, None, (low, high))
    outcome = outcome_of((*rows, *of_averages))
    unseen: tuple[Note, ...] = ()
    if outcome == "passed" and not averages and len(rows) > 1:
        with suppress(InputError, MethodError):  # tasks of which there is no average
            unseen = lost_on_average(averaged(), told)
    failed = {(row.task, row.metric) for row in rows if row.verdict != "passed"}
    flips, flipped = flips_of([(one.task, one.sample) for one in judged], failed)
    flips = _with_texts(flips, sources_of(candidate), how) if show_text else flips
    new, others = other_tasks(scores, pairs)
    # Of several metrics of a task, the one that scores most of its items.
    matched: dict[str, int] = {}
    for one in judged:
        matched[one.task] = max(matched.get(one.task, 0), one.coverage.matched)
    asked = {"forbid": forbid, "require": require, "margin": _as_text(margins), "alpha": alpha}
    facts = {
        "must_catch": must_catch,
        "tests": len(rows),
        "n": sum(matched.values()),
        "runs": runs,
        "missing": missing,
    }
    chances = [row.chance for row in (*rows, *of_averages) if row.rule == "require"]
    made = _made(scores, sources_of(baseline))
    return Gate(
        outcome=outcome,
        rows=tuple(rows),
        averages=tuple(of_averages),
        alpha=alpha,
        chance=math.prod(chances) if chances else math.nan,
        must_catch=must_catch,
        max_errors=max_errors,
        flips=flips,
        flipped=flipped,
        new_tasks=new,
        other_tasks=others,
        noun=noun,
        name=name,
        notes=(*unseen, *notes_on(scores, [*judged, *averages])),
        signature=signature("gate", "not-worse" if require else "worse", asked, facts),
        runs=runs_of(scores),
        crossed=runs == "crossed",
        date=made.date if made else "",
        commit=made.commit if made else "",
    )


def _checked(
    alpha: float,
    forbid: str,
    require: str | None,
    margin: Any,
    must_catch: float | None,
    max_errors: float,
    min_items: int,
) -> Margins:
    """Refuse limits that mean nothing, before anything is read."""
    check_level(alpha, "alpha")
    if alpha >= _LARGEST_LEVEL:
        raise InputError(f"alpha = {alpha!r} is no level of a gate.", fix="give a small number, such as 0.05.")
    if forbid != "worse":
        raise unknown("loss to forbid", str(forbid), ("worse",))
    margins = margins_of(require, margin)
    if must_catch is not None and check_number(must_catch, "must_catch", 0) < margins.largest:
        raise InputError(
            f"a loss of {must_catch:g} must be caught, and one of {margins.largest:g} would be accepted.",
            fix=Fix("give ", Option("must_catch"), " at least as large as ", Option("margin"), "."),
        )
    check_number(max_errors, "max_errors", 0, 1, closed=True)
    check_count(min_items, "min_items", least=1)
    return margins


def read_for_gate(sides: Mapping[str, Any], how: Reading, system: str | None, workers: int) -> Scores:
    """Read every side as one system of its name."""
    from nofluke.align.reduce import reduced
    from nofluke.readers.aliases import SCORE_ROLES
    from nofluke.readers.logs.gather import Manner
    from nofluke.readers.roles import check_roles
    from nofluke.readers.sides import read_sides

    asked: dict[str, Any] = dict.fromkeys(SCORE_ROLES) | check_roles(how.columns or {}, SCORE_ROLES)
    return reduced(read_sides(sides, how, asked, Manner(workers), system), how.reduce)


def _made(scores: Scores, baseline: Sequence[Any]) -> Source | None:
    """The newest of the baseline's own sources that says when it was made."""
    names = {source.name for one in baseline if isinstance(one, Scores) for source in one.sources}
    names |= {os.fsdecode(one) for one in baseline if isinstance(one, str | os.PathLike)}
    dated = [source for source in scores.sources if source.date and source.name in names]
    return max(dated, key=lambda source: source.date) if dated else None


def _as_text(margins: Margins) -> str | None:
    """The margins as a signature has them."""
    own = {"": margins.every, **margins.tasks, "average": margins.average}
    told = [f"{name}={value:g}" if name else f"{value:g}" for name, value in own.items() if value is not None]
    # Names are the user's own, and a signature stands on one line of anything: in TeX, in HTML, in a shell.
    return "".join(mark if mark.isalnum() or mark in " _-./:=," else "?" for mark in ",".join(told)) or None


def _with_texts(flips: Sequence[Flip], given: Sequence[Any], how: Reading) -> tuple[Flip, ...]:
    """Add what the items ask, as the candidate's logs have it."""
    from nofluke.readers.logs.texts import texts_of

    wanted = {(flip.task, flip.item) for flip in flips}
    texts = texts_of(given, wanted, how.format, content=how.match_by == "content")
    return tuple(replace(flip, text=texts.get((flip.task, flip.item), "")) for flip in flips)
