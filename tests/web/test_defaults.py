"""A default is written once, in the library: what the app fills in is what the verbs would take."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic.fields import FieldInfo

import nofluke as nf
from nofluke import align
from nofluke.web.actions import ACTIONS
from nofluke.web.requests import BY_ACTION, Data

VERBS = [action for action in BY_ACTION if action != "inspect"]
# Given by the data part of a request, or meaningful to a program alone.
ELSEWHERE = {
    *("a", "b", "scores", "outputs", "gold", "metric", "data", "ratings", "p_values", "higher_is_better", "progress"),
    *(
        "columns",
        "format",
        "options",
        "missing",
        "cache",
        "workers",
        "executor",
        "systems",
        "signs",
        "scores_a",
        "scores_b",
        "names",
        "printed",
        "logs",
    ),
}


def test_every_action_is_described_and_done() -> None:
    assert set(BY_ACTION) == set(ACTIONS)


Defaults = dict[str, Any]


def shared(fields: Mapping[str, FieldInfo], function: Callable[..., Any]) -> tuple[Defaults, Defaults]:
    """The defaults of what both name, in a request and in the library; JSON has lists where Python has tuples."""
    parameters = inspect.signature(function).parameters.items()
    # The options of a method are collected in Python and stand in a field of their own in a request.
    library = {name: one.default for name, one in parameters if name in fields and one.default is not one.empty}
    asked = {name: fields[name].get_default(call_default_factory=True) for name in library}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in asked.items()}, library


@pytest.mark.parametrize("action", VERBS)
def test_defaults_are_those_of_the_library(action: str) -> None:
    app, library = shared(BY_ACTION[action].model_fields, getattr(nf, action))
    assert app == library
    assert library or action == "score"


def test_items_are_matched_as_the_library_matches_them() -> None:
    for function in (align.pair, align.select, align.select_unpaired):
        app, library = shared(BY_ACTION["compare"].model_fields, function)
        assert app == library
        assert library


def test_files_are_read_as_the_library_reads_them() -> None:
    app, library = shared({"format": Data.model_fields["format"]}, nf.read)
    assert app == library
    assert set(library) == {"format"}


@pytest.mark.parametrize("action", VERBS)
def test_every_setting_of_a_verb_can_be_asked_for(action: str) -> None:
    parameters = set(inspect.signature(getattr(nf, action)).parameters)
    # The sides of a gate are systems of the same data, which say how they are read.
    of_sides = {*Data.model_fields, "system", "name", "forbid", "show_text"} if action == "gate" else set()
    assert parameters - ELSEWHERE - of_sides - set(BY_ACTION[action].model_fields) == set()
