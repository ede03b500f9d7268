"""Would the verdict change if differences one printed unit apart were ties?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nofluke.align import as_sample, differences, widen_ties
from nofluke.inference.wording import p_in_figures
from nofluke.types import Sample, TestResult
from nofluke.verbs.test import test

# Tests whose p-value hangs on which differences tie.
_SENSITIVE = ("permutation", "sign", "wilcoxon")
# With fewer decimals one unit is a real difference (ratings, percentages), not an accident of printing.
_FEWEST_DECIMALS = 4


def note_on_printed_ties(
    sample: Sample, result: TestResult, alpha: float, settings: Mapping[str, Any]
) -> tuple[str, ...]:
    """Give a note when ties one printed unit wide (thirds printed as .333333) would change the verdict."""
    grid = sample.grid
    if (
        result.method not in _SENSITIVE
        or not grid.exact
        or grid.decimals < _FEWEST_DECIMALS
        or sample.clusters is not None
    ):
        return ()
    d = differences(sample)
    widened = None if d.integers is None else widen_ties(d.integers)
    if widened is None:
        return ()
    again = test(as_sample(widened * d.step, np.zeros(len(widened))), method=result.method, **settings)
    if (again.p_value <= alpha) == (result.p_value <= alpha):
        return ()
    return (
        "scores seem to be rounded fractions: with differences one printed unit apart taken as ties the verdict "
        f"changes, {p_in_figures(again.p_value)} instead of {p_in_figures(result.p_value)}. "
        "Give scores with more digits.",
    )
