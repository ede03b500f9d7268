"""Cases that repeat one check: some are tried always, the others by `make calibrate`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

Cases = list[Any]


def thinned(cases: Iterable[Any], always: int) -> Cases:
    """Give the cases of a test; so many of them, evenly spread, are tried always.

    >>> [len(case.marks) for case in thinned("abcdef", 2)]
    [0, 1, 1, 0, 1, 1]
    """
    listed = list(cases)
    chosen = {round(place * len(listed) / always) for place in range(always)}
    return [_case((case,), place in chosen) for place, case in enumerate(listed)]


def in_turn(first: Sequence[Any], second: Sequence[Any]) -> Cases:
    """Give all pairs of cases; each of the first is tried always with one of the second, taken in turn.

    >>> [case.values for case in in_turn("abc", (1, 2)) if not case.marks]
    [('a', 1), ('b', 2), ('c', 1)]
    """
    return [
        _case((one, other), place % len(second) == at)
        for place, one in enumerate(first)
        for at, other in enumerate(second)
    ]


def _case(values: tuple[Any, ...], always: bool) -> Any:
    return pytest.param(*values, marks=() if always else pytest.mark.slow)
