"""Comparisons, profiles and choices as schema 1 stored them: sentences are read back into the facts they told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Fields = dict[str, Any]

_MATCHED = re.compile(r"([\d,]+) items? matched by (\w+)")
_LEFT_OUT = re.compile(r"; ([\d,]+) left out \((.*?)\)(?:; [\d,]+ items? at the end|$)")
_LEFTOVER = re.compile(r"; ([\d,]+) items? at the end did not fill a unit")
_FRACTIONS = re.compile(r"scores read as fractions of (\d+)")
# How the conclusion of the normality test began -> its code.
_NORMALITY = {
    "differences do not look normal": "not normal",
    "differences may be normal": "normal",
    "normality was not tested: all differences": "constant",
}
_NESTED = {"test": "TestResult", "margin_test": "TestResult", "posterior": "Posterior"}


def stored(text: str) -> Fields:
    """Give an old text as the note that says it."""
    return {"code": "stored.text", "facts": {"text": text}}


def comparison(fields: Fields) -> Fields:
    """Give the fields of a Comparison of today."""
    from nofluke.types.upgrade import upgraded

    made = {name: value for name, value in fields.items() if name not in ("headline", "sentences")}
    if made.get("verdict") == "not separated":
        made["verdict"] = "inconclusive"
    made["alignment"] = _alignment(str(made.get("alignment", "")), made.get("systems", ()))
    made["profile"] = profile(dict(made["profile"]))
    made["choices"] = choices(dict(made["choices"]))
    made["detectable"] = detectable(dict(made["detectable"]))
    for name, kind in _NESTED.items():
        if isinstance(made.get(name), Mapping):
            made[name] = upgraded(kind, made[name])
    made["effects"] = {name: upgraded("Estimate", estimate) for name, estimate in made["effects"].items()}
    if "also_run" in made:
        made["also_run"] = [upgraded("TestResult", one) for one in made["also_run"]]
    made["repeated"] = [_repeated(name) for name in made["tests_run"] if " with " in name]
    made["tests_run"] = [name for name in made["tests_run"] if " with " not in name]
    made["notes"] = [stored(text) for text in made["notes"] if not text.endswith("was chosen by the user.")]
    return made


def profile(fields: Fields) -> Fields:
    """Give the fields of a Profile of today."""
    inner = normality(dict(fields["normality"]))
    if inner["conclusion"] not in _NORMALITY.values():
        inner["conclusion"] = "few" if fields["n"] < 3 else "many"
    return fields | {"normality": inner, "notes": [stored(text) for text in fields.get("notes", ())]}


def choices(fields: Fields) -> Fields:
    """Give the fields of Choices of today."""
    rows = [choice(dict(row)) for row in fields["rows"]]
    return fields | {"rows": rows, "notes": [stored(text) for text in fields.get("notes", ())]}


def choice(fields: Fields) -> Fields:
    """Give the fields of a Choice of today."""
    return fields | {"reason": stored(str(fields["reason"]))}


def detectable(fields: Fields) -> Fields:
    """Give the fields of a Detectable of today."""
    reason = fields.get("reason", "")
    return fields | {"reason": stored(str(reason)) if reason else None}


def normality(fields: Fields) -> Fields:
    """Give the fields of a Normality of today; without its values few and many cannot be told apart."""
    told = str(fields["conclusion"])
    return fields | {"conclusion": next((code for start, code in _NORMALITY.items() if told.startswith(start)), told)}


def _alignment(text: str, systems: Sequence[str]) -> Fields:
    """How items were matched, from its sentence."""
    matched, left_out, leftover = _MATCHED.match(text), _LEFT_OUT.search(text), _LEFTOVER.search(text)
    made: Fields = {"matched": _number(matched[1]) if matched else 0, "by": matched[2] if matched else "id"}
    if left_out:
        made["dropped"] = _number(left_out[1])
        made["missing"] = _missing(left_out[2], systems)
    if leftover:
        made["leftover"] = _number(leftover[1])
    return made


def _missing(text: str, systems: Sequence[str]) -> dict[str, int]:
    """How many scores each system lacks: those that lack any are listed in the order of the systems."""
    for names in (tuple(systems), *((name,) for name in systems)):
        pattern = ", ".join(rf"([\d,]+) without a score of {re.escape(name)}" for name in names)
        found = re.fullmatch(pattern, text)
        if found:
            return dict(zip(names, map(_number, found.groups()), strict=True))
    return {}


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _repeated(name: str) -> Fields:
    """The test that was run again; its p-value was not stored."""
    method, _, how = name.partition(" with ")
    fractions = _FRACTIONS.match(how)
    facts = {"method": method, "denominator": int(fractions[1]) if fractions else 0, "p_value": None}
    return {"code": "compare.repeated", "facts": facts}
