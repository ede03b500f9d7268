"""Reading that is kept within one folder: for a server whose client names the files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from nofluke.errors import InputError

_FOLDER: ContextVar[str | None] = ContextVar("folder", default=None)


@contextmanager
def kept_within(folder: Path) -> Iterator[None]:
    """Refuse meanwhile to read what is not below a folder, links followed, whether named, matched or found beside."""
    before = _FOLDER.set(os.path.realpath(folder))
    try:
        yield
    finally:
        _FOLDER.reset(before)


def refuse_beyond(path: str | Path) -> None:
    """Refuse a path that leads out of the folder reading is kept within, or to what would never end."""
    folder = _FOLDER.get()
    if folder is None:
        return
    name = os.fspath(path)
    # Standard input is the protocol's own.
    if name == "-" or "\0" in name or not Path(os.path.realpath(name)).is_relative_to(folder):
        raise InputError(
            f"{name!r} is not below the folder of this server.", fix="name files by their path from there."
        )
    if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
        raise InputError("this is neither a file nor a folder.", where=name, fix="name another file.")
