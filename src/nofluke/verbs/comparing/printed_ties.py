"""Would the verdict change if differences one printed unit apart were ties?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nofluke.align import as_sample, differences, widen_ties
from nofluke.inference.significance.sides import significant
from nofluke.inference.wording import p_in_figures
from nofluke.types import Sample, TestResult
from nofluke.verbs.test import test

# Tests whose p-value hangs on which differences tie.
_SENSITIVE = ("permutation", "sign", "wilcoxon")
# With fewer decimals one unit is a real difference (ratings, percentages), not an accident of printing.
_FEWEST_DECIMALS = 4


def rerun_with_wider_ties(
    sample: Sample, result: TestResult, alpha: float, settings: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the name of the test that was repeated, if it was, and a note when the verdict changes.

    Thirds printed as .333333 and .666667 are the usual case: ties become one printed unit wide.
    """
    grid = sample.grid
    if (
        not sample.aggregate.linear
        or result.method not in _SENSITIVE
        or not grid.exact
        or grid.decimals < _FEWEST_DECIMALS
    ):
        return (), ()
    widened = widen_ties(differences(sample).whole) if sample.clusters is None else None
    if widened is None:
        return (), ()
    again = test(as_sample(widened * grid.step, np.zeros(len(widened))), result.method, **settings)
    name = (f"{result.method} with ties one printed unit wide",)
    if significant(again.p_value, alpha) == significant(result.p_value, alpha):
        return name, ()
    note = (
        "scores seem to be rounded fractions: with differences one printed unit apart taken as ties the verdict "
        f"changes, {p_in_figures(again.p_value)} instead of {p_in_figures(result.p_value)}. "
        "Give scores with more digits."
    )
    return name, (note,)
