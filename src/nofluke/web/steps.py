"""The steps of the guided comparison, and how the form of each changes what is asked."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import FormData

from nofluke.registry import TESTS
from nofluke.types import Comparison
from nofluke.web.form_data import OF_SCORES, direction, reading_fields
from nofluke.web.forms import Field, fields_of, filled, number_in, options_from, settings_fields
from nofluke.web.requests import ALIGNING, BY_ACTION, OPTIONS_OF, plain
from nofluke.web.store import Draft
from nofluke.words.evidence import by_step


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
# What the form of the data asks. The question, its level and its margin come before anything is tested: chosen
# afterwards, they could be chosen to suit the result.
_OF_DATA = ("a", "b", *ALIGNING, "alternative", "alpha", "margin", "low", "high")
_ASKED: dict[str, tuple[str, ...]] = {
    "data": _OF_DATA,
    "test": tuple(name for name in OPTIONS_OF["compare"] if name not in _OF_DATA),
}


def fields_of_step(name: str) -> dict[str, Field]:
    """What the form of a step asks, by name."""
    fields = settings_fields("compare")
    return {one: fields[one] for one in _ASKED[name]}


def with_facts(result: Comparison, name: str) -> tuple[Step, ...]:
    """The steps; those up to this one say what they found. A result is not told before the step that asks for it."""
    found = by_step(result)
    told = {step: fact for step, fact in found.items() if NAMES.index(step) <= NAMES.index(name)}
    return tuple(replace(step, hint=told.get(step.name) or step.hint) for step in STEPS)


def changed(request: Mapping[str, Any], name: str, form: FormData) -> dict[str, Any]:
    """The request with what a form says: what the form did not hold stays, what it left empty is left out."""
    wanted: dict[str, Any] = copy.deepcopy(dict(request))
    asked = _ASKED.get(name, ())
    for field in asked:
        if field in form:
            wanted.pop(field, None)
    wanted |= filled(form, "compare", asked)
    if name == "data":
        _change_data(wanted["data"], form)
    elif "method" in form:
        # Options belong to one test; those of another are forgotten when the test is changed.
        wanted["options"] = options_from(form, TESTS, str(wanted.get("method", "")))
    return wanted


def _change_data(data: dict[str, Any], form: Mapping[str, Any]) -> None:
    for role in OF_SCORES:
        if f"column_{role}" in form:
            data["columns"][role] = str(form[f"column_{role}"])
    data["columns"] = {role: column for role, column in data["columns"].items() if column}
    for name, field in reading_fields().items():
        if name in form:
            data[name] = field.read(str(form[name]))
    if "direction" in form:
        data["higher_is_better"] = direction(form)
    for entry in data["files"]:
        if f"system_{entry['upload']}" in form:
            entry["system"] = str(form[f"system_{entry['upload']}"]).strip() or None


def typed(request: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """What a user typed into a form that could not be taken, for showing it again."""
    shown: dict[str, Any] = copy.deepcopy(dict(request))
    _change_data(shown["data"], form)
    texts = {name: value for name, value in form.items() if isinstance(value, str)}
    asked = {name for fields in _ASKED.values() for name in fields}
    shown |= {name: value for name, value in texts.items() if name in asked}
    return shown | {"typed_options": {name: value for name, value in texts.items() if name.startswith("option_")}}


def shown_options(form: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the chosen test by the names of their fields: as typed, else as the request has them."""
    if "typed_options" in form:
        return dict(form["typed_options"])
    method = str(form["method"])
    known = fields_of(TESTS[method]) if method in TESTS else ()
    return {field.key: form["options"][field.option.name] for field in known if field.option.name in form["options"]}


def curve_request(draft: Draft, result: Comparison, asked: str) -> dict[str, Any]:
    """The power curve of the test that was run, with its options; at the difference that was asked for, if any."""
    stated: dict[str, Any] = {"difference": number_in(asked, float, "difference")} if asked else {}
    shared = {name: draft.request[name] for name in ("data", *ALIGNING, "a", "b", "alpha", "alternative", "seed")}
    options = dict(draft.request["options"])
    if "form" in options:  # the curve has a form of its own
        stated = {**stated, "test_form": options.pop("form")}
    wanted = {**shared, "method": result.test.method, "options": options, **stated}
    return plain(BY_ACTION["power_curve"].model_validate(wanted))
