"""Whether every system has a score at all: what is undefined cannot be compared."""

from __future__ import annotations

import math

import numpy as np

from nofluke.errors import MethodError
from nofluke.types import Sample

_USELESS = "leave the system out, or give outputs on which {metric} is defined."


def refuse_undefined(sample: Sample, *, where: str = "") -> None:
    """Refuse systems whose score on all items is no finite number; means of scores always have one."""
    if sample.aggregate.linear:
        return
    for index, name in enumerate(sample.systems):
        with np.errstate(all="ignore"):
            score = sample.score(index)
        if not math.isfinite(score):
            reason, fix = _why(sample, index, score)
            raise MethodError(f"{name} has no {sample.metric}: {reason}.", where=where, fix=fix)


def _why(sample: Sample, index: int, score: float) -> tuple[str, str]:
    """Say what leaves the score undefined, and what to do about it."""
    aggregate, items = sample.aggregate, "item" if sample.n == 1 else f"{sample.n:,} items"
    found = "infinite" if math.isinf(score) else "no number"
    if aggregate.whole is not None and aggregate.whole.kind == "black box":
        return f"your function gives {score} for its {items}", "let it give a finite number for all items together."
    if aggregate.whole is not None:
        return "its scores, or those of gold, do not vary", "give scores that differ between items."
    fix = _USELESS.format(metric=sample.metric)
    if aggregate.ratio is not None and not np.any(sample.of(index) @ np.array(aggregate.ratio.denominator, np.float64)):
        return f"what it is divided by is 0 on every one of its {items}", fix
    return f"computed from its {items} it is {found}", fix
