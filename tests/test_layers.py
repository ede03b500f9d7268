"""Imports go one way."""

from __future__ import annotations

import ast

import pytest

import nofluke
from support.each import each
from support.source import PACKAGE, texts, tree

# Rooms from the ground up; a room may import itself and any room below it.
FLOORS = (
    ("types", "errors"),
    ("cluster",),
    ("executors", "progress"),
    ("options",),
    ("option_groups",),
    ("registry", "check"),
    ("forms",),
    ("typed_call",),
    ("call", "noting"),
    ("align",),
    ("engine",),
    ("laws",),
    ("readers", "inference"),
    ("metrics",),
    ("verbs",),
    ("words",),
    ("studies",),
    ("charts",),
    ("reports",),
    ("web",),
    ("cli", "pytest_plugin"),
)
HEIGHT = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
# Methods on values that reach up when they are called, for the user's convenience: (file, room they call).
CONVENIENCES = {
    ("types/data.py", "align"),
    ("types/stored.py", "align"),
    ("types/base.py", "charts"),
    ("types/base.py", "reports"),
    ("types/base.py", "words"),
    ("types/notes.py", "words"),
    ("errors.py", "words"),
}


# The public names are those of the verbs.
_PUBLIC = "nofluke.verbs"


def imported_rooms(parsed: ast.AST) -> set[str]:
    rooms = set()
    for node in ast.walk(parsed):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("nofluke."):
            names = [node.module]
        elif isinstance(node, ast.ImportFrom) and node.module == "nofluke":
            names = [_PUBLIC for alias in node.names if alias.name != "__version__"]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("nofluke.")]
            names += [_PUBLIC for alias in node.names if alias.name == "nofluke"]
        rooms |= {name.split(".")[1] for name in names}
    return rooms


def test_a_room_imports_only_from_below() -> None:
    inside = [name for name in texts() if "/" in name or not name.startswith("__")]
    each(((name, name) for name in inside), imports_from_below)


def imports_from_below(name: str) -> None:
    room = name.partition("/")[0].removesuffix(".py")
    assert room in HEIGHT, "the file is in no room of the design"
    for other in imported_rooms(tree(name)):
        if (name, other) in CONVENIENCES:
            continue
        allowed = other == room or HEIGHT[other] < HEIGHT[room] or {room, other} <= set(FLOORS[0])
        assert allowed, f"it imports {other}, which lies above it or beside it"


def test_no_top_level_module_hides_a_public_function() -> None:
    top = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if not path.name.startswith("_")}
    # The studies are offered as a room, not as functions.
    assert top & set(nofluke.__all__) <= {"studies"}


def test_every_public_name_resolves() -> None:
    for name in nofluke.__all__:
        assert getattr(nofluke, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = nofluke.no_such_name
