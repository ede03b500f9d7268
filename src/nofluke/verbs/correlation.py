"""correlation: do two columns of numbers go together?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from nofluke.align import as_sample
from nofluke.check import check_level
from nofluke.errors import InputError, MethodError
from nofluke.inference.correlation.association import Pairs
from nofluke.inference.tests.run import alpha_of
from nofluke.noting import called, signature
from nofluke.registry import ASSOCIATIONS
from nofluke.types import TestResult


@called("correlation", "columns", "x", "y", methods=ASSOCIATIONS)
def correlation(
    x: Any,
    y: Any,
    method: str = "pearson",
    *,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    missing: Literal["refuse", "drop"] = "refuse",
    **options: Any,
) -> TestResult:
    """Do two columns of numbers go together, such as a system's scores and human scores?

    `method` is pearson, spearman or kendall (tau-b); the correlation is `estimate`, with p-value and interval. To ask
    whether A correlates with gold better than B, score both and compare: nf.score("spearman", {"A": a, "B": b}, gold).

    >>> import nofluke as nf
    >>> result = nf.correlation([1, 2, 3, 4, 5], [1, 3, 2, 4, 5], "kendall")
    >>> round(result.estimate, 3), round(result.p_value, 4)
    (0.8, 0.0833)
    """
    chosen = ASSOCIATIONS[method]
    check_level(confidence_level, "confidence_level")
    sample = as_sample(x, y, names=("x", "y"), missing=missing)
    pairs = Pairs(np.array(sample.statistics[:, :2, 0]))
    if pairs.n < 3:
        raise InputError(f"{pairs.n} items have no correlation to speak of.", fix="give at least 3 items.")
    for name, column in zip(("x", "y"), pairs.rows.T, strict=True):
        if not np.any(column != column[0]):
            raise MethodError(f"all {name} are equal, so there is no correlation.", fix="give numbers that differ.")
    settings = chosen.check_options({"alternative": alternative, "confidence_level": confidence_level, **options})
    result: TestResult = chosen.function(pairs, **settings)
    return replace(
        result,
        method=chosen.name,
        label=chosen.label,
        null="the numbers of {a} and {b} are unrelated",
        estimand=chosen.label,
        about="correlation",
        kind="association",
        systems=(sample.systems[0], sample.systems[1]),
        alpha=alpha_of(confidence_level),
        signature=signature("association", chosen.name, {"alternative": alternative, **options}, {"n": pairs.n}),
    )
