"""What a command really read, as the Python that reads the same: it takes the place of the general file of a call."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from typing import Any

from nofluke.readers.aliases import ROLES
from nofluke.reports.build.calls import FILE, P_VALUES_FILE, RATINGS_FILE, Source, literal
from nofluke.reports.provenance import Run

_GENERAL = {"read": FILE, "read_p_values": P_VALUES_FILE, "read_ratings": RATINGS_FILE}
# Options of the command line that say how files are read, with their names in Python, by reader.
_READING = {
    "read": {"input-format": "format"},
    "read_p_values": {"a": "a", "b": "b", "printed": "printed"},
    "read_ratings": {"input-format": "format", "layout": "layout", "missing": "missing", "annotators": "keep"},
}
_SEVERAL = ("missing", "annotators")
# What standard input is called where it held outputs.
_OUTPUTS_FILE = "outputs.csv"
_ROLES = "|".join(ROLES)


def with_run(made: Mapping[str, str], run: Run) -> dict[str, str]:
    """Give the calls with what the run really read; the shell's is the command itself.

    A call in Python is left out where it could not read the same.
    """
    general = {reader: f"nf.{reader}({file!r})" for reader, file in _GENERAL.items()}
    python = made.get("Python", "")
    for reader, text in general.items():
        if text in python:
            python = _put(python, text, _really(reader, run))
    return ({"Python": python} if python else {}) | {"shell": run.command}


def _put(python: str, general: str, real: str | None) -> str:
    if real is None:
        return ""
    imports = "from pathlib import Path\n\n" if "Path(" in real else ""
    return imports + python.replace(general, real or general)


def _really(reader: str, run: Run) -> str | None:
    """The expression that reads the same; "" where no file is known, None where Python has no such expression."""
    given, options = _parts(run.command)
    if reader == "read_p_values":
        if "example" in options:
            return f"nf.example({options['example'][0]!r})"
        if given and all(_is_number(word) for word in given):
            return f"[{', '.join(given)}]"
    if "formula" in options:
        return None
    scored = reader == "read" and _was_scored(run, options)
    files = _files(given, run.inputs, _OUTPUTS_FILE if scored else _GENERAL[reader])
    if scored:
        return _scored(files or [_OUTPUTS_FILE], options)
    if not files:
        return ""
    how = _how(reader, options)
    if all("=" not in word for word in files):
        several = files[0] if len(files) == 1 else files
        return f"nf.{reader}({', '.join([repr(several), *(f'{name}={value!r}' for name, value in how.items())])})"
    return Source(reader, dict(_named(word) for word in files), how).in_python()


def _parts(command: str) -> tuple[list[str], dict[str, list[str]]]:
    """Take a command apart: what it was given (names of commands included), and its options with their values."""
    words = shlex.split(command)
    first = next((at for at, word in enumerate(words) if word.startswith("--")), len(words))
    options: dict[str, list[str]] = {}
    for at, word in enumerate(words):
        if word.startswith("--"):
            value = words[at + 1] if at + 1 < len(words) and not words[at + 1].startswith("--") else ""
            options.setdefault(word[2:], []).append(value)
    return words[:first][2:], options


def _files(given: list[str], inputs: Collection[str], piped: str) -> list[str]:
    """The files among what was given; standard input, alone or as NAME=-, is called `piped`."""
    words = [f"{word[:-1]}{piped}" if word == "-" or word.endswith("=-") else word for word in given]
    known = {*inputs, piped}
    return [word for word in words if word in known or word.partition("=")[2] in known]


def _named(word: str) -> tuple[str, str]:
    name, equals, path = word.partition("=")
    return (name, path) if equals else (word, word)


def _was_scored(run: Run, options: Mapping[str, list[str]]) -> bool:
    """Whether the files were outputs: the run knows; of an older one, which does not say so, its options may tell."""
    told = run.scored or "gold" in options or {"gold", "output"} & _columns(options).keys()
    return "metric" in options and bool(told)


def _scored(files: list[str], options: Mapping[str, list[str]]) -> str:
    from nofluke.readers.file_names import AfterFile
    from nofluke.readers.given import named_sources

    settings = dict(part.partition("=")[::2] for part in options.get("metric-option", ()))
    typed = {name: {"true": True, "false": False}.get(text, literal(text)) for name, text in settings.items()}
    systems = {AfterFile(own) if name is None else own: str(path) for name, own, path in named_sources(files)}
    gold, metric, form = (
        tuple(options.get("gold", ())),
        options["metric"][0],
        options.get("input-format", ["auto"])[0],
    )
    return Source("score", systems, typed, gold, metric, _columns(options), form).in_python()


def _columns(options: Mapping[str, list[str]]) -> dict[str, str]:
    return {role: name for part in options.get("columns", ()) for role, name in _roles_in(part).items()}


def _roles_in(part: str) -> dict[str, str]:
    return dict(role.partition("=")[::2] for role in re.split(rf",\s*(?=(?:{_ROLES})=)", part))


def _how(reader: str, options: Mapping[str, list[str]]) -> dict[str, Any]:
    """The options that say how files are read, as Python takes them."""
    columns = _columns(options)
    by_role = reader == "read" or (reader == "read_ratings" and "ignore" not in columns)
    found: dict[str, Any] = dict(columns) if by_role else {"columns": columns} if columns else {}
    for name, python in _READING[reader].items():
        if name in _SEVERAL and name in options:
            found[python] = tuple(part.strip() for text in options[name] for part in text.split(","))
        elif name in options:
            found[python] = literal(options[name][0])
    if reader != "read_ratings" and "lower-is-better" in options:
        found["higher_is_better"] = False
    return found


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
