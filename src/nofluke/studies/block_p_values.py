"""P-values of whole blocks of drawn test sets, by the rules that power curves use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.inference.power.curves.pilot import Pilot
from nofluke.inference.power.curves.rule import Rule
from nofluke.registry import Method
from nofluke.types import FloatArray


def block_p_values(
    rule: Rule, counts: FloatArray, pilot: Pilot, method: Method, options: Mapping[str, Any]
) -> FloatArray:
    """Give the p-value of every row of counts; nan where the test has none.

    Where the tilt of a saddlepoint runs away (an extreme item that is not in the test set), the row is computed
    exactly.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        logs = rule.block(counts)
    if rule.exact is not None:
        for row in np.flatnonzero(np.isnan(logs)):
            logs[row] = rule.exact(counts[row])
    if method.name == "bootstrap":
        logs = np.where(_out_of_reach(pilot, counts, str(options.get("form", "shift"))), np.nan, logs)
    p_values: FloatArray = np.exp(np.minimum(logs, 0.0))
    return p_values


def _out_of_reach(pilot: Pilot, counts: FloatArray, form: str) -> npt.NDArray[np.bool_]:
    """Where no resample can be as extreme as the observed one, so that the bootstrap of a mean has no p-value."""
    if pilot.statistics is not None or pilot.sample.clusters is not None:
        return np.zeros(len(counts), dtype=bool)
    inside, values = counts > 0, pilot.totals.astype(np.float64)
    highest = np.where(inside, values, -np.inf).max(axis=1)
    lowest = np.where(inside, values, np.inf).min(axis=1)
    mean = counts @ values / counts.sum(axis=1)
    if form == "percentile":
        return np.asarray((lowest > 0) | (highest < 0))
    if form == "berg_kirkpatrick":
        return np.asarray(((mean > 0) & (highest <= 2 * mean)) | ((mean < 0) & (lowest >= 2 * mean)))
    return np.asarray(((mean > 0) & (highest < 2 * mean)) | ((mean < 0) & (lowest > 2 * mean)))
