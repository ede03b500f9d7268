"""A method is finished when it has a citation, a docs row, help for its options, a reference and an import line."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import nofluke
from nofluke.cli.main import COMMANDS, build
from nofluke.registry import REGISTRIES, Method
from support.figures import QUANTITIES

ROOT = Path(__file__).parent.parent
ALL = [method for registry in REGISTRIES.values() for method in registry]


def named(method: Method) -> str:
    return f"{method.kind}-{method.name}"


@pytest.mark.parametrize("method", ALL, ids=named)
def test_a_method_says_what_it_is(method: Method) -> None:
    doc = inspect.getdoc(method.function) or ""
    assert method.summary.endswith("?"), f"{method.name}: the first line of its docstring is the question it answers"
    assert len(doc.splitlines()) <= 40, f"{method.name}: docstring over 40 lines"
    assert method.cite, f"{method.name}: no citation"
    assert any(character.isdigit() for character in method.cite), f"{method.name}: a citation has a year"
    assert method.label
    for option in method.options:
        assert option.help, f"{method.name}: option {option.name} has no help (Annotated[type, 'help'])"
        assert option.default is not inspect.Parameter.empty, f"{method.name}: option {option.name} has no default"


@pytest.mark.parametrize("method", ALL, ids=named)
def test_a_method_has_a_reference_value(method: Method) -> None:
    if method.kind == "metric":
        oracles = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "metrics").glob("test_*.py"))
        named = re.search(rf"\b({method.name}|{method.function.__name__})\b", oracles)
        assert named, f"{method.name}: no test against its standard tool in tests/metrics"
        return
    covered = {name for entry in QUANTITIES.values() for name in entry.methods}
    assert f"{method.kind}:{method.name}" in covered, (
        f"{method.name}: no figure of an independent tool in tests/reference "
        "(add rows to a JSON file there and an entry to QUANTITIES in tests/support/quantities)"
    )


@pytest.mark.parametrize("method", ALL, ids=named)
def test_a_method_is_on_the_methods_page(method: Method) -> None:
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    assert f"### `{method.name}`" in page, f"{method.name}: run `make docs` to write it into docs/methods.md"


@pytest.mark.parametrize("registry", REGISTRIES.values(), ids=lambda registry: registry.kind)
def test_every_file_of_a_room_that_registers_is_imported(registry: object) -> None:
    room = Path(nofluke.__file__).parent.joinpath(*registry.room.split(".")[1:])  # type: ignore[attr-defined]
    imported = (room / "__init__.py").read_text(encoding="utf-8")
    for path in room.glob("*.py"):
        if f"@{registry.kind.upper()}S.register" in path.read_text(encoding="utf-8"):  # type: ignore[attr-defined]
            assert path.stem in imported, (
                f"{path.name} registers a method; add it to the import in {room.name}/__init__.py"
            )


def test_methods_command_lists_every_method() -> None:
    output = CliRunner().invoke(build(["methods"]), ["methods", "--format", "json"]).stdout
    listed = json.loads(output)["methods"]
    assert {(kind, entry["name"]) for kind, entries in listed.items() for entry in entries} == {
        (method.kind, method.name) for method in ALL
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
