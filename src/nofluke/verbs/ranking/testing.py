"""Run the tests of all pairs, correct them, and compute exactly what a verdict could hang on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nofluke.align.decimals import to_integers
from nofluke.errors import Fix, MethodError, Option
from nofluke.inference.ranking.bulk import bulk_test
from nofluke.inference.ranking.family import MAX_T, Claims, Verdicts, correct, near_the_line
from nofluke.inference.ranking.panel import PairTable, Settings
from nofluke.inference.ranking.ranks import mann_whitney
from nofluke.registry import TESTS, Method
from nofluke.types import FloatArray, Note, Sample
from nofluke.verbs.ranking.shared import check_shared, correct_by_max_t
from nofluke.verbs.ranking.single import refuse_few_draws, single_tests

_UNPAIRED_BULK = frozenset({"mode", "continuity", "snap"})


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


def run_pairs(
    sample: Sample, method: Method, settings: Settings, claims: Claims, adjust: str, n_resamples: int
) -> Found:
    """Test all pairs in bulk or one by one, and say which claims stand."""
    if adjust == MAX_T:
        check_shared(sample, method.name, claims)
        table = _table(sample, method, settings)
        shared = correct_by_max_t(
            sample,
            table,
            claims,
            settings.alpha,
            n_resamples=n_resamples,
            seed=settings.seed,
            progress=settings.progress,
        )
        return Found(table, shared.verdicts, shared.low, shared.high, shared.notes, n_resamples, settings.seed)
    table = _table(sample, method, settings)
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
    if sample.clusters is not None and not method.facts["clusters"]:
        able = [other.name for other in TESTS if other.facts["clusters"]]
        raise MethodError(
            f"{method.name} takes items as independent, and these come in clusters.",
            fix=f"use method {' or '.join(repr(name) for name in able)}, which keeps clusters together.",
        )
    if method.name == "mann_whitney" and set(settings.options) <= _UNPAIRED_BULK:
        return mann_whitney(_groups(sample, snap=bool(settings.options.get("snap", True))), settings)
    test = bulk_test(method.name, sample, settings.options)
    return single_tests(method.name, sample, settings) if test is None else test(sample, settings)


def _groups(sample: Sample, *, snap: bool) -> list[Any]:
    sign = 1 if sample.higher_is_better else -1
    groups = [sample.scores(index) for index in range(len(sample.systems))]
    return [sign * (to_integers(group, sample.grid) if snap else group) for group in groups]


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
