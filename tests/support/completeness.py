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
    trees = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in room.glob("*.py")}
    shared = {
        node.name
        for tree in trees.values()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(_is_register(inner, variable) for inner in ast.walk(node))
    }
    return {stem for stem, tree in trees.items() if _registers(tree, variable, shared)}


def imported_by(registry: Registry) -> str:
    return (folder(registry) / "__init__.py").read_text(encoding="utf-8")


def folder(registry: Registry) -> Path:
    return Path(nofluke.__file__).parent.joinpath(*registry.room.split(".")[1:])


def _registers(tree: ast.Module, variable: str, shared: set[str]) -> bool:
    """Whether a file registers methods where it is imported, by itself or through what its room shares."""
    run = [
        part
        for node in tree.body
        for part in (node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else [node])
    ]
    return any(
        _is_register(inner, variable)
        or (isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in shared)
        for part in run
        for inner in ast.walk(part)
    )


def _is_register(node: ast.AST, variable: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "register"
        and isinstance(node.value, ast.Name)
        and node.value.id == variable
    )
