"""Results as schema 1 stored them, with the fields of today: sentences go, notes keep their text; plans and studies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from nofluke.types.upgrade_calls import signed
from nofluke.types.upgrade_comparison import COMPARISONS, Fields, stored
from nofluke.types.upgrade_families import FAMILIES

_NUMBERS = ("sd", "sd_b", "accuracy_a", "accuracy_b", "disagreement", "p10", "p01", "prob_a_better", "margin")
_WHOLE = ("tests", "datasets", "claim")
_WORDS = ("adjust", "each")
_TERMS = (*_NUMBERS, "design_effect", *_WHOLE, *_WORDS)
_HALF = re.compile(r"Half that difference would need ([\d,]+) ")
_SYSTEMS = re.compile(r"would often be missed: where (.+) and (.+) are not separated, that does not make")
_PROSE = ("title", "question", "headline", "sentences", "captions", "meanings")
_CLAIMS = {"A and B differ": "two-sided", "A is better": "greater", "B is better": "less"}
_TRUTHS = {"A and B are alike": "no difference", "A and B differ": "difference"}
_DROR = [[34, 0.0], [33, 0.2], [33, 0.5]]


def upgraded(kind: str, fields: Mapping[str, Any]) -> Fields:
    """Give the fields of a value of today; `kind` is the name of its type."""
    made = dict(fields)
    return _UPGRADES[kind](made) if kind in _UPGRADES else made


def _plan(fields: Fields) -> Fields:
    """Give a SampleSize, PlannedPower or DetectableEffect of today; terms are those of the signature."""
    fields.pop("headline", None)
    said = " ".join(fields.pop("sentences", ()))
    signature = signed(fields)
    fields["terms"] = {name: _term(name, signature[name]) for name in _TERMS if name in signature}
    if "each" in signature:
        fields["label"] = signature["each"]
        if "difference" in signature:
            fields["terms"]["difference"] = _term("difference", signature["difference"])
    if "n_exact" in fields:
        half = _HALF.search(said)
        fields["half"] = int(half[1].replace(",", "")) if half else None
    if "by_power" in fields:
        # A plan from numbers has no systems, and the sentences about data name them.
        named = _SYSTEMS.search(said)
        fields["systems"] = list(named.groups()) if named else []
        fields["n_items"] = int(signature.get("n_items", 0))
    elif "each" in signature:
        fields["bound"] = "leave a lower bound" in said
    if fields.get("n") == 0:
        fields["sizes"] = [int(part) for part in signature["n"].split(",")]
    return _with_notes(fields, "assumptions", "notes")


def _curve(fields: Fields) -> Fields:
    """Give a PowerCurve of today; what the pilot's standard error was is not known any more."""
    headline = str(fields.pop("headline", ""))
    fields.pop("sentences", None)
    signature = signed(fields)
    fields["computed"] = stored(str(fields.pop("inner", "")))
    fields["n_items"] = int(signature.get("n", 0))
    fields["tests"] = int(signature.get("tests", 1))
    if not fields.get("sizes"):
        why = headline.partition(": ")[2]
        fields["reason"] = stored(f"{why[:1].upper()}{why[1:]}")
    return _with_notes(fields, "assumptions", "notes")


def _with_notes(fields: Fields, *names: str) -> Fields:
    return {**fields, **{name: [stored(text) for text in fields.get(name, ())] for name in names}}


def _term(name: str, text: str) -> Any:
    if name in _WORDS:
        return text
    if name in _WHOLE:
        return int(text)
    numbers = [float(part) for part in text.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


def _study(fields: Fields) -> Fields:
    """Give the fields of a study of today; its notes keep their text."""
    made = {name: value for name, value in fields.items() if name not in _PROSE}
    made["notes"] = [stored(text) for text in fields.get("notes", ())]
    name, settings = fields.get("name"), fields.get("settings", {})
    made["facts"] = {"schema": 1}
    if name == "audit":
        made["facts"] |= {"systems": ["A", "B"], **_units(settings)}
        made = _recoded(made, ("tables", "significant", "claim"), _CLAIMS)
        made = _recoded(made, ("series", "p-values", "labels", "claim"), _CLAIMS)
    if name == "calibration":
        made["facts"] |= _units(settings)
    if name == "sample-size":
        made = _recoded(made, ("tables", "p-values", "truth"), _TRUTHS, other="another difference")
    if name == "multiplicity":
        made["facts"]["groups"] = _groups(settings)
    return made


def _units(settings: Fields) -> Fields:
    """What was drawn: clusters where there are any. Units of several items were told nowhere."""
    clusters = settings.get("clusters")
    if isinstance(clusters, int) and not isinstance(clusters, bool):
        return {"unit": "cluster", "units": clusters}
    return {"unit": "item", "units": settings.get("n")}


def _recoded(fields: Fields, path: tuple[str, ...], codes: dict[str, str], other: str = "") -> Fields:
    """Give the fields with codes for the phrases at the end of a path; what was read is not changed."""
    name, *further = path
    inner = fields.get(name)
    if further and isinstance(inner, dict):
        return {**fields, name: _recoded(inner, tuple(further), codes, other)}
    if not further and isinstance(inner, list):
        return {**fields, name: [codes.get(phrase, other or phrase) for phrase in inner]}
    return fields  # not a study after all: reading its fields says so


def _groups(settings: Fields) -> list[list[float]]:
    """The groups of (datasets, correlation) behind the name of a simulation."""
    dependence = str(settings.get("dependence"))
    if dependence == "dror":
        return _DROR
    if ":" not in dependence:
        return [[settings.get("datasets", 0), 0.0]]
    parts = (part.partition(":") for part in dependence.split(","))
    return [[int(size), float(correlation)] for size, _, correlation in parts]


_UPGRADES: dict[str, Callable[[Fields], Fields]] = {
    **COMPARISONS,
    **FAMILIES,
    "DetectableEffect": _plan,
    "PlannedPower": _plan,
    "PowerCurve": _curve,
    "SampleSize": _plan,
    "Study": _study,
}
