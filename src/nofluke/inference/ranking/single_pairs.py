"""Tests that have no bulk form, run pair by pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.inference.ranking.panel import PairTable, Settings, merged_pairs, pair_of, reordered
from nofluke.inference.tests.run import run_test
from nofluke.types import IntArray, Items, Note, Sample, TestResult, note


def single_tests(
    method: str,
    sample: Sample | Items,
    settings: Settings,
    pair_named: Callable[[str, str], Sample] | None = None,
) -> PairTable:
    """Run a test in both directions on every pair; `pair_named` gives the samples of pairs with items of their own."""
    size = len(sample.systems)
    log_p, bound = np.zeros((size, size)), np.zeros((size, size))
    computed = np.full((size, size), "exact", "<U17")
    differences, sizes = np.zeros((size, size)), np.zeros((size, size), dtype=np.int64)
    notes: dict[Note, int] = {}
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    result: TestResult | None = None
    for done, (i, j) in enumerate(pairs, start=1):
        named = None if pair_named is None else pair_named(sample.systems[i], sample.systems[j])
        pair = pair_of(sample, i, j) if named is None else named
        gap = pair.score(0) - pair.score(1)
        differences[i, j] = gap if sample.higher_is_better else -gap
        differences[j, i], sizes[i, j] = -differences[i, j], pair.n
        for first, second, alternative in ((i, j, "greater"), (j, i, "less")):
            result = _run(pair, method, alternative, settings)
            # Draws that stop early do so because p is large: their number says nothing about the smallest p-value.
            if result.computed.how == "monte-carlo" and settings.options.get("stop", "never") == "never":
                refuse_few_draws(result.computed.resamples, settings)
            log_p[first, second], computed[first, second] = result.log_p_value, result.computed.how
            bound[first, second] = result.computed.error / max(result.p_value, 1e-300)
            for one in result.notes:
                notes[one] = notes.get(one, 0) + 1
        if settings.progress is not None:
            settings.progress(done, len(pairs))
    if result is None:
        raise InputError("there is no pair of systems.", fix="give two or more systems.")
    return PairTable(
        log_p,
        computed,
        bound,
        result.validity,
        (
            *(one for one, count in notes.items() if count == 2 * len(pairs) and one not in sample.notes),
            *(() if pair_named is None else (_note_on_items(sample, sizes[sizes > 0]),)),
        ),
        resamples=result.computed.resamples,
        seed=result.computed.seed,
        differences=None if pair_named is None else differences,
        sizes=None if pair_named is None else (sizes + sizes.T).astype(np.float64),
    )


def told_apart(table: PairTable, sample: Sample, method: str, settings: Settings) -> PairTable:
    """Test singly, on a grid of their own, the pairs whose ties cannot be told on the grid of all systems."""
    pairs = merged_pairs(sample)
    if not pairs:
        return table
    log_p, computed, bound = table.log_p.copy(), table.computed.astype("<U17"), table.bound.copy()
    for pair in pairs:
        alone = single_tests(method, reordered(sample, pair), replace(settings, progress=None))
        block = np.ix_(pair, pair)
        log_p[block], computed[block], bound[block] = alone.log_p, alone.computed, alone.bound
    told = replace(table, log_p=log_p, computed=computed, bound=bound)
    if table.exact is None:
        return told
    singly, of_all = {*pairs, *((j, i) for i, j in pairs)}, table.exact

    def exact(i: int, j: int) -> tuple[float, float, str]:
        done = float(log_p[i, j]), float(bound[i, j]), str(computed[i, j])
        return done if (i, j) in singly else of_all(i, j)

    return replace(told, exact=exact)


def _note_on_items(sample: Sample | Items, sizes: IntArray) -> Note:
    """On how many items pairs were tested, and on how many the scores rest."""
    return note(
        "rank.items_of_pairs",
        low=sizes.min(),
        median=int(np.median(sizes)),
        high=sizes.max(),
        common=sample.n,
        items=sample.n + sample.alignment.dropped,
    )


def _run(pair: Sample, method: str, alternative: str, settings: Settings) -> TestResult:
    given: dict[str, Any] = {"alternative": alternative, "seed": settings.seed, **settings.options}
    try:
        return run_test(pair, method, **given)
    except MethodError as error:
        names = " and ".join(pair.systems)
        raise MethodError(error.message, where=error.where or names, fix=error.fix) from None


def refuse_few_draws(draws: int, settings: Settings) -> None:
    """No p-value of draws is below 1 / (1 + draws): with too few of them no claim of the family could ever stand."""
    if (draws + 1) * settings.alpha >= settings.claims * (1 - 1e-12):
        return
    needed = int(np.ceil(settings.claims / settings.alpha)) - 1
    raise InputError(
        f"{draws:,} draws cannot show anything here: the smallest p-value, 1 / {draws + 1:,}, times "
        f"{settings.claims:,} claims is above alpha = {settings.alpha:g}.",
        fix=Fix(
            "draw at least ", Option("monte_carlo", str(needed)), ", or use the default test, which needs no draws."
        ),
    )
