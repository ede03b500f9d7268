"""When may Monte Carlo draws stop early? Rules for black boxes whose every draw is dear.

A yes/no stop answers only "is p below alpha?", at one alpha fixed beforehand. It gives no p-value: never feed it to
corrections, combinations or replicability analyses. Families use a fixed number of draws, or Besag and Clifford's p.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.errors import InputError

Flags = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether p is below alpha (None: the draws ran out first), and what was seen."""

    below: bool | None
    exceedances: int
    draws: int


@dataclass(frozen=True, slots=True)
class SequentialP:
    """A valid p-value from draws that stopped early, and what was seen."""

    p_value: float
    exceedances: int
    draws: int


def decide_sequentially(exceedances: Iterable[Flags], alpha: float, *, error: float = 1e-3) -> Decision:
    """Is the p-value below alpha?

    `exceedances` gives, chunk by chunk, which replicates were at least as extreme as the data. After N draws with S
    exceedances it stops as soon as (N + 1) C(N, S) alpha^S (1 - alpha)^(N - S) <= error. The chance of ever deciding
    for the wrong side of alpha is then at most `error`, however often one looks: under p = alpha the reciprocal of
    that bound is a martingale of mean 1 (Robbins 1970; Lai 1976). Looks are at the ends of chunks. Near alpha it needs
    many draws (a million within 0.001 of 0.05); with none left the decision is None.

    >>> decide_sequentially([np.zeros(256, dtype=bool)], 0.05)
    Decision(below=True, exceedances=0, draws=256)
    """
    if not 0 < alpha < 1 or not 0 < error < 1:
        raise InputError(
            f"alpha = {alpha} and error = {error} must be between 0 and 1.", fix="give e.g. 0.05 and 0.001."
        )
    seen = draws = 0
    for flags in exceedances:
        seen, draws = seen + int(np.count_nonzero(flags)), draws + len(flags)
        if math.log(draws + 1) + _log_point(draws, seen, alpha) <= math.log(error):
            return Decision(seen < alpha * draws, seen, draws)
    return Decision(None, seen, draws)


def besag_clifford(exceedances: Iterable[Flags], *, stop_at: int = 20, most: int | None = None) -> SequentialP:
    """What is the p-value, if draws stop at the `stop_at`-th exceedance?

    p = h / L when the h-th exceedance is draw L; (1 + S) / (1 + N) when all N draws (at most `most`) hold fewer. It is
    a valid p-value, P(p <= u) <= u under the null (Besag and Clifford 1991), so corrections may use it; its relative
    standard error is about 1 / sqrt(h).

    >>> besag_clifford([np.array([True, False, True])], stop_at=2)
    SequentialP(p_value=0.6666666666666666, exceedances=2, draws=3)
    """
    if stop_at < 1 or (most is not None and most < 1):
        raise InputError(f"stop_at = {stop_at} and most = {most} cannot be.", fix="give whole numbers of at least 1.")
    seen = draws = 0
    for flags in exceedances:
        chunk = np.asarray(flags, dtype=bool)[: None if most is None else most - draws]
        hits = np.flatnonzero(chunk)
        if seen + hits.size >= stop_at:
            draws += int(hits[stop_at - seen - 1]) + 1
            return SequentialP(stop_at / draws, stop_at, draws)
        seen, draws = seen + int(hits.size), draws + len(chunk)
        if most is not None and draws >= most:
            break
    return SequentialP((1 + seen) / (1 + draws), seen, draws)


def _log_point(draws: int, seen: int, alpha: float) -> float:
    choices = math.lgamma(draws + 1) - math.lgamma(seen + 1) - math.lgamma(draws - seen + 1)
    return choices + seen * math.log(alpha) + (draws - seen) * math.log1p(-alpha)
