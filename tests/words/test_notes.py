"""Every note has a saying, every saying is of use, and a saying gets the facts it speaks of."""

from __future__ import annotations

import ast
import inspect
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nofluke.errors import Fix, Surface, speaking_on
from nofluke.types import Note, note
from nofluke.words import notes, test_result
from support.each import each
from support.source import texts, tree

FILES = sorted(path.stem for path in Path(notes.__file__).parent.glob("*.py") if path.stem != "__init__")
ROOMS = sorted({*FILES, *notes._FILES} - {"methods"})
SAYINGS = {f"{room}.{what}": saying for room in ROOMS for what, saying in notes.sayings_of(room).items()}


LEFT_OUT = {"items": 1, "of": 9, "systems": 1, "unscored": (("x", 1, ("no_parse",)),), "instead": "wrong"}


def trees(saying: str = "") -> Iterator[tuple[str, ast.Module]]:
    """The files that may make notes; those that say so alone where that is enough."""
    for name, text in texts().items():
        if not name.startswith("words/") and name != "types/notes.py" and saying in text:
            yield name, tree(name)


@cache
def calls() -> tuple[tuple[str, str, frozenset[str], bool], ...]:
    """Where (file and line), code, names of the facts, and whether there are others that only running tells."""
    found = []
    for name, parsed in trees("note("):
        for node in ast.walk(parsed):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "note"):
                continue
            given = frozenset(keyword.arg for keyword in node.keywords if keyword.arg is not None)
            unknown = any(keyword.arg is None for keyword in node.keywords)
            codes = written_out(node.args[0]) if node.args else []
            found += [(f"{name}:{node.lineno}", code, given, unknown) for code in codes]
    return tuple(found)


def written_out(code: ast.expr) -> list[str]:
    """A code, or the two of a condition; none where it is put together from a name in a table."""
    if isinstance(code, ast.IfExp):
        return written_out(code.body) + written_out(code.orelse)
    return [code.value] if isinstance(code, ast.Constant) else []


def strings() -> set[str]:
    """Every text in the code outside of words/: a code may be named before its note is made."""
    return {
        node.value
        for _, parsed in trees()
        for node in ast.walk(parsed)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_notes_are_found_at_all() -> None:
    assert len(calls()) > 80
    assert {"test", "effect", "interval", "omnibus", "computed"} <= set(ROOMS)


def test_every_code_has_a_saying() -> None:
    assert [f"{where}: {code}" for where, code, _, _ in calls() if code not in SAYINGS] == []


def tabled() -> set[str]:
    """Rooms whose codes are put together, as in f"choice.{reason}"."""
    return {
        str(node.values[0].value).partition(".")[0]
        for _, parsed in trees()
        for node in ast.walk(parsed)
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    } & set(ROOMS)


def test_every_saying_is_of_use() -> None:
    known, rooms = strings(), tabled()
    unused = [code for code in SAYINGS if code not in known]
    assert [code for code in unused if not (code.split(".")[0] in rooms and code.partition(".")[2] in known)] == []


def test_a_saying_gets_the_facts_it_speaks_of() -> None:
    each(((f"{where} {code}", (code, given, unknown)) for where, code, given, unknown in calls()), gets_its_facts)


def gets_its_facts(call: tuple[str, frozenset[str], bool]) -> None:
    code, given, unknown = call
    saying = SAYINGS[code]
    if isinstance(saying, str | Fix):
        missing = fields(text_of(saying)) - given
        assert unknown or not missing, f"no {sorted(missing)} is given"
        return
    signature = inspect.signature(saying)
    signature.bind_partial(**dict.fromkeys(given)) if unknown else signature.bind(**dict.fromkeys(given))


def text_of(saying: str | Fix) -> str:
    """The template, or those of advice without its options."""
    return saying if isinstance(saying, str) else "".join(part for part in saying if isinstance(part, str))


def fields(template: str) -> set[str]:
    """The names in braces, those within a format too.

    >>> sorted(fields("{n:{unit}} of {name!r}"))
    ['n', 'name', 'unit']
    """
    found = set()
    for _, name, spec, _ in string.Formatter().parse(template):
        found |= ({name} if name else set()) | (fields(spec) if spec else set())
    return found


def test_notes_kept_for_the_details_exist() -> None:
    assert SAYINGS.keys() >= test_result._IN_DETAILS


def test_a_missing_fact_would_be_seen() -> None:
    assert fields(SAYINGS["test.smallest_p"]) == {"n", "unit", "p"}
    with pytest.raises(KeyError):
        str(note("test.smallest_p", n=3))
    with pytest.raises(KeyError):
        str(Note("test.never_said"))


def written_texts() -> Iterator[tuple[str, str]]:
    """Every text in words/, docstrings and examples aside."""
    for name in (name for name in texts() if name.startswith("words/")):
        parsed = tree(name)
        docs = {
            id(node.body[0].value)
            for node in ast.walk(parsed)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and isinstance(node.body[0], ast.Expr)
        }
        # What differs by surface says so in a By.
        docs |= {
            id(part)
            for node in ast.walk(parsed)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "By"
            for part in ast.walk(node)
        }
        for node in ast.walk(parsed):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield f"{name}:{node.lineno}", node.value


# A flag, a keyword with a value, a call: what only one of shell, Python and page understands.
OF_ONE_SURFACE = re.compile(
    r"\bin Python\b|(?<![\w-])--([a-z]|$)|\b[a-z_]+=(\.\.\.|['\"]|True|[A-Z])|\bnf\.[a-z]|\bnofluke [a-z]+ "
)


def test_no_sentence_writes_an_option_out() -> None:
    found = [f"{where}: {text}" for where, text in written_texts() if OF_ONE_SURFACE.search(text)]
    assert [one for one in found if not one.startswith("words/fixes.py")] == []


@pytest.mark.parametrize(
    ("code", "facts", "python", "shell", "page"),
    [
        (
            "test.largest_loss_seen",
            {"loss": 0.74},
            "low=... and high=...",
            "--low and --high",
            "Smallest possible score",
        ),
        ("bayes.no_region", {}, "rope=...", "--rope", "(Rope)"),
        (
            "agree.scale",
            {"option": "level", "labels": 5, "low": 1.0, "high": 5.0},
            "level=...",
            "--level",
            "state Level: ordinal",
        ),
        (
            "p_values.computed_zeros",
            {"values": 1, "taken_as": 1e-9},
            "printed=4",
            "--printed 4",
            '"4" under Decimals of p-values',
        ),
        (
            "study.few_items",
            {"units": (20,)},
            "method='permutation'",
            "--method permutation",
            '"paired permutation test of the mean" under Test',
        ),
        (
            "read.perhaps_groups",
            {"column": "doc"},
            "columns={'cluster': 'doc'}",
            "--columns cluster=doc",
            '"doc" under',
        ),
        (
            "align.folds",
            {"columns": ("fold", "run"), "folds": 10},
            "{'ignore': 'fold,run'}",
            "--columns ignore=fold,run",
            'a file without "fold,run"',
        ),
        ("metric.left_out", LEFT_OUT, "failed='wrong'", "--metric-option failed=wrong", "under Options of the metric"),
        ("rank.bh", {}, "adjust='by'", "--adjust by", '"by" under Correction'),
    ],
)
def test_a_note_names_options_as_they_are_given(
    code: str, facts: dict[str, Any], python: str, shell: str, page: str
) -> None:
    """The same note, and a note that holds it, in three worlds."""
    one = note(code, **facts)
    surfaces: dict[Surface, str] = {"python": python, "shell": shell, "page": page}
    for surface, expected in surfaces.items():
        with speaking_on(surface):
            assert expected in str(one)
            assert expected in str(note("replicate.on_datasets", datasets=("x",), note=one))
            others = [text for other, text in surfaces.items() if other != surface and text not in expected]
            assert not any(text in str(one) for text in others)
    assert python in str(one)  # Python, where nothing else is said


@pytest.mark.parametrize(
    ("low", "said"), [(3, "if each run was trained anew, --runs crossed"), (2, "needs every item in 3 runs")]
)
def test_crossed_runs_are_advised_only_where_no_run_is_missing(low: int, said: str) -> None:
    with speaking_on("shell"):
        assert said in str(note("align.runs", low=low, high=3))


@pytest.mark.parametrize(("different", "said"), [(1, "Only 1 item differs. With"), (3, "Only 3 items differ. With")])
def test_one_item_that_differs_is_singular(different: int, said: str) -> None:
    share = different / 60
    assert str(note("test.few_differ", share=share, different=different, unit="item", enough=40)).startswith(said)
