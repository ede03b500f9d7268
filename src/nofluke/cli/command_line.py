"""The command that is running, as a shell takes it: so that a report can say how to get it again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import typer

# What a report says is not changed by where it goes and in which form.
_NOT_REPEATED = frozenset({"format", "output", "quiet", "config", "save_config", "chart"})
_RUNNING: ContextVar[typer.Context | None] = ContextVar("running", default=None)


def remember(ctx: typer.Context, value: Any) -> Any:
    """Keep the context of the running command; a callback of an option that all commands have."""
    _RUNNING.set(ctx)
    return value


def command_line() -> str:
    """Give the running command with every option that is not at its default; "" where none is running."""
    ctx = _RUNNING.get()
    if ctx is None:
        return ""
    words: list[str] = []
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if parameter.name in _NOT_REPEATED or value is None or value in (parameter.default, (), []):
            continue
        words += list(_words(parameter, value))
    return " ".join([ctx.command_path, *(shlex.quote(word) for word in words)])


def named_files() -> list[str]:
    """Give the files that the running command names, once each: FILE, NAME=FILE, alone or in lists."""
    ctx = _RUNNING.get()
    if ctx is None:
        return []
    given = [value for name, value in ctx.params.items() if name not in _NOT_REPEATED]
    texts = [text for value in given for text in (value if isinstance(value, list | tuple) else [value])]
    candidates = [part for text in texts if isinstance(text, str) for part in (text, text.partition("=")[2])]
    return list(dict.fromkeys(path for path in candidates if path and os.path.isfile(path)))


def _words(parameter: Any, value: Any) -> Iterator[str]:
    several = value if isinstance(value, list | tuple) else [value]
    if parameter.param_type_name == "argument":
        yield from map(str, several)
        return
    flag = max(parameter.opts, key=len)
    for item in several:
        if isinstance(item, bool):
            yield flag if item else max(parameter.secondary_opts or [f"--no-{flag[2:]}"], key=len)
        else:
            yield flag
            yield str(item)
