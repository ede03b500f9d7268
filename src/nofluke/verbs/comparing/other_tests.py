"""Other tests that were run on the data of a comparison: a reader must see them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nofluke.types import Comparison, TestResult, note


def with_other_tests(comparison: Comparison, others: Iterable[TestResult]) -> Comparison:
    """Give the comparison with the other tests of the same data, in the order given, each of them once.

    A test that was only asked for again, or at another confidence level, is no other test.
    """
    known = {_identity(own) for own in (comparison.test, comparison.margin_test) if own is not None}
    found: dict[str, TestResult] = {}
    for other in others:
        if _identity(other) not in known:
            found.setdefault(_identity(other), other)
    if not found:
        return comparison
    told = note("compare.other_tests", n=len(found))
    return replace(comparison, also_run=tuple(found.values()), notes=(*comparison.notes, told))


def _identity(result: TestResult) -> str:
    """What makes a p-value this one: the signature without the level of its interval."""
    return "|".join(part for part in result.signature.split("|") if not part.startswith("confidence_level:"))
