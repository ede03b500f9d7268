"""The p-values inside a power curve: one rule for each test, for whole blocks of drawn test sets at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nofluke.laws.tails import log_t_tails
from nofluke.types import FloatArray

# How p-values are computed: codes of the note that says it.
EXACT, SADDLEPOINT, NORMAL, TANGENT = "power.p_exact", "power.p_saddlepoint", "power.p_normal", "power.p_tangent"
THE_TEST, THE_TEST_OR_SILENT, FORMULA = "power.p_the_test", "power.p_the_test_or_silent", "power.p_formula"
SWAPS = "power.p_swaps"

# (test sets, groups) of counts -> log p-values. For normal differences: (test sets, items) of values.
Block = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Setting:
    """What the inner test is asked."""

    alternative: str
    level: float
    delta: float
    options: Mapping[str, Any]

    @property
    def tail(self) -> float:
        """The tail probability at which the test becomes significant."""
        return self.level / 2 if self.alternative == "two-sided" else self.level

    def log_p(self, lean: FloatArray, log_tail: FloatArray) -> FloatArray:
        """From the tail beyond |statistic| to the p-value; a statistic on the wrong side is given p = 1.

        Levels below 1/2 are all that a curve is drawn for, so which p-value above 1/2 it is does not matter.
        """
        if self.alternative == "two-sided":
            return np.minimum(0.0, math.log(2) + log_tail)
        side = lean if self.alternative == "greater" else -lean
        return np.where(side > 0, log_tail, 0.0)


@dataclass(frozen=True, slots=True)
class Rule:
    """How p-values are computed: for a block, and for one test set exactly (to check the former).

    `exact` takes a row of what `block` takes; None where the block is exact itself. `draws` is how many each takes.
    `dear` says that between counting and a smooth law one exact p-value takes longer than a whole curve.
    """

    block: Block
    how: str
    exact: Callable[[FloatArray], float] | None = None
    draws: int = 0
    dear: bool = False


def t_tails(t: FloatArray, df: FloatArray) -> FloatArray:
    """Give log P(T >= |t|) element by element; nan (no spread) counts as no evidence."""
    logs = log_t_tails(np.abs(t), df)
    return np.where(np.isnan(logs), 0.0, logs)
