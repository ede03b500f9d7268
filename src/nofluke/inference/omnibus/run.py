"""Run one test of all systems at once on a table of datasets (or items) x systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.omnibus.ranked import as_matrix
from nofluke.inference.ranking.systems import Selection, over_datasets, several_datasets, systems_of
from nofluke.noting import signature
from nofluke.registry import OMNIBUS, Method
from nofluke.types import Call, FloatArray, Sample, Scores, TestResult


def run_omnibus(scores: Any, method: str, selection: Selection, **options: Any) -> TestResult:
    """Run the test of this name on what is selected of the scores."""
    chosen = OMNIBUS[method]
    settings = chosen.check_options(options)
    sample = _sample_of(scores, selection)
    table = oriented_table(scores if sample is None else sample, selection)
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
        unit=_rows(sample, chosen),
        signature=signature("omnibus", chosen.name, settings, size),
        call=Call("omnibus", {"method": chosen.name, **settings}, "scores"),
    )


def _rows(sample: Sample | None, method: Method) -> str:
    """What a row of the table is: a bare matrix is taken for what the method is made for."""
    if sample is not None:
        return "dataset" if over_datasets(sample) else "item"
    return "item" if method.facts["needs"].startswith("items") else "dataset"


def _sample_of(scores: Any, selection: Selection) -> Sample | None:
    """Give the systems of a table or a sample, several datasets as one row each; None for a bare matrix."""
    if isinstance(scores, Scores) and several_datasets(scores, selection):
        selection = replace(selection, over="datasets")
    return systems_of(scores, selection, unpaired=False) if isinstance(scores, Scores | Sample) else None


def oriented_table(scores: Any, selection: Selection) -> FloatArray:
    """Give datasets (or items) x systems, higher = better; right and wrong answers stay 1 and 0."""
    sample = _sample_of(scores, selection)
    if sample is None:
        return as_matrix(scores)
    if not sample.aggregate.linear:
        raise MethodError(
            f"{sample.metric} is no mean over items, so the systems cannot be ranked item by item.",
            fix="give several datasets, or compare the systems with nf.rank.",
        )
    values: FloatArray = sample.statistics[:, :, 0]
    if sample.higher_is_better:
        return values
    return 1.0 - values if np.isin(values, (0.0, 1.0)).all() else -values
