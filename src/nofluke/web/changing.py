"""A request changed in place: how its data are read, what is asked, or another question of the same data."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData

from nofluke.readers.aliases import SEVERAL
from nofluke.registry import AGREEMENT, COMBINATIONS, CORRECTIONS, EFFECTS, OMNIBUS, POSTERIORS, TESTS, Registry
from nofluke.web.form_data import data_options, direction, reading_fields
from nofluke.web.forms import fields_of, filled, options_from
from nofluke.web.requests import BY_ACTION, OPTIONS_OF, table_alone

# Where a method is named, and what it may be.
_METHODS = {
    "agree": ("name", AGREEMENT),
    "bayes": ("method", POSTERIORS),
    "combine": ("method", COMBINATIONS),
    "correct": ("method", CORRECTIONS),
    "effect": ("name", EFFECTS),
    "omnibus": ("method", OMNIBUS),
}
# What another question is not asked with: methods and their options belong to the one they were set for.
_OF_ONE_QUESTION = frozenset({"options", "method", "name"})


def methods_of(action: str) -> tuple[str, Registry]:
    """The setting that names the method of an action, and the methods it may be; most take a test."""
    return _METHODS.get(action, ("method", TESTS))


def changed(action: str, request: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """The request with what a form says: what the form did not hold stays, what it left empty is left out."""
    wanted: dict[str, Any] = copy.deepcopy(dict(request))
    asked = [name for name in OPTIONS_OF[action] if name in form]
    for name in asked:
        wanted.pop(name, None)
    wanted |= filled(form, action, asked)
    chooser, registry = methods_of(action)
    if chooser in form and "options" in BY_ACTION[action].model_fields:
        # Options belong to one method; those of another are forgotten when the method is changed.
        wanted["options"] = options_from(form, registry, str(wanted.get(chooser, "")))
    if wanted.get("data") and not wanted["data"].get("example"):
        _change_data(wanted["data"], form)
    elif table_alone(wanted) and (columns := columns_of_chips(form)) is not None:
        wanted["columns"] = columns
    return wanted


def asked_of_same_data(question: str, action: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """The request of another question: the same data, and those settings that mean the same there."""
    if question == action:
        return copy.deepcopy(dict(request))
    known = BY_ACTION[question].model_fields
    shared = {name for name in BY_ACTION[action].model_fields if name in known} - _OF_ONE_QUESTION
    found = {name: value for name, value in request.items() if name in shared and value is not None}
    if question == "power_curve":  # of the test that was run; the curve has a form of its own
        options = dict(request.get("options") or {})
        found |= {"test_form": options.pop("form")} if "form" in options else {}
        found |= {"method": request["method"], "options": options}
        found.pop("margin", None)
    if found.get("missing") not in (None, *OPTIONS_OF[question]["missing"].choices):
        del found["missing"]
    return copy.deepcopy(found)


def _change_data(data: dict[str, Any], form: FormData) -> None:
    columns = columns_of_chips(form)
    if columns is not None:
        data["columns"] = columns
    for name, field in reading_fields().items():
        if name in form:
            data[name] = field.read(str(form[name]))
    if "direction" in form:
        data["higher_is_better"] = direction(form)
    if "score_by" in form:
        data |= data_options(form)
    for entry in data["files"]:
        if f"system_{entry['upload']}" in form:
            entry["system"] = str(form[f"system_{entry['upload']}"]).strip() or None


def columns_of_chips(form: FormData) -> dict[str, str] | None:
    """The columns by role, as the chips of a table say; None where they were left as they are.

    Once one was changed all are stated: what is shown is what is read.
    """
    names, roles, guessed = (list(map(str, form.getlist(name))) for name in ("column", "role", "guessed"))
    if not len(names) == len(roles) == len(guessed) or roles == guessed:
        return None
    found: dict[str, list[str]] = {}
    for name, role, guess in zip(names, roles, guessed, strict=True):
        role = role or ("ignore" if guess else "")
        if role:
            found.setdefault(role, []).append(name)
    return {role: ", ".join(several if role in SEVERAL else several[-1:]) for role, several in found.items()}


def typed(action: str, request: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """What a user typed into a form that could not be taken, for showing it again."""
    texts = {name: value for name, value in form.items() if isinstance(value, str)}
    shown = {**request, **{name: value for name, value in texts.items() if name in OPTIONS_OF[action]}}
    return shown | {"typed_options": {name: value for name, value in texts.items() if name.startswith("option_")}}


def shown_options(action: str, form: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the chosen method by the names of their fields: as typed, else as the request has them."""
    if "typed_options" in form:
        return dict(form["typed_options"])
    chooser, registry = methods_of(action)
    method, given = str(form.get(chooser)), form.get("options") or {}
    known = fields_of(registry[method]) if method in registry else ()
    return {field.key: given[field.option.name] for field in known if field.option.name in given}
