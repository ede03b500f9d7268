"""Where a result came from: the command that made it, the files it read, the versions that computed it."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from nofluke import __version__
from nofluke.call import in_python
from nofluke.types import Call, Origin
from nofluke.types.load import from_dict

_CHUNK = 1 << 20
_PACKAGES = ("numpy", "scipy", "duckdb", "altair", "vl-convert-python")


@dataclass(frozen=True, slots=True)
class Run:
    """What is known of the run; a result made in Python knows no command and no files.

    `source` says how the data were read.
    """

    command: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    source: Origin | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give what is known as a plain dictionary."""
        known = {"command": self.command, "inputs": dict(self.inputs), "versions": dict(self.versions)}
        return known | ({} if self.source is None else {"source": self.source.to_dict()})


def run_from(data: Any) -> Run:
    """Read what a JSON result says of its run; nothing where it says nothing."""
    if not isinstance(data, Mapping):
        return Run()
    inputs, versions, source = (data.get(name) for name in ("inputs", "versions", "source"))
    read = from_dict(source) if isinstance(source, Mapping) else None
    return Run(
        str(data.get("command", "")),
        {str(name): str(value) for name, value in inputs.items()} if isinstance(inputs, Mapping) else {},
        {str(name): str(value) for name, value in versions.items()} if isinstance(versions, Mapping) else {},
        read if isinstance(read, Origin) else None,
    )


def calls_in(call: Call | None, run: Run) -> dict[str, str]:
    """Give the calls with what the run really read; the shell's is the command itself.

    A call in Python is left out where nobody knows how its data were read.
    """
    known = call is not None and (run.source is not None or not call.data)
    made = {"Python": in_python(replace(call, origin=run.source)) if known and call else "", "shell": run.command}
    return {language: text for language, text in made.items() if text}


def versions() -> dict[str, str]:
    """The versions of nofluke, Python and the packages that compute or draw."""
    found = {"nofluke": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def hashes(paths: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of every regular file among the paths; anything else is passed over."""
    return {path: _sha256(Path(path)) for path in paths if os.path.isfile(path)}


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
