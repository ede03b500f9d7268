"""Forms of tests: each is that of a registered test, knows options that the test has, and is found by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nofluke import forms
from nofluke.forms import Form, Forms
from nofluke.registry import TESTS

KINDS = {name: kind for name, kind in vars(forms).items() if isinstance(kind, Forms)}


def _nothing() -> None: ...


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_forms_are_those_of_registered_tests_and_know_their_options(kind: Forms) -> None:
    assert kind.names()
    for name in kind.names():
        method, form = TESTS[name], kind.of(name)
        assert form is not None
        assert method.name == name, "an alias is not looked up"
        assert set(form.knows) <= method.option_names()
        for option, values in form.knows.items():
            for value in values or ():
                if value is not None:
                    method.check_options({option: value})


@pytest.mark.parametrize(
    ("options", "does"),
    [
        ({}, True),
        ({"form": "raw"}, True),
        ({"form": "other"}, False),
        ({"form": None}, True),
        ({"low": 3.5}, True),
        ({"draws": 99}, False),
        ({"draws": None}, True),
    ],
)
def test_a_form_does_what_it_knows_and_what_was_not_asked(options: dict[str, Any], does: bool) -> None:
    assert Form(_nothing, {"form": ("raw",), "low": None}, {}).does(options) is does


@pytest.mark.parametrize(("name", "facts"), [("sign", {}), ("tango", {"corpsu": True})], ids=["twice", "unknown fact"])
def test_a_form_is_registered_once_and_with_known_facts(name: str, facts: dict[str, bool]) -> None:
    kind = Forms(usual={"corpus": False})
    enter: Callable[..., Any] = kind.register("sign", corpus=True)
    assert enter(_nothing) is _nothing
    assert kind.of("sign") == Form(_nothing, {}, {"corpus": True})
    assert kind.of("tango") is None
    with pytest.raises(TypeError, match=name):
        kind.register(name, **facts)
