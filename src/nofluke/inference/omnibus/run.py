"""Run one test of all systems at once on a table of datasets (or items) x systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.omnibus.ranked import as_matrix
from nofluke.inference.ranking.systems import Selection, over_datasets, systems_of
from nofluke.noting import signature
from nofluke.registry import OMNIBUS, Method
from nofluke.types import Call, FloatArray, Sample, Scores, TestResult


def run_omnibus(scores: Any, method: str, selection: Selection, **options: Any) -> TestResult:
    """Run the test of this name on what is selected of the scores."""
    chosen = OMNIBUS[method]
    settings = chosen.check_options(options)
    table = oriented_table(scores, selection)
    result: TestResult = chosen.function(table, **settings)
    size = {"systems": table.shape[1], "n": len(table)}
    return replace(
        result,
        method=chosen.name,
        label=chosen.label,
        null=str(chosen.facts["null"]),
        estimand=str(chosen.facts["estimand"]),
        about="ranks",
        kind="omnibus",
        unit=_rows(scores, selection, chosen),
        signature=signature("omnibus", chosen.name, settings, size),
        call=Call("omnibus", {"method": chosen.name, **settings}, "scores"),
    )


def _rows(scores: Any, selection: Selection, method: Method) -> str:
    """What a row of the table is: a bare matrix is taken for what the method is made for."""
    if isinstance(scores, Scores):
        return "dataset" if over_datasets(scores, selection) else "item"
    return "item" if isinstance(scores, Sample) or method.facts["needs"].startswith("items") else "dataset"


def oriented_table(scores: Any, selection: Selection) -> FloatArray:
    """Give datasets (or items) x systems, higher = better; right and wrong answers stay 1 and 0."""
    if not isinstance(scores, Scores | Sample):
        return as_matrix(scores)
    sample = systems_of(scores, selection, unpaired=False)
    if not sample.aggregate.linear:
        raise MethodError(
            f"{sample.metric} is no mean over items, so the systems cannot be ranked item by item.",
            fix="give several datasets, or compare the systems with nf.rank.",
        )
    values: FloatArray = sample.statistics[:, :, 0]
    if sample.higher_is_better:
        return values
    return 1.0 - values if np.isin(values, (0.0, 1.0)).all() else -values
