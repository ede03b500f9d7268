"""Would the verdict change if differences one printed unit apart were ties?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.align import differences, find_grid, fractions_behind, widen_ties
from nofluke.inference.p_values import significant
from nofluke.types import Note, Sample, TestResult, frozen, note
from nofluke.verbs.test import test

# Tests whose p-value hangs on which differences tie.
_SENSITIVE = ("permutation", "sign", "wilcoxon")
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
    if not sample.aggregate.linear or result.method not in _SENSITIVE or not grid.exact or grid.divisor != 1:
        return (), ()
    meant, denominator = _meant(sample)
    if meant is None:
        return (), ()
    again = test(meant, result.method, **settings)
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
    widened = widen_ties(differences(sample).whole)
    if widened is None:
        return None, 0
    # Still whole steps of the same grid: divided, not multiplied, they are the decimals that find it again.
    oriented = (widened / grid.per_unit).astype(np.float64) * (1 if sample.higher_is_better else -1)
    against_nothing = np.stack((oriented, np.zeros(len(oriented))), axis=1)[:, :, None]
    return replace(sample, statistics=frozen(against_nothing)), 0
