"""A default is written once, in the library: what the app fills in is what the verbs would take."""

from __future__ import annotations

import inspect

import pytest

import nofluke as nf
from nofluke.web.actions import ACTIONS
from nofluke.web.requests import BY_ACTION

VERBS = [action for action in BY_ACTION if action != "inspect"]
# Given by the data part of a request, or meaningful to a program alone.
ELSEWHERE = {
    *("a", "b", "scores", "outputs", "gold", "metric", "data", "ratings", "p_values", "higher_is_better", "progress"),
    *("options", "missing", "cache", "workers", "systems", "signs", "scores_a", "scores_b", "names", "printed", "logs"),
    *("bayes", "rope"),
}


def test_every_action_is_described_and_done() -> None:
    assert set(BY_ACTION) == set(ACTIONS)


@pytest.mark.parametrize("action", VERBS)
def test_defaults_are_those_of_the_library(action: str) -> None:
    parameters = inspect.signature(getattr(nf, action)).parameters
    fields = BY_ACTION[action].model_fields
    for name, field in fields.items():
        if name in parameters and parameters[name].default is not inspect.Parameter.empty:
            default = field.get_default(call_default_factory=True)
            expected = parameters[name].default
            assert (default or None) == (expected or None) or default == expected, name


@pytest.mark.parametrize("action", VERBS)
def test_every_setting_of_a_verb_can_be_asked_for(action: str) -> None:
    parameters = set(inspect.signature(getattr(nf, action)).parameters)
    assert parameters - ELSEWHERE - set(BY_ACTION[action].model_fields) == set()
