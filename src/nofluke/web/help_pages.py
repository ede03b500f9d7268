"""The documentation, served by the app itself: how-tos and what stands behind them, without network."""

from __future__ import annotations

import functools
import posixpath
import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from nofluke.web.rendering import failure, page

router = APIRouter(include_in_schema=False)
FIRST = "tutorial.md"
# In an installed package the pages lie beside the code (see pyproject.toml), in a copy of the repository in docs/.
_PLACES = (Path(str(files("nofluke"))) / "help", Path(__file__).parents[3] / "docs")
_SHOWN = ("", "how-to", "decisions", "studies", "coming-from", "images")
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


@functools.cache
def _root() -> Path | None:
    return next((place for place in _PLACES if (place / FIRST).is_file()), None)


def _file(name: str) -> Path | None:
    """A page or a picture of the documentation; nothing else of the disk can be named."""
    root = _root()
    if root is None or posixpath.normpath(name) != name or posixpath.dirname(name) not in _SHOWN:
        return None
    found = root / name
    return found if found.suffix in (".md", ".svg") and found.is_file() else None


@router.get("/help")
@router.get("/help/")
def start() -> Response:
    """The first page of the documentation."""
    return RedirectResponse(f"/help/{FIRST}")


@router.get("/help/{name:path}")
def help_page(request: Request, name: str) -> Response:
    """One page of the documentation, or a picture on it."""
    name = name.removesuffix(".json")  # the twin of a page
    found = _file(name)
    if found is None:
        return failure(request, 404, f"there is no page {name!r} in the help.", fix=f"begin at /help/{FIRST}.")
    if found.suffix == ".svg":
        return FileResponse(found, media_type="image/svg+xml")
    title, body = _rendered(found, name)
    return page(request, "help.html", {"heading": title, "body": body, "contents": _contents()})


@functools.cache
def _rendered(path: Path, name: str) -> tuple[str, str]:
    from markdown_it import MarkdownIt  # the first page of the app needs none of it

    text = path.read_text(encoding="utf-8")
    heading = _HEADING.search(text)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type in ("fence", "table_open"):
            token.attrSet("tabindex", "0")  # what is wide is moved by the keyboard, too
        for child in token.children or ():
            if child.type == "link_open":
                _point(child, name)
            elif child.type == "image":
                child.attrSet("loading", "lazy")
    return heading[1] if heading else name, markdown.renderer.render(tokens, markdown.options, {})


def _point(link: Any, name: str) -> None:
    """Let a link between pages lead to the app's page; what is not part of the help is only named."""
    target = str(link.attrGet("href") or "")
    path, _, anchor = target.partition("#")
    if "://" in target or not path:
        return
    place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    if _file(place) is None:
        link.attrs.pop("href")
    else:
        link.attrSet("href", f"/help/{quote(place)}" + (f"#{anchor}" if anchor else ""))


@functools.cache
def _contents() -> tuple[tuple[str, str], ...]:
    """All how-tos by their questions."""
    root = _root()
    if root is None:
        return ()
    paths = [root / FIRST, *sorted((root / "how-to").glob("*.md")), root / "glossary.md"]
    return tuple(
        (f"/help/{path.relative_to(root).as_posix()}", _rendered(path, path.relative_to(root).as_posix())[0])
        for path in paths
        if path.is_file()
    )
