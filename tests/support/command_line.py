"""Run a command in this process and collect what it wrote."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from nofluke.cli.main import main


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


def nofluke(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> Run:
    """Run `nofluke ARGUMENTS` and give exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    fake = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch("sys.stdin", fake),
        mock.patch.dict(os.environ, {"COLUMNS": "100", "TERM": "dumb"}),
        _folder(cwd),
    ):
        try:
            main(list(arguments))
        except SystemExit as stop:
            return Run(int(stop.code or 0), out.getvalue(), err.getvalue())
    return Run(0, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _folder(path: Path | None) -> Iterator[None]:
    if path is None:
        yield
        return
    with contextlib.chdir(path):
        yield
