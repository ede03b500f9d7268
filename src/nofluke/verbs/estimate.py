"""estimate: what does one system score, and how sure is that?"""

from __future__ import annotations

import math
import shlex
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from nofluke.align import as_sample, select
from nofluke.align.choose import where
from nofluke.check import check_level, check_number
from nofluke.errors import By, Fix, InputError, MethodError, Option, listing, unknown, without_effect
from nofluke.executors import Progress
from nofluke.inference.own_score import INTERVALS, IntervalBy, OwnScore, Question, own_score
from nofluke.inference.p_values import significant
from nofluke.inference.tests.crossed_runs import notes_on_few_runs
from nofluke.inference.tests.run import alpha_of
from nofluke.noting import called, changed, sample_facts, signature
from nofluke.option_groups import Choosing
from nofluke.options import ADVANCED, ConfidenceLevel, Opt, Seed, Sides, stating
from nofluke.types import Sample, Scores, SystemScore

_UNNAMED = "the system"


def _kind(given: Any) -> str:
    """What kind of data was given; a sequence cannot be written down."""
    return "scores" if isinstance(given, Scores) else "pair" if isinstance(given, Sample) else "sequence"


@called("estimate", _kind, "scores", tables=True)
@stating(Choosing)
def estimate(
    scores: Any,
    system: Annotated[str | None, Opt("The system. Default: the only one.")] = None,
    *,
    against: Annotated[float | None, Opt("A fixed or published number to test the score against.")] = None,
    alternative: Annotated[Sides, Opt("With `against`: two-sided, greater (the system is better) or less.")] = (
        "two-sided"
    ),
    confidence_level: ConfidenceLevel = 0.95,
    interval: Annotated[
        IntervalBy,
        Opt("How the interval is made; auto takes what fits the scores.", ADVANCED),
    ] = "auto",
    seed: Seed = 0,
    progress: Progress | None = None,
    **stated: Any,
) -> SystemScore:
    """What does one system score, how sure is that, and is it beyond a published number?

    Takes Scores, a Sample (both with the name of a `system`), or a plain sequence of scores. The interval is Wilson's
    for scores of 0 and 1, and t for other means, by the delta method for corpus metrics: over clusters, over the
    weighted average of datasets, and over training runs (runs="crossed"). `against` tests a fixed number: shares by the
    exact binomial test, with Clopper and Pearson's interval, which agrees with it; others by t. A system that was
    scored on the same items is no fixed number: `compare` the two. What else chooses from a table is as in
    `scores.pair`.

    >>> import nofluke as nf
    >>> found = nf.estimate([1, 1, 1, 0, 1, 1, 0, 1, 1, 1], against=0.5)
    >>> found.value, round(found.p_value, 4), found.verdict
    (0.8, 0.1094, 'inconclusive')
    """
    check_level(confidence_level, "confidence_level")
    question = Question(interval, _number(against), alternative, confidence_level, seed)
    _check(question)
    sample, index = _one_system(scores, system, vars(Choosing(**stated)))
    found = own_score(sample, index, question, progress)
    alpha = alpha_of(confidence_level)
    signed: dict[str, Any] = {
        "interval": None if interval == "auto" else interval,
        "against": question.against,
    }
    signed |= {
        "alternative": None if question.against is None else alternative,
        "level": confidence_level,
        "n": sample.n,
    }
    strata = sample.strata
    return SystemScore(
        name="score",
        value=found.value,
        interval=found.interval,
        standard_error=found.standard_error,
        notes=(*sample.notes, *found.notes, *notes_on_few_runs(sample, index)),
        signature=signature("score", sample.metric, sample_facts(sample), signed),
        systems=(sample.systems[index],),
        n=sample.n,
        metric=sample.metric,
        higher_is_better=sample.higher_is_better,
        dataset=sample.dataset,
        n_datasets=0 if strata is None else len(strata.names),
        weighting="" if strata is None else strata.weighting,
        clusters=0 if sample.clusters is None else len(np.unique(sample.clusters)),
        runs=0 if sample.runs is None else len(sample.runs.names[index]),
        df=found.df,
        against=question.against,
        alternative=alternative,
        p_value=found.p_value,
        test=found.test,
        alpha=alpha,
        verdict=_verdict(found, question, sample, alpha),
    )


def _number(against: Any) -> float | None:
    return None if against is None else check_number(against, "against")


def _check(question: Question) -> None:
    if question.interval not in INTERVALS:
        raise unknown("interval", str(question.interval), INTERVALS)
    if question.alternative not in ("two-sided", "greater", "less"):
        raise unknown("alternative", str(question.alternative), ("two-sided", "greater", "less"))
    if question.against is None and question.alternative != "two-sided":
        fix = Fix("give the number as well: ", Option("against", "0.72"), ", or leave it out.")
        raise without_effect(["alternative"], "there is no number to test against", fix)


def _one_system(scores: Any, system: str | None, chosen: dict[str, Any]) -> tuple[Sample, int]:
    """The sample that holds the system, and its place in it."""
    if isinstance(scores, Scores):
        name = _named(scores.systems, system, where(scores))
        return select(scores, (name,), **chosen), 0
    told = changed(select, {name: value for name, value in chosen.items() if name != "missing"})
    if told:
        raise without_effect(list(told), "it chooses from a table of scores", Fix("leave it out."))
    if isinstance(scores, Sample):
        if not scores.paired:
            raise MethodError("the groups of an unpaired sample are two samples.", fix="give the scores of one.")
        return scores, scores.systems.index(_named(scores.systems, system, ""))
    name = system or _UNNAMED
    both = as_sample(scores, scores, names=(name, name), missing=chosen["missing"])
    return replace(both, statistics=both.statistics[:, :1], systems=(name,), lengths=both.lengths[:1]), 0


def _named(known: tuple[str, ...], system: str | None, place: str) -> str:
    if system is None:
        if len(known) == 1:
            return known[0]
        raise InputError(
            f"one system's score was asked for, and there are {len(known)}: {listing(known)}.",
            where=place,
            fix=Fix("name it: ", By(f"system={known[0]!r}", f"--a {shlex.quote(known[0])}", known[0]), "."),
        )
    if system not in known:
        raise unknown("system", system, known, where=place)
    return system


def _verdict(found: OwnScore, question: Question, sample: Sample, alpha: float) -> str:
    if question.against is None:
        return ""
    if math.isnan(found.p_value):
        return "undefined"
    if not significant(found.p_value, alpha):
        return "inconclusive"
    if question.alternative != "two-sided":
        return "better" if question.alternative == "greater" else "worse"
    return "better" if (found.value > question.against) == sample.higher_is_better else "worse"
