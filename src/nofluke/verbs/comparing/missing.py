"""Does the verdict hold whatever the scores of the left-out items were?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nofluke.inference.p_values import verdict_of
from nofluke.inference.recommend.rules import facts_of
from nofluke.types import FloatArray, Note, Sample, TestResult, frozen, note
from nofluke.verbs.test import test


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
    if not sample.aggregate.linear:
        return (note("compare.left_out", n=len(gaps)),) if len(gaps) else ()
    if not len(gaps) or verdict not in ("better", "worse") or sample.clusters is not None or sample.unit_size > 1:
        return ()
    low, high = (0.0, 1.0) if facts_of(sample).binary else score_range
    if low is None or high is None:
        return (note("compare.left_out_unknown_range", n=len(gaps)),)
    against_a = verdict == "better"
    worst, best = (low, high) if against_a == sample.higher_is_better else (high, low)
    again = test(_completed(sample, gaps, (worst, best)), result.method, **settings)
    if verdict_of(again, alpha) == verdict:
        return (note("compare.left_out_harmless", n=len(gaps)),)
    return (note("compare.left_out_decides", n=len(gaps), p_value=again.p_value),)


def _completed(sample: Sample, gaps: FloatArray, fill: tuple[float, float]) -> Sample:
    """Append the left-out items, with the missing scores of A and B filled in."""
    rows = np.where(np.isnan(gaps), np.array(fill)[None, :, None], gaps)
    statistics = frozen(np.concatenate([sample.statistics, rows]))
    n = len(statistics)
    return replace(sample, statistics=statistics, ids=None, lengths=(n, n))
