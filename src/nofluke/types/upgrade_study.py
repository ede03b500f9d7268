"""Studies as schema 1 stored them: their sentences go, phrases in tables become codes, facts come from the settings."""

from __future__ import annotations

from typing import Any

Fields = dict[str, Any]

_PROSE = ("title", "question", "headline", "sentences", "captions", "meanings")
_CLAIMS = {"A and B differ": "two-sided", "A is better": "greater", "B is better": "less"}
_TRUTHS = {"A and B are alike": "no difference", "A and B differ": "difference"}
_DROR = [[34, 0.0], [33, 0.2], [33, 0.5]]


def upgraded_study(fields: Fields) -> Fields:
    """Give the fields of a study of today; its notes keep their text."""
    made = {name: value for name, value in fields.items() if name not in _PROSE}
    made["notes"] = [{"code": "stored.text", "facts": {"text": text}} for text in fields.get("notes", ())]
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
