"""Put a ranking together: scores, ranges, groups, tests of all systems, notes and the signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.align import tasks_of
from nofluke.inference.omnibus.ranked import critical_gap, ranked
from nofluke.inference.omnibus.run import oriented_table, run_omnibus
from nofluke.inference.ranking.all_pairs import Found
from nofluke.inference.ranking.detectable import typical_detectable
from nofluke.inference.ranking.family import MAX_T, Claims
from nofluke.inference.ranking.notes import notes_on
from nofluke.inference.ranking.panel import Settings, units_of
from nofluke.inference.ranking.standings import groups, out_of_order, rank_ranges, system_intervals
from nofluke.inference.ranking.systems import Selection
from nofluke.inference.tests.corrected_resampled_t import unless_corrected
from nofluke.inference.tests.run import run_test
from nofluke.noting import sample_facts, signature
from nofluke.registry import Method
from nofluke.types import Alignment, FloatArray, Interval, Ranking, Sample, TestResult, frozen


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What was compared, how, and which claims were made; `several` says that items are whole datasets."""

    sample: Sample
    method: Method
    claims: Claims
    adjust: str
    alpha: float
    settings: Settings
    several: bool


def assembled(case: Case, found: Found) -> Ranking:
    """Make the Ranking."""
    sample, claims = case.sample, case.claims
    tests, mean_ranks, critical = _all_together(case)
    return Ranking(
        **_of_scores(sample, found, case.alpha),
        **of_claims(sample.systems, case.method, claims, case.adjust, case.settings, found),
        metric=sample.metric,
        **_of_datasets(case),
        higher_is_better=sample.higher_is_better,
        n=sample.n if sample.paired else sum(sample.lengths),
        unit_size=sample.unit_size,
        clusters=0 if sample.clusters is None else units_of(sample),
        label=_named(case.method.label, sample),
        mean_ranks=mean_ranks,
        omnibus=tests,
        critical_difference=critical,
        notes=(
            *unless_corrected(sample.notes, case.method.name),
            *found.table.notes,
            *found.notes,
            *notes_on(sample, case.method.name, claims, case.adjust, case.alpha, unit=_word_for_n(case)),
        ),
        signature=_signed(case, found),
        low=None if found.low is None else frozen(found.low),
        high=None if found.high is None else frozen(found.high),
        lengths=() if sample.paired else sample.lengths,
        pair_sizes=None if found.table.sizes is None else frozen(found.table.sizes),
        detectable=typical_detectable(sample, claims, case.adjust, case.alpha),
        alignment=_alignment(case, found),
        scored_by=sample.scored_by,
        interval=_of_two(case, found),
    )


def _of_datasets(case: Case) -> dict[str, Any]:
    """Which datasets there are, what they count, and the score of every system on each."""
    sample, strata = case.sample, case.sample.strata
    if case.several:
        return {"datasets": tuple(sample.ids or ()), "by_dataset": frozen(sample.statistics[:, :, 0].T)}
    if strata is None:
        return {"datasets": (sample.dataset,) if sample.dataset else ()}
    tasks = tasks_of(sample).values()
    scores = [[task.score(index) for task in tasks] for index in range(len(sample.systems))]
    return {
        "datasets": strata.names,
        "weighting": strata.weighting,
        "weights": strata.weights,
        "effective_n": strata.effective_n,
        "noun": strata.noun,
        "by_dataset": frozen(np.array(scores)),
    }


def _of_two(case: Case, found: Found) -> Interval | None:
    """The interval of the difference of two systems on the same items, by the test that compared them."""
    sample = case.sample
    if len(sample.systems) != 2 or not sample.paired or found.table.sizes is not None:
        return None
    if case.claims.alternative != "two-sided" or case.method.facts["about"] != "mean":
        return None
    settings: dict[str, Any] = {"confidence_level": 1 - case.alpha, "seed": case.settings.seed}
    return run_test(sample, case.method.name, **settings, **case.settings.options).interval


def _of_scores(sample: Sample, found: Found, alpha: float) -> dict[str, Any]:
    """The score of every system with its interval, and how far every pair is apart."""
    values = np.array([sample.score(index) for index in range(len(sample.systems))])
    gaps = found.table.differences
    return {
        "scores": tuple(values.tolist()),
        "intervals": system_intervals(sample, 1 - alpha),
        "differences": frozen(gaps_of(values, sample.higher_is_better) if gaps is None else gaps),
    }


def gaps_of(scores: FloatArray, higher_is_better: bool) -> FloatArray:
    """How far each system is ahead of each other one."""
    gaps: FloatArray = (1.0 if higher_is_better else -1.0) * np.subtract.outer(scores, scores)
    return gaps


def of_claims(
    names: tuple[str, ...], method: Method, claims: Claims, adjust: str, settings: Settings, found: Found
) -> dict[str, Any]:
    """What a ranking says of the claims that were made and of those that stand, wherever its items lie."""
    better = found.verdicts.better
    return {
        "systems": names,
        "rank_ranges": rank_ranges(better),
        # With a baseline most pairs are not tested, and nobody knows whether they are separated.
        "groups": groups(better, names) if claims.baseline < 0 else (),
        "out_of_order": out_of_order(better, names),
        "p_values": frozen(found.verdicts.p_values),
        "adjusted": frozen(found.verdicts.adjusted),
        "better": frozen(better, np.bool_),
        "computed": frozen(found.table.computed, found.table.computed.dtype),
        "errors": frozen(found.errors(claims)),
        "method": method.name,
        "adjust": adjust,
        "family": claims.family,
        "alternative": claims.alternative,
        "alpha": settings.alpha,
        "baseline": "" if claims.baseline < 0 else names[claims.baseline],
        "claims": claims.one_sided_size // 2 if adjust == MAX_T else claims.size,
        "null": str(method.facts["null"]),
        "about": str(method.facts["about"]),
        "validity": found.table.validity,
        "resamples": found.resamples,
        "seed": found.seed,
    }


def _named(label: str, sample: Sample) -> str:
    return label if sample.aggregate.linear else label.replace("the mean", sample.metric)


def _word_for_n(case: Case) -> str:
    """What n counts."""
    return "dataset" if case.several else "unit" if case.sample.unit_size > 1 else "item"


def _alignment(case: Case, found: Found) -> Alignment | None:
    """How items were matched; datasets, unmatched scores and items of single pairs have notes of their own."""
    told = case.several or found.table.differences is not None
    return None if told or not case.sample.paired else case.sample.alignment


def _all_together(case: Case) -> tuple[tuple[TestResult, ...], tuple[float, ...], float]:
    """Tests of all systems at once, mean ranks and the critical difference; over datasets, or for 0/1 items."""
    sample = case.sample
    averaged = sample.strata is not None and not sample.strata.pooled
    linear = (
        sample.paired and sample.aggregate.linear and sample.clusters is None and sample.runs is None and not averaged
    )
    binary = linear and bool(np.isin(sample.statistics, (0.0, 1.0)).all())
    tests = ["cochran_q"] if binary else []
    if not case.several:
        return tuple(run_omnibus(sample, name, Selection()) for name in tests), (), float("nan")
    tests = ["friedman", "iman_davenport", *tests]
    table = ranked(oriented_table(sample, Selection()))
    critical = critical_gap(table.systems, table.rows, case.alpha)
    return tuple(run_omnibus(sample, name, Selection()) for name in tests), tuple(table.mean_ranks.tolist()), critical


def _signed(case: Case, found: Found) -> str:
    sample = case.sample
    facts = sample_facts(sample)
    if facts["missing"] and found.table.differences is not None:
        facts["missing"] = "pairwise"
    return signed(sample.systems, sample.n, case.method, case.claims, case.adjust, case.settings, found, facts)


def signed(
    names: tuple[str, ...],
    n: int,
    method: Method,
    claims: Claims,
    adjust: str,
    settings: Settings,
    found: Found,
    facts: Mapping[str, Any],
) -> str:
    """How to get a ranking of these systems again."""
    told = {
        "alternative": claims.alternative,
        "family": claims.family,
        "adjust": adjust,
        "alpha": f"{settings.alpha:g}",
    }
    own = {
        "baseline": names[claims.baseline] if claims.baseline >= 0 else None,
        "exact": settings.exact if settings.exact != "near" else None,
    }
    size = {"systems": len(names), "n": n}
    drawn = {} if found.seed is None else {"resamples": found.resamples, "seed": found.seed}
    return signature("rank", method.name, told, settings.options, own, facts, size, drawn)
