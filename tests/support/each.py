"""Many small cases in one test: all are checked, and every one that fails is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def each(cases: Iterable[tuple[str, Case]], check: Callable[[Case], None]) -> None:
    """Check every case; fail once, with the name and the reason of all that failed.

    A test of its own for each of thousands of tiny cases costs more than the cases do.
    """
    checked, failed = 0, []
    for name, case in cases:
        checked += 1
        try:
            check(case)
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {error}")
    assert checked, "there was nothing to check"
    assert not failed, "\n".join([f"{len(failed)} of {checked} fail:", *failed])
