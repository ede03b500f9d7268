"""Partial conjunction: is there an effect in at least u of N tests?

Benjamini and Heller 2008; the numbers of equations are those of Dror et al. 2017.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from nofluke.errors import unknown
from nofluke.inference.multiplicity.corrections import step_down, still_in_play
from nofluke.laws.tails import log_upper
from nofluke.types import FloatArray

# The last bits, which multiplying decimals may have cost, do not count: 3 * 0.1 / 6 is 0.05.
LENIENCE = 1e-12
# Up to so many p-values the table of all u and i is small, and quicker than one u after the other.
_AT_ONCE = 1_000


def partial_conjunction(p_values: FloatArray, method: str, log_p_values: FloatArray | None = None) -> FloatArray:
    """Give the p-value against "fewer than u effects" for u = 1..N along the last axis, capped at 1.

    Log p-values, where given, keep Fisher's sums right below the smallest float.
    """
    if method not in METHODS:
        raise unknown("partial conjunction", method, METHODS)
    if method == "fisher":
        with np.errstate(divide="ignore"):
            logs = np.log(p_values) if log_p_values is None else log_p_values
        return _fisher(np.sort(logs, axis=-1))
    return np.minimum(METHODS[method](np.sort(p_values, axis=-1)), 1.0)


def running_maximum(raw: FloatArray) -> FloatArray:
    """Make the p-values monotone in u (eq. 4), so that the count is read off one place."""
    return step_down(raw)


def count_effects(raw: FloatArray, level: float) -> npt.NDArray[np.int64]:
    """Give k-hat: the largest u for which u and everything below it is rejected at the level."""
    return np.asarray(at_most(step_down(raw), level).sum(axis=-1), dtype=np.int64)


def at_most(p_values: FloatArray, level: float) -> npt.NDArray[np.bool_]:
    """Whether each p-value is at most the level, but for the last bits."""
    return np.asarray(p_values <= level * (1 + LENIENCE))


def _bonferroni(ascending: FloatArray) -> FloatArray:
    """(N - u + 1) p(u), eq. 2."""
    return ascending * still_in_play(ascending.shape[-1])


def _fisher(ascending_logs: FloatArray) -> FloatArray:
    """Fisher's test of the N - u + 1 largest p-values, eq. 3."""
    sums = -np.cumsum(ascending_logs[..., ::-1], axis=-1)[..., ::-1]
    return np.exp(log_upper(still_in_play(ascending_logs.shape[-1]), sums))


def _simes(ascending: FloatArray) -> FloatArray:
    """Simes' test of the N - u + 1 largest: the minimum of (N - u + 1) p(i) / (i - u + 1) over i from u to N."""
    size = ascending.shape[-1]
    if ascending.ndim == 1 and size <= _AT_ONCE:
        place = np.arange(1, size + 1) - np.arange(size)[:, None]
        table = ascending * still_in_play(size)[:, None] / np.maximum(place, 1)
        return np.asarray(np.where(place > 0, table, np.inf).min(axis=1))
    found = np.empty_like(ascending)
    for start in range(size):
        kept = size - start
        found[..., start] = (ascending[..., start:] * kept / np.arange(1, kept + 1)).min(axis=-1)
    return found


METHODS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "bonferroni": _bonferroni,
    "fisher": _fisher,
    "simes": _simes,
}
