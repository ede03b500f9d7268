"""From one-sided evidence for each dataset to the answer, for one claim or both directions, one metric or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, Option, listing, unknown
from nofluke.inference.multiplicity.closed_testing import true_among
from nofluke.inference.replication.analysis import (
    Analysis,
    Sided,
    against_claim,
    analyse,
    contradicted,
    one_sided,
    reasons,
)
from nofluke.noting import signature, with_facts
from nofluke.types import FloatArray, MetricsReplication, Note, Replication, TestResult, frozen, note


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What every dataset says: one-sided p-values for each claim that was tested, scores, sizes and tests.

    `as_given` says that one-sided p-values were taken from the user, so that scores may contradict them.
    """

    systems: tuple[str, str]
    metric: str
    datasets: tuple[str, ...]
    claims: Mapping[str, Sided]
    scores: FloatArray
    signs: FloatArray
    higher_is_better: bool
    sizes: tuple[int, ...] = ()
    tests: Mapping[str, tuple[TestResult, ...]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    as_given: bool = False
    about_scores: bool = True
    detectable: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of the evidence."""

    alternative: str
    alpha: float
    dependence: str
    fdr: bool = False
    subset: tuple[str, ...] = ()


def conclude(evidence: Evidence, asked: Request) -> Replication:
    """Answer how many and which, for one claim or for both directions."""
    _check_subset(evidence, asked)
    if asked.alternative != "two-sided":
        found = _analysis(evidence, asked, evidence.claims[asked.alternative], asked.alpha)
        return _one_claim(evidence, asked, asked.alternative, asked.alpha, found)
    return _both_claims(evidence, asked)


def _check_subset(evidence: Evidence, asked: Request) -> None:
    for name in asked.subset:
        if name not in evidence.datasets:
            raise unknown("dataset", name, evidence.datasets)
    if len(set(asked.subset)) < len(asked.subset):
        raise InputError("the subset names a dataset twice.", fix="name every dataset once.")


def _one_claim(evidence: Evidence, asked: Request, alternative: str, level: float, found: Analysis) -> Replication:
    against = against_claim(evidence.signs, alternative, evidence.datasets)
    wrong = contradicted(found.p_values, evidence.signs, alternative, evidence.datasets) if evidence.as_given else ()
    turned = _turned(evidence, asked, alternative, level) if wrong else None
    return Replication(
        systems=evidence.systems,
        metric=evidence.metric,
        datasets=evidence.datasets,
        sizes=evidence.sizes,
        estimates=frozen(_estimates(evidence)),
        p_values=found.p_values,
        alternative=alternative,
        alpha=asked.alpha,
        level=level,
        dependence=asked.dependence,
        method=found.method,
        count=found.count,
        counts=found.counts,
        reasons=reasons(asked.dependence, len(evidence.datasets), level),
        identified=found.identified,
        identified_by=found.identified_by,
        adjusted=found.adjusted,
        partial_conjunction=found.monotone,
        partial_conjunction_raw=found.raw,
        against=against,
        **_record_of_scores(evidence.signs),
        tests=evidence.tests[alternative] if evidence.tests else (),
        opposite=None,
        notes=(*_contradiction(evidence, alternative, wrong), *evidence.notes),
        signature=_signed(evidence, asked, found),
        scores=evidence.scores,
        log_p_values=frozen(np.minimum(evidence.claims[alternative].logs, 0.0)),
        higher_is_better=evidence.higher_is_better,
        fdr=asked.fdr,
        subset=asked.subset,
        subset_count=_subset_count(found, evidence, asked, level, alternative),
        detectable=evidence.detectable,
        signs=tuple(evidence.signs.tolist()) if evidence.about_scores else (),
        contradicted=wrong,
        turned=() if turned is None else turned.identified,
        turned_count=None if turned is None else turned.count,
    )


def _contradiction(evidence: Evidence, alternative: str, wrong: tuple[str, ...]) -> tuple[Note, ...]:
    winner, loser = evidence.systems[::-1] if alternative == "less" else evidence.systems
    return (note("replicate.contradicted", winner=winner, loser=loser, datasets=wrong),) if wrong else ()


def _analysis(evidence: Evidence, asked: Request, claim: Sided, level: float) -> Analysis:
    return analyse(claim.p_values, claim.logs, evidence.datasets, level, asked.dependence)


def _both_claims(evidence: Evidence, asked: Request) -> Replication:
    level = asked.alpha / 2
    forth, back = (_analysis(evidence, asked, evidence.claims[side], level) for side in ("greater", "less"))
    greater = _one_claim(evidence, asked, "greater", level, forth)
    less = _one_claim(evidence, asked, "less", level, back)
    return replace(greater, alternative="two-sided", opposite=less)


def _turned(evidence: Evidence, asked: Request, alternative: str, level: float) -> Analysis:
    """The same p-values, read as two-sided, with the direction of the scores; equal or unknown scores count as 1."""
    signs = np.nan_to_num(evidence.signs)
    given = evidence.claims[alternative]
    turned = one_sided(given.p_values, given.logs, signs, evidence.datasets)
    return _analysis(evidence, asked, turned[alternative], level)


def _subset_count(found: Analysis, evidence: Evidence, asked: Request, level: float, alternative: str) -> int | None:
    if not asked.subset:
        return None
    chosen = np.array([evidence.datasets.index(name) for name in asked.subset])
    return true_among(found.p_values, chosen, level, found.method, np.minimum(evidence.claims[alternative].logs, 0.0))


def _estimates(evidence: Evidence) -> FloatArray:
    difference: FloatArray = evidence.scores[:, 0] - evidence.scores[:, 1]
    return difference if evidence.higher_is_better else -difference


def _record_of_scores(signs: FloatArray) -> dict[str, Any]:
    if np.isnan(signs).any():
        return {"wins": None, "ties": None, "losses": None}
    return {"wins": int((signs > 0).sum()), "ties": int((signs == 0).sum()), "losses": int((signs < 0).sum())}


def _signed(evidence: Evidence, asked: Request, found: Analysis) -> str:
    used = dict.fromkeys(test.method for tests in evidence.tests.values() for test in tests)
    told = {"dependence": asked.dependence, "alternative": asked.alternative, "alpha": f"{asked.alpha:g}"}
    return signature(
        "replicate", found.method, told, {"test": "+".join(used) or None, "datasets": len(evidence.datasets)}
    )


def conclude_metrics(by_metric: Mapping[str, Evidence], asked: Request) -> MetricsReplication:
    """Answer both readings: at least k datasets for each metric, and at least k on which all metrics agree.

    The first is the smallest of the counts. The second takes the largest p-value over metrics for each dataset, which
    is a p-value against "some metric shows nothing here". Neither needs a further correction.
    """
    results = {metric: conclude(evidence, asked) for metric, evidence in by_metric.items()}
    together = conclude(_all_agree(by_metric), asked)
    first = next(iter(results.values()))
    each = min(result.count for result in results.values())
    return MetricsReplication(
        by_metric=results,
        count_each=each,
        together=together,
        notes=tuple(_notes(results)),
        signature=with_facts(first.signature, {"metrics": len(results)}),
    )


def _all_agree(by_metric: Mapping[str, Evidence]) -> Evidence:
    first = next(iter(by_metric.values()))
    for metric, evidence in by_metric.items():
        if evidence.datasets != first.datasets:
            raise InputError(
                f"metric {metric} has other datasets than {first.metric}: {listing(evidence.datasets, 6)}.",
                fix=Fix("give all metrics for the same datasets, or choose one: ", Option("metric", "NAME"), "."),
            )
    signs = np.array([evidence.signs for evidence in by_metric.values()])
    agree = np.where((signs > 0).all(axis=0), 1.0, np.where((signs < 0).any(axis=0), -1.0, 0.0))
    unknown = np.isnan(signs).any(axis=0)
    return Evidence(
        systems=first.systems,
        metric=" and ".join(by_metric),
        datasets=first.datasets,
        claims={
            side: Sided(
                np.max([evidence.claims[side].p_values for evidence in by_metric.values()], axis=0),
                np.max([evidence.claims[side].logs for evidence in by_metric.values()], axis=0),
            )
            for side in first.claims
        },
        scores=frozen(np.full((len(first.datasets), 2), np.nan)),
        signs=frozen(np.where(unknown, np.nan, agree)),
        higher_is_better=True,
        sizes=first.sizes,
        as_given=first.as_given,
        about_scores=False,
    )


def _notes(results: Mapping[str, Replication]) -> list[Note]:
    """Every note once, with the metrics it belongs to."""
    homes: dict[Note, list[str]] = {}
    for metric, result in results.items():
        for one in dict.fromkeys(result.notes):
            homes.setdefault(one, []).append(metric)
    return [
        one if len(of) == len(results) else note("replicate.by_metrics", metrics=of, note=one)
        for one, of in homes.items()
    ]
