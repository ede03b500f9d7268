"""What a registered method must have. Each check takes one method and fails with what to do.

The checks are functions so that a made-up method of every kind can be shown to fail them (tests/test_completeness.py):
a check that cannot fail for some kind of method is no check.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nofluke
from nofluke import registry as known
from nofluke.registry import REGISTRIES, Method, Registry
from support.figures import check, recorded
from support.quantities import QUANTITIES

ROOT = Path(__file__).parent.parent.parent


def says_what_it_is(method: Method) -> None:
    doc = inspect.getdoc(method.function) or ""
    assert method.summary.endswith("?"), f"{method.name}: the first line of its docstring is the question it answers"
    assert len(doc.splitlines()) <= 40, f"{method.name}: docstring over 40 lines"
    assert method.cite, f"{method.name}: no citation"
    assert any(character.isdigit() for character in method.cite), f"{method.name}: a citation has a year"
    assert method.label
    for option in method.options:
        assert option.help, f"{method.name}: option {option.name} has no help (Annotated[type, 'help'])"
        assert option.default is not inspect.Parameter.empty, f"{method.name}: option {option.name} has no default"


def reads_a_reference(method: Method) -> None:
    """A recorded figure is computed here and now, agrees, and the method was called for it: presence is not enough."""
    key = f"{method.kind}:{method.name}"
    rows = [row for row in recorded() if key in QUANTITIES[row["quantity"]].methods]
    assert rows, (
        f"{key}: no figure of an independent tool in tests/reference "
        "(add rows to a JSON file there and an entry to QUANTITIES in tests/support/quantities)"
    )
    shortest = min(rows, key=lambda row: len(str(row["inputs"])))
    with calls_of(method) as calls:
        check(shortest)
    assert calls, f"{key}: {shortest['quantity']} is said to cover it, but computing that never calls it"


@contextmanager
def calls_of(method: Method) -> Iterator[list[str]]:
    """Note every call that reaches a method through its registry."""
    calls: list[str] = []

    @functools.wraps(method.function)
    def noting(*given: Any, **options: Any) -> Any:
        calls.append(method.name)
        return method.function(*given, **options)

    methods = REGISTRIES[method.kind]._methods
    methods[method.name] = dataclasses.replace(method, function=noting)
    try:
        yield calls
    finally:
        methods[method.name] = method


def stands_on_the_methods_page(method: Method) -> None:
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    assert f"### `{method.name}`" in page, f"{method.name}: run `make docs` to write it into docs/methods.md"


CHECKS: tuple[Callable[[Method], None], ...] = (says_what_it_is, reads_a_reference, stands_on_the_methods_page)


def variable_of(registry: Registry) -> str:
    """The name by which files import a registry."""
    return next(name for name, value in vars(known).items() if value is registry)


def registering(registry: Registry) -> set[str]:
    """The files of a registry's room that register methods, by their stems; a loop may register several at once."""
    room, variable = folder(registry), variable_of(registry)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in room.glob("*.py")}
    return {stem for stem, text in texts.items() if _registers(ast.parse(text), variable)}


def imported_by(registry: Registry) -> str:
    return (folder(registry) / "__init__.py").read_text(encoding="utf-8")


def folder(registry: Registry) -> Path:
    return Path(nofluke.__file__).parent.joinpath(*registry.room.split(".")[1:])


def _registers(tree: ast.AST, variable: str) -> bool:
    """Whether a file registers methods, or hands `register` on to what registers several."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "register"
        and isinstance(node.value, ast.Name)
        and node.value.id == variable
        for node in ast.walk(tree)
    )
