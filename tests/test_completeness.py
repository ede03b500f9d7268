"""A method is finished when it has a citation, a docs row, help for its options, a reference and an import line."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from typer.testing import CliRunner

import nofluke
from nofluke.cli.main import COMMANDS, build
from nofluke.registry import FORMATS, REGISTRIES, Method, Registry
from support.completeness import ALL, ROOT, Check, checks_of, folder, imported_by, reads_a_reference, registering
from support.figures import recorded
from support.quantities import QUANTITIES
from support.quantities.base import Quantity

METHODS = [method for registry in REGISTRIES.values() for method in registry]


def named(method: Method) -> str:
    return f"{method.kind}-{method.name}"


@pytest.mark.parametrize("method", [method for registry in ALL.values() for method in registry], ids=named)
def test_a_method_is_finished(method: Method) -> None:
    lacking = []
    for check in checks_of(method.kind):
        try:
            check(method)
        except AssertionError as told:
            lacking.append(str(told).partition("\nassert")[0])
    assert not lacking, "\n".join(lacking)


# The checks bite: a method that lacks what they ask for fails them, whatever its kind


@contextmanager
def registered(kind: str) -> Iterator[Method]:
    """A method of a kind that nobody has finished, with the facts of one that is."""
    registry = ALL[kind]
    facts = dict(next(iter(registry)).facts)
    if kind == "chart":
        facts["applies"] = lambda _result: False

    @registry.register("made_up", label="", cite="", **facts)
    def unfinished(given: object, *, width: float) -> None:
        """Do something."""

    try:
        yield registry["made_up"]
    finally:
        del registry._methods["made_up"]


@pytest.fixture(params=list(REGISTRIES))
def made_up(request: pytest.FixtureRequest) -> Iterator[Method]:
    with registered(request.param) as method:
        yield method


@pytest.mark.parametrize(("kind", "check"), [(kind, check) for kind in ALL for check in checks_of(kind)])
def test_an_unfinished_method_of_any_kind_fails_every_check(kind: str, check: Check) -> None:
    with registered(kind) as method, pytest.raises(AssertionError, match=r"made_up"):
        check(method)


@pytest.mark.parametrize("kind", ALL)
def test_whoever_registers_a_method_is_told_all_that_is_missing(kind: str) -> None:
    with registered(kind) as method, pytest.raises(AssertionError) as told:
        test_a_method_is_finished(method)
    assert str(told.value).count("made_up") >= len(checks_of(kind))


def test_a_quantity_that_claims_a_method_and_never_calls_it_is_no_reference(made_up: Method) -> None:
    honest = next(iter(recorded()))["quantity"]
    claimed = dataclasses.replace(QUANTITIES[honest], methods=(f"{made_up.kind}:made_up",))
    with mock.patch.dict(QUANTITIES, {honest: claimed}), pytest.raises(AssertionError, match="never calls it"):
        reads_a_reference(made_up)


def test_a_quantity_without_a_recorded_row_is_no_reference(made_up: Method) -> None:
    unheard = Quantity(lambda _inputs, _a, _b: 0.0, (f"{made_up.kind}:made_up",))
    with mock.patch.dict(QUANTITIES, {"unheard of": unheard}), pytest.raises(AssertionError, match="no figure"):
        reads_a_reference(made_up)


@pytest.mark.parametrize("method", [next(iter(registry)) for registry in REGISTRIES.values()], ids=named)
def test_a_method_that_gives_another_figure_fails(method: Method) -> None:
    """Of every kind one: nan in place of the recorded figure does not pass."""
    broken = {
        name: dataclasses.replace(entry, compute=lambda _inputs, _a, _b: float("nan"))
        for name, entry in QUANTITIES.items()
        if f"{method.kind}:{method.name}" in entry.methods
    }
    with mock.patch.dict(QUANTITIES, broken), pytest.raises(AssertionError):
        reads_a_reference(method)


def test_every_registry_is_covered() -> None:
    assert set(ALL) >= {*REGISTRIES, "chart"}
    assert set(nofluke.methods()) == set(REGISTRIES)


@pytest.mark.parametrize("registry", ALL.values(), ids=lambda registry: registry.kind)
def test_every_file_of_a_room_that_registers_is_imported(registry: Registry) -> None:
    files = registering(registry)
    homes = {method.function.__module__ for method in registry}
    assert homes == {f"{registry.room}.{stem}" for stem in files}, "a file is not imported, or not in the room"
    for stem in files:
        assert re.search(rf"\b{stem}\b", imported_by(registry)), (
            f"{stem}.py registers a method; add it to the import in {folder(registry).name}/__init__.py"
        )


def test_every_format_has_a_reference_and_stands_in_the_docs() -> None:
    help_of_commands = " ".join((ROOT / "docs" / "cli.md").read_text().split())
    for one in FORMATS:
        assert one.cite
        assert one.summary
        assert "scores" not in one.facts["holds"] or re.search(rf"\b{one.name}\b", help_of_commands)


def test_methods_command_lists_every_method() -> None:
    output = CliRunner().invoke(build(["methods"]), ["methods", "--format", "json"]).stdout
    listed = json.loads(output)["methods"]
    assert {(kind, entry["name"]) for kind, entries in listed.items() for entry in entries} == {
        (method.kind, method.name) for method in METHODS
    }


def test_test_help_shows_every_test_and_option() -> None:
    output = CliRunner().invoke(build(["test"]), ["test", "--help"], env={"COLUMNS": "200"}).stdout
    squeezed = " ".join(output.split())
    for method in REGISTRIES["test"]:
        assert method.name in squeezed
        for option in method.options:
            assert f"--{option.name.replace('_', '-')}" in squeezed


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says(command: str) -> None:
    listed = CliRunner().invoke(build([]), ["--help"], env={"COLUMNS": "200"}).stdout
    own = CliRunner().invoke(build([command]), [command, "--help"], env={"COLUMNS": "200"}).stdout
    assert COMMANDS[command] in listed
    assert COMMANDS[command] in own
