"""A tail probability with a bound on its error, whichever way it was found."""

from __future__ import annotations

import math
from typing import NamedTuple

# "exact" may be said below this bound; above it, counting is tried before the bound is reported.
EXACT_BOUND = 1e-9


class Tail(NamedTuple):
    """A tail probability: its natural logarithm, a bound on the relative error, and how it was obtained."""

    log_p: float
    bound: float
    path: str


def between(upper: Tail, lower: Tail) -> Tail:
    """Give the upper of two tails that enclose the true one, with a bound that reaches down to the lower one.

    >>> between(Tail(0.0, 0.0, "enumeration"), Tail(-math.inf, 0.0, "enumeration")).bound
    1.0
    """
    if upper.log_p == -math.inf:
        return upper
    gap = -math.expm1(min(0.0, lower.log_p - upper.log_p))
    return Tail(upper.log_p, upper.bound + gap + lower.bound * (1.0 - gap), upper.path)
