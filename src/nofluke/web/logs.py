"""Logs that were sent one by one, put together as they lay: a harness says much by names of files beside each other."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nofluke.errors import NoflukeError
from nofluke.readers.file_names import AfterFile
from nofluke.readers.given import Given
from nofluke.registry import FORMATS

_UNNAMED = "logs"


def hold_logs(entries: Sequence[Mapping[str, Any]], files: Mapping[str, tuple[str, str]]) -> bool:
    """Whether any file of a request is a log of an evaluation harness."""
    return any(_is_log(files[entry["upload"]][0]) for entry in entries if entry.get("upload") in files)


def _is_log(path: str) -> bool:
    return bool(FORMATS[Given(path, path=Path(path)).format()].facts["gives"] == "logs")


@contextmanager
def in_folders(entries: Sequence[Mapping[str, Any]], files: Mapping[str, tuple[str, str]]) -> Iterator[dict[str, str]]:
    """Give a folder for every system that a request names, and one for all other files, under their own names.

    Errors name files as the user did.
    """
    with tempfile.TemporaryDirectory() as root:
        folders: dict[str, str] = {}
        for entry in entries:
            path, name = files[entry["upload"]]
            system = str(entry["system"]) if entry.get("system") else AfterFile(_UNNAMED)
            own = folders.setdefault(system, os.path.join(root, f"{len(folders)}"))
            _put(path, own, name)
        try:
            yield folders
        except NoflukeError as error:
            for folder in folders.values():
                error.where = error.where.replace(folder + os.sep, "")
            raise


def _put(path: str, folder: str, name: str) -> None:
    """Put a file into a folder; where one of its name is there already, into a folder within."""
    number = 1
    target = Path(folder, name)
    while target.exists():
        number += 1
        target = Path(folder, str(number), name)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(path, target)
    except OSError:
        shutil.copyfile(path, target)
