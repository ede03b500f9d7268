"""Choose the test of all pairs, run it, correct for their number, and compute exactly what a verdict could hang on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.align.strata import item_multipliers
from nofluke.check import check_count
from nofluke.engine.pairs.max_t import max_t
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.forms import OF_ALL_PAIRS, OF_CORPUS_PAIRS, Form
from nofluke.inference.describe import kind_of
from nofluke.inference.ranking.family import MAX_T, Claims, Verdicts, correct, near_the_line
from nofluke.inference.ranking.panel import (
    PairTable,
    Progress,
    Settings,
    flipped_units,
    is_wide,
    oriented,
    stated_errors,
    units_of,
)
from nofluke.inference.ranking.single_pairs import refuse_few_draws, single_tests, told_apart
from nofluke.inference.recommend.default import judge_by_default
from nofluke.inference.recommend.rules import Facts, datasets_of
from nofluke.inference.tests.run import refuse_clusters, refuse_runs, refuse_strata
from nofluke.options import MOST_WHOLE
from nofluke.registry import TESTS, Method
from nofluke.types import FloatArray, Note, Sample, note
from nofluke.types.base import SMALLEST


def method_for_all(sample: Sample, method: str) -> str:
    """The test that compare would take, judged by all systems at once."""
    if method != "auto":
        return TESTS[method].name
    linear = sample.aggregate.linear
    kind = kind_of(sample.statistics[..., 0].ravel()) if linear else "corpus"
    grouped = 0 if sample.clusters is None else units_of(sample)
    averaged: dict[str, Any] = datasets_of(sample)
    known = {"corpus": not linear, "runs": sample.runs is not None, **averaged}
    facts = Facts(n=sample.n, kind=kind, clusters=grouped, tied_share=0.0, **known)
    return judge_by_default(facts).preferred


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The tests of all pairs and which claims stand."""

    table: PairTable
    verdicts: Verdicts
    low: FloatArray | None = None
    high: FloatArray | None = None
    notes: tuple[Note, ...] = ()
    resamples: int = 0
    seed: int | None = None

    def errors(self, claims: Claims) -> FloatArray:
        """By how much each p-value may be off."""
        return stated_errors(self.table, two_sided=claims.two_sided)


def run_pairs(
    sample: Sample, method: Method, settings: Settings, claims: Claims, adjust: str, n_resamples: int
) -> Found:
    """Test all pairs in bulk or one by one, and say which claims stand."""
    if adjust == MAX_T:
        _check_max_t(sample, method.name, claims)
        table = _table(sample, method, settings)
        shared = _correct_by_max_t(
            sample,
            table,
            claims,
            settings.alpha,
            n_resamples=n_resamples,
            seed=settings.seed,
            progress=settings.progress,
        )
        return Found(table, shared.verdicts, shared.low, shared.high, shared.notes, n_resamples, settings.seed)
    return tested(_table(sample, method, settings), claims, adjust, settings)


def tested(table: PairTable, claims: Claims, adjust: str, settings: Settings) -> Found:
    """Say which claims of a table of tests stand."""
    if table.resamples and np.any(table.computed == "monte-carlo"):
        refuse_few_draws(table.resamples, settings)
    verdicts = correct(table.log_p, claims, adjust, settings.alpha)
    table, verdicts = _exact_near_the_line(table, verdicts, claims, adjust, settings)
    drawn = np.isin(table.computed[claims.mask()], ("monte-carlo", "linear+correction")).any()
    return Found(table, verdicts, resamples=table.resamples, seed=table.seed) if drawn else Found(table, verdicts)


def run_pairs_apart(
    sample: Sample,
    method: Method,
    settings: Settings,
    claims: Claims,
    adjust: str,
    pair_named: Callable[[str, str], Sample],
) -> Found:
    """Test every pair on items of its own, and say which claims stand."""
    if adjust == MAX_T:
        raise MethodError(
            "max_t flips the same items for all pairs, and missing = 'pairwise' gives every pair its own.",
            fix=Fix("use ", Option("adjust", "holm"), ", or ", Option("missing", "drop"), "."),
        )
    table = single_tests(method.name, sample, settings, pair_named)
    verdicts = correct(table.log_p, claims, adjust, settings.alpha)
    return Found(table, verdicts, resamples=table.resamples, seed=table.seed)


def _table(sample: Sample, method: Method, settings: Settings) -> PairTable:
    refuse_clusters(method, sample)
    refuse_strata(method, sample)
    refuse_runs(method, sample)
    form = form_for_all(method.name, sample, settings.options)
    if form is None:
        return single_tests(method.name, sample, settings)
    table: PairTable = form.function(sample, settings)
    return table if form.facts["groups"] else told_apart(table, sample, method.name, settings)


def form_for_all(method: str, sample: Sample, options: Mapping[str, Any]) -> Form | None:
    """Give the form that tests all pairs at once, or None where single tests have to do it."""
    aggregate, strata = sample.aggregate, sample.strata
    form = (OF_ALL_PAIRS if aggregate.linear else OF_CORPUS_PAIRS).of(method, options)
    if form is None or aggregate.whole is not None:
        return None
    if form.facts["groups"]:
        return form
    if not sample.paired or (sample.clusters is not None and not form.facts["clusters"]):
        return None
    if strata is not None and not strata.pooled and not form.facts["averages"]:
        return None
    if aggregate.linear:
        return None if is_wide(sample) else form
    # Two systems on a smooth metric get the very test of compare, with its own draws.
    alone = len(sample.systems) == 2 and aggregate.ratio is None
    return None if alone else form


def _exact_near_the_line(
    table: PairTable, verdicts: Verdicts, claims: Claims, adjust: str, settings: Settings
) -> tuple[PairTable, Verdicts]:
    """Compute exactly what is so near to alpha, after the correction, that an approximation could decide it."""
    if table.exact is None:
        return table, verdicts
    log_p, computed, bound = table.log_p.copy(), table.computed.copy(), table.bound.copy()
    done = (computed == "exact") | (computed == "linear+correction")
    while True:
        near = near_the_line(log_p, np.where(done, 0.0, bound), verdicts, claims, adjust, settings.alpha)
        if claims.two_sided:
            near = (near | near.T) & (log_p <= log_p.T)
        near &= ~done
        wanted = np.argwhere(near).tolist()
        if not wanted:
            return replace(table, log_p=log_p, computed=computed, bound=bound), verdicts
        for count, (i, j) in enumerate(wanted, start=1):
            log_p[i, j], bound[i, j], computed[i, j] = table.exact(i, j)
            done[i, j] = True
            if settings.progress is not None:
                settings.progress(count, len(wanted))
        verdicts = correct(log_p, claims, adjust, settings.alpha)


@dataclass(frozen=True, slots=True, eq=False)
class _MaxT:
    """Corrected claims, and the limits of all differences at once (None with clusters)."""

    verdicts: Verdicts
    low: FloatArray | None
    high: FloatArray | None
    notes: tuple[Note, ...]


def _check_max_t(sample: Sample, method: str, claims: Claims) -> None:
    """Refuse what shared sign flips of means cannot do."""
    means = sample.aggregate.linear and sample.paired and sample.runs is None
    instead = (Option("method", "permutation"), ", or ") if means else ()
    if not TESTS[method].facts["swaps"] or not sample.aggregate.linear or not sample.paired:
        raise MethodError(
            f"max_t flips the signs of score differences, and {method} on {sample.metric} is another test.",
            fix=Fix("use ", *instead, Option("adjust", "holm"), "."),
        )
    if claims.alternative != "two-sided":
        raise InputError("max_t makes two-sided claims.", fix="leave the alternative at two-sided.")


def _correct_by_max_t(
    sample: Sample, table: PairTable, claims: Claims, alpha: float, *, n_resamples: int, seed: int, progress: Progress
) -> _MaxT:
    """Correct all pairs by Westfall and Young's step-down maximum; no p-value is below 1 / (1 + n_resamples)."""
    check_count(n_resamples, "n_resamples", 99, MOST_WHOLE)
    units = flipped_units(sample)
    baseline = claims.baseline if claims.baseline >= 0 else None
    # With clusters no limits are given, and nothing is centred.
    sizes = item_multipliers(sample) if sample.clusters is None else None
    found = max_t(units, int(n_resamples), seed, sizes=sizes, baseline=baseline, progress=progress)
    mask = claims.mask()
    ahead = found.statistic > 0
    adjusted = np.where(mask, np.where(ahead, found.p_value, 1.0), np.nan)
    shown = np.where(mask, np.maximum(np.exp(table.log_p), SMALLEST), np.nan)
    with np.errstate(invalid="ignore"):
        better = mask & ahead & (adjusted <= alpha * (1 + 1e-12))
    notes: tuple[Note, ...] = (note("rank.max_t", resamples=n_resamples),)
    low, high = (None, None) if sample.clusters is not None else _limits(sample, found.critical_t(1 - alpha), mask)
    if sample.clusters is not None:
        notes += (note("rank.no_joint_intervals"),)
    return _MaxT(Verdicts(shown, adjusted, better), low, high, notes)


def _limits(sample: Sample, critical: float, mask: np.ndarray) -> tuple[FloatArray, FloatArray]:
    """Mean difference plus and minus critical t times its standard error, in score units, positive = row better.

    Of an average of datasets every item is moved by the same amount, as in the interval of a single pair.
    """
    values = oriented(sample).astype(np.float64) / sample.grid.per_unit
    n, size = values.shape
    strata = sample.strata
    counts = np.ones(n) if strata is None or strata.pooled else strata.shares * n
    middle, half = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        d = values[:, i : i + 1] - values
        middle[i] = (counts[:, None] * d).mean(axis=0)
        squares = (counts[:, None] * (d - middle[i])) ** 2
        error = np.sqrt(squares.sum(axis=0) / (n - 1)) / math.sqrt(n) if n > 1 else np.full(size, math.inf)
        # Systems that differ by a constant have no spread, and an infinite t no meaning there.
        half[i] = np.where(error > 0, critical * error, 0.0) if math.isfinite(critical) else math.inf
    return np.where(mask | mask.T, middle - half, np.nan), np.where(mask | mask.T, middle + half, np.nan)
