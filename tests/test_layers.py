"""Imports go one way."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import nofluke

PACKAGE = Path(nofluke.__file__).parent
# Rooms from the ground up; a room may import itself and any room below it.
FLOORS = (
    ("types", "errors"),
    ("options",),
    ("registry", "check"),
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
    ("cli",),
)
HEIGHT = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
# Methods on values that reach up when they are called, for the user's convenience: (file, room they call).
CONVENIENCES = {
    ("types/data.py", "align"),
    ("types/base.py", "charts"),
    ("types/base.py", "words"),
    ("types/notes.py", "words"),
    ("errors.py", "words"),
}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or not path.name.startswith("__"))


def imported_rooms(tree: ast.AST) -> set[str]:
    rooms = set()
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("nofluke."):
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("nofluke.")]
        rooms |= {name.split(".")[1] for name in names}
    return rooms


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_from_below(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    room = relative.parts[0].removesuffix(".py")
    assert room in HEIGHT, f"{relative} is in no room of the design"
    for other in imported_rooms(ast.parse(path.read_text())):
        if (str(relative), other) in CONVENIENCES:
            continue
        allowed = other == room or HEIGHT[other] < HEIGHT[room] or {room, other} <= set(FLOORS[0])
        assert allowed, f"{relative} imports {other}, which lies above it or beside it"


def test_no_top_level_module_hides_a_public_function() -> None:
    top = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if not path.name.startswith("_")}
    # The studies are offered as a room, not as functions.
    assert top & set(nofluke.__all__) <= {"studies"}


def test_every_public_name_resolves() -> None:
    for name in nofluke.__all__:
        assert getattr(nofluke, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = nofluke.no_such_name
