"""Results as schema 1 stored them, with the fields of today: sentences go, notes keep their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nofluke.types import upgrade_comparison as old
from nofluke.types.upgrade_agreement import AGREEMENT
from nofluke.types.upgrade_families import FAMILIES
from nofluke.types.upgrade_plans import PLANS
from nofluke.types.upgrade_tests import TESTS

Fields = dict[str, Any]

# What schema 1 held as sentences and words/ now says from the facts.
_SENTENCES = ("headline", "sentences")


def upgraded(kind: str, fields: Mapping[str, Any]) -> Fields:
    """Give the fields of a value of today; `kind` is the name of its type."""
    made = dict(fields)
    return _UPGRADES[kind](made) if kind in _UPGRADES else made


def _study(fields: Fields) -> Fields:
    from nofluke.types.upgrade_study import upgraded_study

    return upgraded_study(fields)


# Name of the type -> what turns its old fields into the new ones. Values within values are the business of the outer.
_UPGRADES: dict[str, Callable[[Fields], Fields]] = {
    **AGREEMENT,
    **PLANS,
    **FAMILIES,
    **TESTS,
    "Choice": old.choice,
    "Choices": old.choices,
    "Comparison": old.comparison,
    "Detectable": old.detectable,
    "Normality": old.normality,
    "Profile": old.profile,
    "Study": _study,
}
