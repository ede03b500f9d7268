"""Is a simulated rate the same as one that other code has simulated?"""

from __future__ import annotations

import math

# Two-sided 99.9 %: a correct function fails once in a thousand new seeds, and never on a fixed one that has passed.
_BOUND = 3.2905


def same_rate(count: int, repetitions: int, rate: float, source_repetitions: int) -> bool:
    """Whether count / repetitions and a rate found in source_repetitions differ by no more than chance allows both."""
    pooled = (count + rate * source_repetitions) / (repetitions + source_repetitions)
    error = math.sqrt(pooled * (1 - pooled) * (1 / repetitions + 1 / source_repetitions))
    return abs(count / repetitions - rate) <= _BOUND * error
