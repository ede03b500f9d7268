"""The steps of the guided comparison, and how the form of each changes what is asked."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from nofluke.errors import InputError
from nofluke.types import Comparison
from nofluke.web.data import ALIGNING
from nofluke.web.forms import COLUMNS, number, test_fields
from nofluke.web.requests import PowerCurveRequest, plain
from nofluke.web.store import Draft


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the procedure."""

    name: str
    title: str
    hint: str


STEPS = (
    Step("data", "Data", "what is compared"),
    Step("analysis", "Analysis", "what the data look like"),
    Step("test", "Test", "could it be a fluke?"),
    Step("effects", "Effect sizes", "how large is it?"),
    Step("power", "Power", "what could be found?"),
    Step("report", "Report", "to take with you"),
)
NAMES = [step.name for step in STEPS]
_NUMBERS: tuple[tuple[str, type, Any], ...] = (
    ("alpha", float, 0.05),
    ("margin", float, None),
    ("low", float, None),
    ("high", float, None),
    ("seed", int, 0),
)
_PARTS = ("a", "b", "dataset", "metric", "run")


def changed(request: Mapping[str, Any], name: str, form: FormData) -> dict[str, Any]:
    """The request with what a form says; what the form did not hold stays as it was."""
    wanted: dict[str, Any] = copy.deepcopy(dict(request))
    if name == "data":
        _change_data(wanted, form)
    elif name == "test":
        _change_test(wanted, form)
    return wanted


def _change_data(wanted: dict[str, Any], form: FormData) -> None:
    columns = dict(wanted["data"]["columns"])
    for role in COLUMNS:
        if f"column_{role}" in form:
            columns[role] = str(form[f"column_{role}"])
    wanted["data"]["columns"] = {role: column for role, column in columns.items() if column}
    if "direction" in form:
        wanted["data"]["higher_is_better"] = {"higher": True, "lower": False}.get(str(form["direction"]))
    wanted |= {part: str(form[part]) or None for part in _PARTS if part in form}
    wanted |= {part: str(form[part]) for part in ("unit_statistic", "missing") if part in form}
    if "unit" in form:
        wanted["unit"] = number(form, "unit", int, 1)
    if "clusters" in form:
        wanted["clusters"] = form["clusters"] != "no"


def _change_test(wanted: dict[str, Any], form: FormData) -> None:
    for name, kind, default in _NUMBERS:
        if name in form:
            wanted[name] = number(form, name, kind, default)
    wanted |= {part: str(form[part]) for part in ("method", "alternative") if part in form}
    # Options belong to one test; those of another are forgotten when the test is changed.
    if "method" in form:
        kept = str(form.get("fields_of") or "") == wanted["method"]
        wanted["options"] = _options(wanted["method"], form) if kept else {}


def _options(method: str, form: FormData) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in test_fields(method):
        value = field.read(str(form.get(f"option_{field.name}") or ""))
        if value != field.default:
            found[field.name] = value
    return found


def typed(request: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """What a user typed into a form that could not be taken, for showing it again."""
    shown: dict[str, Any] = copy.deepcopy(dict(request))
    for name, value in form.items():
        if not isinstance(value, str):
            continue
        if name.startswith("column_"):
            shown["data"]["columns"][name.removeprefix("column_")] = value
        elif name.startswith("option_"):
            shown["options"][name.removeprefix("option_")] = value
        elif name == "clusters":
            shown["clusters"] = value != "no"
        elif name in shown and name != "data":
            shown[name] = value
    return shown


def curve_request(draft: Draft, result: Comparison, asked: str) -> dict[str, Any]:
    """The power curve of the test that was run, with its options; at the difference that was asked for, if any."""
    try:
        stated: dict[str, Any] = {"difference": float(asked.replace(",", "."))} if asked else {}
    except ValueError:
        raise InputError(f"{asked!r} is not a number.", where="difference", fix="give a number.") from None
    shared = {name: draft.request[name] for name in ("data", *ALIGNING, "a", "b", "alpha", "alternative", "seed")}
    options = dict(draft.request["options"])
    if "form" in options:  # the curve has a form of its own
        stated = {**stated, "test_form": options.pop("form")}
    wanted = {**shared, "method": result.test.method, "options": options, **stated}
    return plain(PowerCurveRequest.model_validate(wanted))
