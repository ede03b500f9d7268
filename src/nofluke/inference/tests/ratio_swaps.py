"""Swapping outputs that are scored by a ratio of sums: raw or studentised, and what few items can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from nofluke.engine.tail import EXACT_BOUND
from nofluke.inference.p_values import log_p_of, p_of
from nofluke.inference.resampling.corpus import Corpus
from nofluke.inference.resampling.corpus_draws import DEFAULT_DRAWS, SwapSettings
from nofluke.inference.resampling.drawn_p_values import by_path, log_p_of_draws, log_p_of_patterns
from nofluke.types import Computed, IntArray, Note, Sample, note

# A ratio that rests on fewer items than this is spoken of.
FEW = 10
# Denominators this many times apart make the raw swap test something else than equal metrics.
_APART = 1.5
_TOO_ROUGH = 1e-3


def units_behind(denominators: IntArray) -> IntArray:
    """Give for each column of (units, systems) denominators how many units add to it.

    >>> units_behind(np.array([[2, 0], [1, 3], [4, 0]]))
    array([3, 1])
    """
    numbers: IntArray = np.count_nonzero(denominators, axis=0).astype(np.int64)
    return numbers


def least_log_p(units: int, sides: int = 1) -> float:
    """Give the smallest log p-value that so many swapped units can reach.

    Swapping outputs of two systems shows that their outputs differ. Where one of them has hardly any, that is no
    evidence that their ratios do: with its units alone no swap test gets below 2 to the power of minus their number.
    """
    return min(0.0, math.log(sides) - units * math.log(2.0))


def support_notes(
    names: Sequence[str], behind: Iterable[int], total: int, metric: str, unit: str, *, held: bool
) -> tuple[Note, ...]:
    """Name the systems whose ratio rests on few units; `held` says that p-values are kept above what these allow."""
    few = {name: number for name, number in zip(names, behind, strict=True) if number < min(FEW, total)}
    return tuple(
        note("test.few_behind_ratio", metric=metric, system=name, units=number, n=total, unit=unit, held=held)
        for name, number in few.items()
    )


def ratio_swaps(corpus: Corpus, settings: SwapSettings) -> tuple[float, Computed, float]:
    """Give log p, how it was obtained, and how many standard errors apart the two ratios are.

    Raw swaps and shared denominators are computed; the studentised form counts all patterns or draws some.
    """
    from nofluke.engine.ratio_swaps.draws import ratio_swap_draws, ratio_swap_patterns, studentized_ratio
    from nofluke.engine.ratio_swaps.tail import ratio_swap_tail

    columns = corpus.columns()
    z = studentized_ratio(*columns).t
    shared = bool(np.array_equal(columns[2], columns[3]))
    exact = settings.monte_carlo is None and (settings.form == "raw" or shared)
    if exact:
        upper = settings.alternative == "greater" or (settings.alternative == "two-sided" and corpus.difference >= 0)
        num_a, num_b, den_a, den_b = columns
        sides = (num_a, num_b, den_a, den_b) if upper else (num_b, num_a, den_b, den_a)
        tail = ratio_swap_tail(*sides, empty=None)
        if tail.bound <= _TOO_ROUGH:
            log_p = log_p_of(tail.log_p, tail.log_p, settings.alternative)
            how = "exact" if tail.bound < EXACT_BOUND else "approximate"
            return log_p, Computed(how, error=tail.bound * p_of(log_p), detail=by_path(tail.path)), z
    studentized = settings.form == "studentized" and not shared
    every = ratio_swap_patterns(*columns, empty=None) if studentized and settings.monte_carlo is None else None
    if every is not None:
        return *log_p_of_patterns(every, settings.alternative), z
    counts = ratio_swap_draws(
        *columns,
        resamples=settings.monte_carlo or DEFAULT_DRAWS,
        seed=settings.seed,
        studentized=studentized,
        empty=None,
        progress=settings.progress,
    )
    return *log_p_of_draws(counts, settings.alternative, settings.seed), z


def units_of_ratio(corpus: Corpus) -> tuple[int, ...]:
    """Give how many units stand behind the ratio of each system; nothing where the metric is no ratio of its own sums.

    Shared denominators need no such care: units that have none do not differ, and swapping them changes nothing.
    """
    if corpus.aggregate.ratio is None:
        return ()
    _, _, den_a, den_b = corpus.columns()
    shared = np.array_equal(den_a, den_b)
    return () if shared else tuple(units_behind(np.stack((den_a, den_b), axis=1)).tolist())


def held_by_support(
    log_p: float, computed: Computed, behind: tuple[int, ...], settings: SwapSettings
) -> tuple[float, Computed]:
    """Take no p-value of the studentised form below what the items behind the smaller system can show."""
    least = least_log_p(min(behind, default=0), settings.sides)
    if not behind or settings.form == "raw" or log_p >= least:
        return log_p, computed
    return least, replace(computed, how="bound", error=0.0, interval=None, detail=note("computed.few_behind_score"))


def few_units_notes(corpus: Corpus, sample: Sample, *, held: bool) -> tuple[Note, ...]:
    """Name the systems whose ratio rests on few items; `held` says that their p-values are kept from promising more."""
    behind = units_of_ratio(corpus)
    if not behind:
        return ()
    names = sample.systems if sample.higher_is_better else sample.systems[::-1]
    return support_notes(names, behind, corpus.units, sample.metric, sample.unit, held=held)


def denominator_notes(corpus: Corpus) -> tuple[Note, ...]:
    """Warn of raw swaps of two ratios whose denominators are far apart."""
    _, _, den_a, den_b = corpus.columns()
    small, large = sorted((int(den_a.sum()), int(den_b.sum())))
    if large <= _APART * small:
        return ()
    return (note("test.denominators_apart", factor=large / max(small, 1)),)
