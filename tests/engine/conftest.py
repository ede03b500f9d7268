"""Independent oracles: the law of a sum of signs in Python's unlimited integers."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pytest

from nofluke.engine.tail import Tail


@dataclass(frozen=True)
class Law:
    """counts[T]: how many of the 2^m sign patterns give T."""

    counts: dict[int, int]
    patterns: int

    def log_tail(self, threshold: int) -> float:
        above = sum(count for total, count in self.counts.items() if total >= threshold)
        if above == 0:
            return -math.inf
        below = self.patterns - above
        if below == 0:
            return 0.0
        # Python divides integers with one rounding, however long they are.
        if above <= below:
            return math.log(above) - math.log(self.patterns)
        return math.log1p(-(below / self.patterns))


def enumerate_law(items: Iterable[int]) -> Law:
    """Every one of the 2^m sign patterns."""
    values = [int(v) for v in items]
    sums = Counter(
        sum(s * v for s, v in zip(signs, values, strict=True))
        for signs in itertools.product((1, -1), repeat=len(values))
    )
    return Law(dict(sums), 2 ** len(values))


def convolve_law(items: Iterable[int]) -> Law:
    """Dynamic programming over the totals, in unlimited integers."""
    counts: dict[int, int] = {0: 1}
    number = 0
    for item in items:
        value, following = abs(int(item)), {}
        for total, count in counts.items():
            following[total + value] = following.get(total + value, 0) + count
            following[total - value] = following.get(total - value, 0) + count
        counts, number = following, number + 1
    return Law(counts, 2**number)


def is_honest(tail: Tail, expected: float, limit: float = math.inf) -> bool:
    """Whether the relative error is within the bound (or within rounding) and within the limit that the test sets."""
    if math.isinf(expected):
        return tail.log_p == expected
    error = abs(math.expm1(tail.log_p - expected))
    return error <= max(tail.bound, 1e-11) and error <= limit


@pytest.fixture
def enumerated() -> Callable[[Iterable[int]], Law]:
    return enumerate_law


@pytest.fixture
def convolved() -> Callable[[Iterable[int]], Law]:
    return convolve_law


@pytest.fixture
def honest() -> Callable[..., bool]:
    return is_honest


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240607)
