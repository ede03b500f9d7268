"""The command that is running: what was given, and how a shell repeats it (a report says so)."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from nofluke.errors import InputError, listing
from nofluke.options import GROUPS, OUTPUT, TEST

if TYPE_CHECKING:
    from nofluke.types import Call, Note, Origin

_SOURCE = "nofluke.source"
# What a value looks like, in the help: the text says what it means.
_VALUES = {"int": "N", "float": "X"}
# Only commands that compute something can be repeated from a file; the options of others are of no test.
_REPEATED, _NO_TEST = "config", "Options"
_RUNNING: ContextVar[typer.Context | None] = ContextVar("running", default=None)


def remember(ctx: typer.Context, value: Any) -> Any:
    """Keep the context of the running command; a callback of an option that all commands have."""
    _RUNNING.set(ctx)
    return value


def remember_source(
    reader: str, files: Sequence[Any] = (), options: Mapping[str, Any] = MappingProxyType({}), **more: Any
) -> None:
    """Keep how the running command reads its data: by which reader, from which files, told what."""
    from nofluke.readers.given import named_sources
    from nofluke.types import Origin

    words = ["-" if hasattr(file, "read") else file for file in files]
    named = named_sources(words) if words else []
    unsaid = (("format", "auto"), ("layout", "auto"))
    told = {key: value for key, value in options.items() if value not in (None, (), {}) and (key, value) not in unsaid}
    read = Origin(reader, tuple(str(path) for _, _, path in named), tuple(name or "" for name, _, _ in named), told)
    ctx = _RUNNING.get()
    if ctx is not None:
        ctx.meta[_SOURCE] = replace(read, **more)


def remember_beside(source: Origin | None, **tables: Any) -> None:
    """Keep which tables the running command read beside its data, and from where those came."""
    ctx = _RUNNING.get()
    if ctx is not None and source is not None:
        ctx.meta[_SOURCE] = replace(source, beside={name: one for name, one in tables.items() if one})


def source_read() -> Origin | None:
    """How the running command read its data, if it did."""
    ctx = _RUNNING.get()
    return None if ctx is None else ctx.meta.get(_SOURCE)


def keep_options(call: Call | None) -> None:
    """Write the file of options that repeats the running command, where --save-config asks for it."""
    ctx = _RUNNING.get()
    if ctx is not None:
        from nofluke.cli.config import save_config

        save_config(ctx, None if call is None else replace(call, origin=source_read()))


def tell(read: Iterable[str], notes: Sequence[Note] = (), *, quiet: bool) -> None:
    """Say on stderr what was read, and what there is to know of it; an empty line parts it from the answer."""
    if quiet:
        return
    from nofluke.words.layout import WIDTH, visible, wrapped
    from nofluke.words.sources import remarks

    ctx = _RUNNING.get()
    details = ctx is not None and bool(ctx.params.get("details"))
    said = (f"note: {note}" for note in remarks(notes, details=details))
    for line in (
        *(broken for one in read for broken in on_stderr(one)),
        *(broken for one in said for broken in wrapped(one, WIDTH, hang="  ")),
    ):
        typer.echo(visible(line), err=True)
    typer.echo(err=True)


def on_stderr(line: str) -> list[str]:
    """Break a line for somebody who looks; a program gets it whole."""
    if not sys.stderr.isatty():
        return [line]
    from nofluke.words.layout import WIDTH, wrapped

    head = " " * (len(line) - len(line.lstrip()))
    width = min(WIDTH, shutil.get_terminal_size().columns)
    return wrapped(line.strip(), width, head=head, hang=f"{head}  ") or [""]


def refuse_unused(names: Iterable[str], why: str, fix: str = "leave it out.") -> None:
    """Refuse the options among `names` that the user gave, typed or by --config: this run would not use them."""
    ctx = _RUNNING.get()
    if ctx is None:
        return
    flags = {parameter.name: _flag_given(parameter, ctx) for parameter in ctx.command.params}
    # Everything but a default was said by somebody.
    given = [
        name
        for name in names
        if name in flags and getattr(ctx.get_parameter_source(name), "name", "DEFAULT") != "DEFAULT"
    ]
    if given:
        one = len(given) == 1
        raise InputError(
            f"{listing(flags[name] for name in given)} would change nothing here: {why}.",
            fix=fix if one else fix.replace("leave it out", "leave them out"),
        )


def _flag_given(parameter: Any, ctx: typer.Context) -> str:
    """Give the flag of a parameter; of a switch that was turned off, the one that did so."""
    off = ctx.params.get(parameter.name) is False and parameter.secondary_opts
    flag: str = max(parameter.secondary_opts if off else parameter.opts, key=len)
    return flag


class Command(TyperCommand):
    """A command whose help is grouped, and which refuses two values for an option that has one.

    click would take the last value in silence.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options group by group, what most people need first."""
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Arguments", _NO_TEST, *GROUPS)}
        *parameters, help_itself = self.get_params(ctx)
        unnamed = TEST if any(parameter.name == _REPEATED for parameter in parameters) else _NO_TEST
        for parameter in parameters:
            record = parameter.get_help_record(ctx)
            if record is not None:
                own = "Arguments" if parameter.param_type_name == "argument" else unnamed
                flags, text = record
                groups[getattr(parameter, "rich_help_panel", None) or own].append((_with_values(flags), text))
        # How to get this text is what a reader of it needs least.
        last = [name for name, records in groups.items() if records and name != "Arguments"][-1:] or [OUTPUT]
        groups[last[0]] += filter(None, [help_itself.get_help_record(ctx)])
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Look for options given twice, then parse as usual."""
        _refuse_repeated(self.params, args)
        return super().parse_args(ctx, args)


def _with_values(flags: str) -> str:
    """Write the type of an option's value as people do.

    >>> _with_values("--alpha <float>"), _with_values("--columns <list[str]>"), _with_values("--port <int range>")
    ('--alpha X', '--columns TEXT', '--port N')
    """
    return re.sub(r"<([^<>]+?)(?: range)?>", lambda found: _VALUES.get(found[1], "TEXT"), flags)


def _refuse_repeated(parameters: Sequence[Any], arguments: Sequence[str]) -> None:
    single = [p for p in parameters if p.param_type_name == "option" and not p.multiple]
    by_flag = {flag: p for p in parameters if p.param_type_name == "option" for flag in (*p.opts, *p.secondary_opts)}
    seen: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        if word == "--":
            return
        flag, equals, value = word.partition("=")
        option = by_flag.get(flag)
        if option is None:
            continue
        if not option.is_flag and not equals:
            value = next(words, "")
        shown = f"{flag} {value}".strip()
        # The same switch twice says the same; on and off, or two values, do not.
        if option in single and option.name in seen and (not option.is_flag or seen[option.name] != shown):
            many = f"; nofluke compare takes several: {seen[option.name]},{value}" if option.name == "metric" else ""
            fix = f"give one of them{many}."
            raise InputError(f"{seen[option.name]} and {shown}: only one of them can hold.", fix=fix)
        seen[option.name] = shown


def command_line() -> str:
    """Give the running command with every option that is not at its default; "" where none is running."""
    ctx = _RUNNING.get()
    if ctx is None:
        return ""
    words: list[str] = []
    for parameter in sorted(ctx.command.params, key=lambda one: one.param_type_name != "argument"):
        value = ctx.params.get(parameter.name or "")
        if parameter.name in _aside() or value is None or value in (parameter.default, (), []):
            continue
        words += list(_words(parameter, value))
    return " ".join([ctx.command_path, *(shlex.quote(word) for word in words)])


def named_files() -> list[str]:
    """Give the files that the running command names, once each: FILE, NAME=FILE, alone or in lists."""
    ctx = _RUNNING.get()
    if ctx is None:
        return []
    given = [value for name, value in ctx.params.items() if name not in _aside()]
    texts = [text for value in given for text in (value if isinstance(value, list | tuple) else [value])]
    candidates = [part for text in texts if isinstance(text, str) for part in (text, text.partition("=")[2])]
    return list(dict.fromkeys(path for path in candidates if path and os.path.isfile(path)))


def _aside() -> set[str]:
    """What a report says is not changed by where it goes, in which form, and where options came from."""
    from nofluke.cli.options import Output, Settings, option_names

    return {*option_names(Output), *option_names(Settings)}


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
