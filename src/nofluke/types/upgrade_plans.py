"""Plans and power curves as schema 1 stored them: sentences instead of terms, reasons and notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]

_NUMBERS = ("sd", "sd_b", "accuracy_a", "accuracy_b", "disagreement", "p10", "p01", "prob_a_better", "margin")
_WHOLE = ("tests", "datasets", "claim")
_WORDS = ("adjust", "each")
_TERMS = (*_NUMBERS, "design_effect", *_WHOLE, *_WORDS)
_HALF = re.compile(r"Half that difference would need ([\d,]+) ")
_SYSTEMS = re.compile(r"would often be missed: where (.+) and (.+) are not separated, that does not make")


def upgraded_plan(fields: Fields) -> Fields:
    """Give a SampleSize, PlannedPower or DetectableEffect of today; terms are those of the signature."""
    fields.pop("headline", None)
    said = " ".join(fields.pop("sentences", ()))
    signature = _signature(fields)
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


def upgraded_curve(fields: Fields) -> Fields:
    """Give a PowerCurve of today; what the pilot's standard error was is not known any more."""
    headline = str(fields.pop("headline", ""))
    fields.pop("sentences", None)
    signature = _signature(fields)
    fields["computed"] = _stored(str(fields.pop("inner", "")))
    fields["n_items"] = int(signature.get("n", 0))
    fields["tests"] = int(signature.get("tests", 1))
    if not fields.get("sizes"):
        why = headline.partition(": ")[2]
        fields["reason"] = _stored(f"{why[:1].upper()}{why[1:]}")
    return _with_notes(fields, "assumptions", "notes")


def _with_notes(fields: Fields, *names: str) -> Fields:
    return {**fields, **{name: [_stored(text) for text in fields.get(name, ())] for name in names}}


def _stored(text: str) -> Fields:
    return {"code": "stored.text", "facts": {"text": text}}


def _signature(fields: Fields) -> dict[str, str]:
    parts = (part.partition(":") for part in str(fields.get("signature", "")).split("|"))
    return {name: value for name, _, value in parts}


def _term(name: str, text: str) -> Any:
    if name in _WORDS:
        return text
    if name in _WHOLE:
        return int(text)
    numbers = [float(part) for part in text.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


PLANS: dict[str, Callable[[Fields], Fields]] = {
    "DetectableEffect": upgraded_plan,
    "PlannedPower": upgraded_plan,
    "PowerCurve": upgraded_curve,
    "SampleSize": upgraded_plan,
}
