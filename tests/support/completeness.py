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
from nofluke.inference.recommend.default import RULES
from nofluke.registry import Method, Registry
from nofluke.reports.bibliography import entries, keys
from support.figures import check, recorded
from support.quantities import QUANTITIES

ROOT = Path(__file__).parent.parent.parent
# Charts draw and formats read, and neither computes: they are no methods, but have to be finished all the same.
ALL: dict[str, Registry] = {value.kind: value for value in vars(known).values() if isinstance(value, Registry)}


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
        "(add a row to a JSON file there; tests/support/quantities says how its quantity is computed)"
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

    methods = ALL[method.kind]._methods
    methods[method.name] = dataclasses.replace(method, function=noting)
    try:
        yield calls
    finally:
        methods[method.name] = method


def stands_on_the_methods_page(method: Method) -> None:
    page = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    told = f"{method.name}: `make docs-methods NAME={method.name}` writes it into docs/methods.md"
    assert f"### `{method.name}`" in page, told


def has_a_bibtex_entry(method: Method) -> None:
    wanted = keys([method.cite])
    missing = [key for key in wanted if key not in entries()]
    assert wanted, f"{method.name}: the citation {method.cite!r} names no author and year"
    assert not missing, f"{method.name}: add {missing} to src/nofluke/reports/references.bib"


def is_judged_by_a_rule(method: Method) -> None:
    """Whatever the data, the rules have a word on every test: the last row about it always applies."""
    judged = any(rule.method == method.name for rule in RULES)
    assert judged, f"{method.name}: add its row to src/nofluke/inference/recommend/default.py"


def stands_on_the_page_of_pictures(method: Method) -> None:
    page = (ROOT / "docs" / "how-to" / "pictures.md").read_text(encoding="utf-8")
    assert f"`{method.name}`" in page, f"{method.name}: name it in the table of docs/how-to/pictures.md"


def stands_on_the_page_of_files(method: Method) -> None:
    page = (ROOT / "docs" / "how-to" / "give-your-file.md").read_text(encoding="utf-8")
    assert f"`{method.name}`" in page, f"{method.name}: name it as `{method.name}` in docs/how-to/give-your-file.md"


def is_drawn(method: Method) -> None:
    """Of a result that the tests of all reports have, or of a study that offers it."""
    from nofluke.charts import chart_names
    from reports.kinds import NAMES, RESULTS
    from support.source import texts

    takes = [kind for kind in method.facts["takes"] if kind in RESULTS and kind != "Study"]
    offered = any(f'"{method.name}"' in text for name, text in texts().items() if name.startswith("studies/"))
    drawn = any(method.name in chart_names(RESULTS[kind](NAMES)) for kind in takes)
    assert drawn or offered, f"{method.name}: no result in tests/reports/kinds.py shows it, and no study offers it"


Check = Callable[[Method], None]
# What every method has to have; charts have a page and results of their own, and tests are judged by the rules too.
OF_METHODS: tuple[Check, ...] = (
    says_what_it_is,
    reads_a_reference,
    has_a_bibtex_entry,
    stands_on_the_methods_page,
)
OF_CHARTS: tuple[Check, ...] = (says_what_it_is, is_drawn, stands_on_the_page_of_pictures)
OF_FORMATS: tuple[Check, ...] = (stands_on_the_page_of_files,)


def checks_of(kind: str) -> tuple[Check, ...]:
    """What is asked of a method of this kind."""
    if kind in ("chart", "format"):
        return OF_CHARTS if kind == "chart" else OF_FORMATS
    return (*OF_METHODS, is_judged_by_a_rule) if kind == "test" else OF_METHODS


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
