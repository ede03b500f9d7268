"""Whether items of one id are the same item: logs say what each of them asks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nofluke.align.choose import where
from nofluke.errors import Fix, InputError, Option, listing
from nofluke.types import IntArray, Scores

_UNKNOWN = 0
# A table of all possible items is made where it is at most so many times as long as the scores.
_FEW = 8


def mismatched(scores: Scores, systems: Sequence[str] | None = None) -> dict[str, tuple[int, int]]:
    """Count by dataset the items that do not ask the same of all systems, and the items that several systems have."""
    if scores.checks is None:
        return {}
    known = scores.checks != _UNKNOWN
    if systems is not None:
        known &= np.isin(scores.system.codes, [scores.system.code_of(name) for name in systems])
    width = len(scores.item.labels)
    key = scores.key("dataset", "item")[known]
    if not key.size:
        return {}
    checks = scores.checks[known]
    if int(key.max()) < _FEW * len(key):
        # Nearly always all ask the same: any check of an item is that of all its rows.
        any_check = np.empty(int(key.max()) + 1, np.int64)
        any_check[key] = checks
        if (any_check[key] == checks).all():
            return {}
    order = np.argsort(key, kind="stable")
    key, checks, own = key[order], checks[order], scores.system.codes[known][order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    shared = np.minimum.reduceat(own, starts) != np.maximum.reduceat(own, starts)
    differ = np.minimum.reduceat(checks, starts) != np.maximum.reduceat(checks, starts)
    datasets = key[starts] // width
    return {
        name: (int((differ & (datasets == code)).sum()), int((shared & (datasets == code)).sum()))
        for code, name in enumerate(scores.datasets)
        if (differ & (datasets == code)).any()
    }


def refuse_mismatched(scores: Scores, systems: Sequence[str]) -> None:
    """Refuse to match items that have one id and ask different things."""
    found = mismatched(scores, systems)
    for name, (wrong, shared) in found.items():
        at = f" of {name}" if name else ""
        alike = _asked_of_all(scores, systems, name)
        by_content = (f"match items by what they ask ({alike:,} match): ", Option("match_by", "content"), "; or ")
        raise InputError(
            f"{wrong:,} of {shared:,} items{at} have one id for {listing(systems, 3)} and do not ask the same, so they "
            "are different items.",
            where=where(scores),
            fix=Fix(*(by_content if alike else ()), "run all on the same items."),
        )


def _asked_of_all(scores: Scores, systems: Sequence[str], dataset: str) -> int:
    """Count what all systems were asked on a dataset, whatever the ids."""
    if scores.checks is None:
        return 0
    there = (scores.dataset.codes == scores.dataset.code_of(dataset)) & (scores.checks != _UNKNOWN)
    asked = [set(scores.checks[there & (scores.system.codes == scores.system.code_of(name))]) for name in systems]
    return len(set.intersection(*asked))


def ids_with_checks(scores: Scores, codes: IntArray, items: IntArray) -> IntArray:
    """Number items so that two of different datasets are one where both id and check say so.

    `codes` number the items of all datasets row by row, `items` are the ids of those numbers.
    """
    checks = np.zeros(len(items), np.int64)
    if scores.checks is not None:
        checks[codes] = scores.checks
    # What nothing is known of stands for itself.
    unknown = checks == _UNKNOWN
    checks[unknown] = -np.arange(1, int(unknown.sum()) + 1)
    return np.unique(np.column_stack([items, checks]), axis=0, return_inverse=True)[1].ravel().astype(np.int64)
