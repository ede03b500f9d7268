"""Which pairs of systems come from the same group: a research team, a model family, a base model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nofluke.errors import InputError, did_you_mean, unknown
from nofluke.types import IntArray

ALL, SAME, DIFFERENT, OTHER = "all pairs", "same group", "different groups", "other"


def label_pairs(
    systems: Sequence[str], better: IntArray, worse: IntArray, groups: Mapping[str, str] | None, special: Sequence[str]
) -> tuple[str, ...]:
    """Label every pair: same group, different groups, or other (a system without a group).

    Groups named in `special` (system combinations in the paper's Figure 4) are apart: pairs inside one carry its name,
    and pairs of one of its systems with any other are "other".
    """
    if groups is None:
        if special:
            raise InputError("special groups were named, and no groups.", fix="say which system is in which group.")
        return (ALL,) * better.size
    strange = [name for name in groups if name not in systems]
    if strange:
        raise InputError(
            f"there is no system {strange[0]!r}.",
            fix=f"{did_you_mean(strange[0], systems)}check the names in the groups.",
        )
    for name in special:
        if name not in groups.values():
            raise unknown("group", name, sorted(set(groups.values())))
    of = [groups.get(name, "") for name in systems]
    apart = set(special)

    def label(i: int, j: int) -> str:
        if not of[i] or not of[j]:
            return OTHER
        if of[i] in apart or of[j] in apart:
            return of[i] if of[i] == of[j] else OTHER
        return SAME if of[i] == of[j] else DIFFERENT

    return tuple(label(i, j) for i, j in zip(better.tolist(), worse.tolist(), strict=True))


def label_order(labels: Sequence[str]) -> tuple[str, ...]:
    """Give the labels that occur in a fixed order: same, special ones, different, other."""
    found = set(labels)
    named = sorted(found - {ALL, SAME, DIFFERENT, OTHER})
    return tuple(label for label in (ALL, SAME, *named, DIFFERENT, OTHER) if label in found)


def mask(labels: Sequence[str], label: str) -> np.ndarray:
    """Which comparisons carry the label."""
    return np.array([one == label for one in labels], dtype=bool)
