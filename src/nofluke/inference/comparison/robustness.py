"""Would the verdict hold had scores been printed in full, and whatever the scores of the left-out items were?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.align import differences, find_grid, fractions_behind, widen_ties
from nofluke.inference.p_values import significant, verdict_of
from nofluke.inference.recommend.rules import facts_of
from nofluke.inference.tests.run import run_test
from nofluke.registry import TESTS
from nofluke.types import FloatArray, Note, Sample, TestResult, frozen, note

# With fewer decimals one unit is a real difference (ratings, percentages), not an accident of printing.
_FEWEST_DECIMALS = 4
_FEWEST_OF_FRACTIONS = 3


def rerun_with_wider_ties(
    sample: Sample, result: TestResult, alpha: float, settings: Mapping[str, Any]
) -> tuple[tuple[Note, ...], tuple[Note, ...]]:
    """Tell of the test that was repeated, if one was, and give a note when the verdict changes.

    Thirds printed as .333 and .667 are the usual case: as fractions, two sixths tie with a third. Where no common
    denominator is found, ties become one printed unit wide.
    """
    grid = sample.grid
    if (
        not sample.aggregate.linear
        or not TESTS[result.method].facts["hangs_on_ties"]
        or not grid.exact
        or grid.divisor != 1
    ):
        return (), ()
    meant, denominator = _meant(sample)
    if meant is None:
        return (), ()
    again = run_test(meant, result.method, **settings)
    # 0 stands for ties one printed unit wide, where no denominator was found.
    repeated = note("compare.repeated", method=result.method, denominator=denominator, p_value=again.p_value)
    if significant(again.p_value, alpha) == significant(result.p_value, alpha):
        return (repeated,), ()
    facts = {"denominator": denominator, "p_value": again.p_value, "instead_of": result.p_value}
    return (repeated,), (note("compare.rounding_decides", **facts),)


def _meant(sample: Sample) -> tuple[Sample | None, int]:
    """The scores before they were rounded, as far as can be told, and their common denominator, if there is one."""
    values, grid = sample.statistics, sample.grid
    denominator = fractions_behind(values, grid.decimals) if grid.decimals >= _FEWEST_OF_FRACTIONS else None
    if denominator is not None:
        fractions = np.rint(values * denominator) / denominator
        return replace(sample, statistics=frozen(fractions), grid=find_grid(fractions)), denominator
    if grid.decimals < _FEWEST_DECIMALS or sample.clusters is not None:
        return None, 0
    widened = widen_ties(differences(sample).snapped)
    if widened is None:
        return None, 0
    # Still whole steps of the same grid: divided, not multiplied, they are the decimals that find it again.
    oriented = (widened / grid.per_unit).astype(np.float64) * (1 if sample.higher_is_better else -1)
    against_nothing = np.stack((oriented, np.zeros(len(oriented))), axis=1)[:, :, None]
    return replace(sample, statistics=frozen(against_nothing)), 0


def note_on_missing_items(
    sample: Sample,
    result: TestResult,
    alpha: float,
    settings: Mapping[str, Any],
    score_range: tuple[float | None, float | None],
) -> tuple[Note, ...]:
    """Fill the missing scores in the way that speaks most against the verdict, and test again."""
    verdict = verdict_of(result, alpha)
    gaps = sample.incomplete
    if not len(gaps):
        return ()
    by_itself = sample.strata is None and sample.runs is None and sample.clusters is None and sample.unit_size == 1
    if verdict not in ("better", "worse") or not by_itself or not sample.aggregate.linear:
        return (note("compare.left_out", n=len(gaps)),)
    low, high = (0.0, 1.0) if facts_of(sample).binary else score_range
    if low is None or high is None:
        return (note("compare.left_out_unknown_range", n=len(gaps)),)
    against_a = verdict == "better"
    worst, best = (low, high) if against_a == sample.higher_is_better else (high, low)
    again = run_test(_completed(sample, gaps, (worst, best)), result.method, **settings)
    if verdict_of(again, alpha) == verdict:
        return (note("compare.left_out_harmless", n=len(gaps)),)
    return (note("compare.left_out_decides", n=len(gaps), p_value=again.p_value),)


def _completed(sample: Sample, gaps: FloatArray, fill: tuple[float, float]) -> Sample:
    """Append the left-out items, with the missing scores of A and B filled in."""
    rows = np.where(np.isnan(gaps), np.array(fill)[None, :, None], gaps)
    statistics = frozen(np.concatenate([sample.statistics, rows]))
    n = len(statistics)
    return replace(sample, statistics=statistics, ids=None, lengths=(n, n))
