"""The correction by the largest statistic of all pairs under shared sign flips, with intervals that hold together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.engine.pairs.max_t import max_t
from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.inference.p_values import SMALLEST
from nofluke.inference.ranking.family import Claims, Verdicts
from nofluke.inference.ranking.panel import PairTable, Progress, flipped_units, oriented
from nofluke.registry import MOST_WHOLE
from nofluke.types import FloatArray, Note, Sample, note


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Corrected claims, and the limits of all differences at once (None with clusters)."""

    verdicts: Verdicts
    low: FloatArray | None
    high: FloatArray | None
    notes: tuple[Note, ...]


def check_shared(sample: Sample, method: str, claims: Claims) -> None:
    """Refuse what shared sign flips of means cannot do."""
    instead = (Option("method", "permutation"), ", or ") if sample.aggregate.linear and sample.paired else ()
    if method not in ("permutation", "mcnemar") or not sample.aggregate.linear or not sample.paired:
        raise MethodError(
            f"max_t flips the signs of score differences, and {method} on {sample.metric} is another test.",
            fix=Fix("use ", *instead, Option("adjust", "holm"), "."),
        )
    if claims.alternative != "two-sided":
        raise InputError("max_t makes two-sided claims.", fix="leave the alternative at two-sided.")


def correct_by_max_t(
    sample: Sample, table: PairTable, claims: Claims, alpha: float, *, n_resamples: int, seed: int, progress: Progress
) -> Shared:
    """Correct all pairs by Westfall and Young's step-down maximum; no p-value is below 1 / (1 + n_resamples)."""
    whole = isinstance(n_resamples, int | np.integer) and not isinstance(n_resamples, bool)
    if not whole or not 99 <= n_resamples <= MOST_WHOLE:
        raise InputError(
            f"n_resamples = {n_resamples!r} is not a whole number from 99 to {MOST_WHOLE:,}.", fix="give, say, 9999."
        )
    units = flipped_units(sample)
    baseline = claims.baseline if claims.baseline >= 0 else None
    found = max_t(units, int(n_resamples), seed, baseline=baseline, progress=progress)
    mask = claims.mask()
    ahead = found.statistic > 0
    adjusted = np.where(mask, np.where(ahead, found.p_value, 1.0), np.nan)
    shown = np.where(mask, np.maximum(np.exp(table.log_p), SMALLEST), np.nan)
    with np.errstate(invalid="ignore"):
        better = mask & ahead & (adjusted <= alpha * (1 + 1e-12))
    notes: tuple[Note, ...] = (note("rank.max_t", resamples=n_resamples),)
    low, high = (None, None) if sample.clusters is not None else _limits(sample, found.critical_t(1 - alpha), mask)
    if sample.clusters is not None:
        notes += (note("rank.no_joint_intervals"),)
    return Shared(Verdicts(shown, adjusted, better), low, high, notes)


def _limits(sample: Sample, critical: float, mask: np.ndarray) -> tuple[FloatArray, FloatArray]:
    """Mean difference plus and minus critical t times its standard error, in score units, positive = row better."""
    values = oriented(sample).astype(np.float64) / sample.grid.per_unit
    n, size = values.shape
    middle, half = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        d = values[:, i : i + 1] - values
        middle[i] = d.mean(axis=0)
        error = d.std(axis=0, ddof=1) / math.sqrt(n) if n > 1 else np.full(size, math.inf)
        # Systems that differ by a constant have no spread, and an infinite t no meaning there.
        half[i] = np.where(error > 0, critical * error, 0.0) if math.isfinite(critical) else math.inf
    return np.where(mask | mask.T, middle - half, np.nan), np.where(mask | mask.T, middle + half, np.nan)
