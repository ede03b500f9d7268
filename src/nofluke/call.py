"""How a result was made, written down again: one writer for Python and one for the shell, from the values alone."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from nofluke.options import Reading, options_of
from nofluke.types import Call, Origin

Options = Mapping[str, Any]
# What reads data of a kind, and the name of a file where none is known (or where it came through a pipe).
_READERS = {
    "pair": ("read", "scores.csv"),
    "unpaired": ("read", "scores.csv"),
    "scores": ("read", "scores.csv"),
    "p_values": ("read_p_values", "p_values.csv"),
    "ratings": ("read_ratings", "ratings.csv"),
}
_OUTPUTS_FILE = "outputs.csv"
_STDIN = "-"
# Functions behind the verbs that give the whole result where the verb gives a number, with their modules.
_NOT_PUBLIC = {
    "correct": ("nofluke.verbs.correct", "correct_named"),
    "detectable_effect": ("nofluke.verbs.detectable_effect", "detected"),
    "detectable_in": ("nofluke.verbs.detectable_effect", "detected_in"),
    "power": ("nofluke.verbs.power", "planned"),
    "score": ("nofluke.verbs.score", "scored"),
}
# Commands that ask the same; what is not here has none. Studies have theirs from the run that typed it.
_COMMANDS = {
    "agree": "agree",
    "compare": "compare",
    "correct": "correct",
    "detectable_effect": "power detect",
    "detectable_in": "power detect",
    "power": "power plan",
    "power_curve": "power curve",
    "rank": "rank",
    "replicate": "replicate",
    "sample_size": "power plan",
    "score": "score",
    "test": "test",
}
# Options whose name on the command line is another one; a coefficient is named once for each.
_FLAGS = {"n_untied": "n", "name": "coefficient", "others": "coefficient"}
_FLAGS |= {option.name: option.flag.replace("_", "-") for option in options_of(Reading)}


def calls(call: Call | None) -> dict[str, str]:
    """Write a call in every way there is; nothing where it cannot be written down.

    >>> calls(Call("compare", {"method": "sign"}, "pair", {"a": "new", "b": "the old one"}))["shell"]
    "nofluke compare scores.csv --a new --b 'the old one' --method sign"
    """
    made = {} if call is None else {"Python": in_python(call), "shell": in_shell(call)}
    return {language: text for language, text in made.items() if text}


def in_python(call: Call) -> str:
    """Write a call as Python that prints the result; "" where some of it cannot be written.

    >>> origin = Origin("read", ("my scores.csv",), ("",), {"columns": {"item": "id"}})
    >>> print(in_python(Call("compare", {}, "pair", {"a": "new"}, origin)))
    import nofluke as nf
    print(nf.compare(nf.read('my scores.csv', item='id').pair('new')))
    """
    # Scores of outputs are not those of any table.
    if call.verb == "score" and call.origin is None:
        return ""
    if call.unwritten or call.data not in ("", *_READERS) or (call.data and _read_again(call) is None):
        return ""
    read = [str(_read_again(call))] if call.data else []
    arguments = ", ".join([*read, *_named(call.options)])
    module, function = _NOT_PUBLIC.get(call.verb, ("", call.verb))
    imports = {
        "import io": "io.StringIO(" in arguments,
        "from pathlib import Path": "Path(" in arguments,
        "import nofluke as nf": not module or "nf." in arguments,
        "from nofluke.align import sample_from_counts": "sample_from_counts(" in arguments,
        f"from {module} import {function}": bool(module),
    }
    lines = [line for line, needed in imports.items() if needed]
    lines += [""] if len(lines) > 1 or module else []
    return "\n".join([*lines, f"print({'' if module else 'nf.'}{function}({arguments}))"])


def _read_again(call: Call) -> str | None:
    """The expression that gives the verb its data; None where there is none."""
    reader, file = _READERS[call.data]
    origin = call.origin or Origin(reader, (file,), ("",))
    if origin.reader == "counts":
        return f"sample_from_counts({', '.join(origin.given)})"
    found = _expression(origin, _OUTPUTS_FILE if origin.reader == "score" else file)
    if call.data in ("pair", "unpaired"):
        return f"{found}.{call.data}({', '.join(_chosen(call))})"
    return found


def _chosen(call: Call) -> list[str]:
    """The arguments that select a sample. A alone can stand by its place; B without A needs its name."""
    selection = _selection(call)
    if "a" not in selection:
        return _named(selection)
    rest = {name: value for name, value in selection.items() if name not in ("a", "b")}
    return [repr(selection[name]) for name in ("a", "b") if name in selection] + _named(rest)


def _selection(call: Call) -> dict[str, Any]:
    """What is selected; scores that were made by a metric have no other."""
    scored = call.origin is not None and bool(call.origin.metric)
    return {name: value for name, value in call.selection.items() if not (scored and name == "metric")}


def _expression(origin: Origin, piped: str) -> str:
    """The call of the library that reads the same; what came through a pipe is a file here."""
    files = [piped if file == _STDIN else file for file in origin.files]
    if origin.reader == "example":
        return f"nf.example({origin.given[0]!r})"
    if origin.systems and origin.given:
        by_name = (f"{name!r}: {value}" for name, value in zip(origin.systems, origin.given, strict=True))
        return f"{{{', '.join(by_name)}}}"
    if origin.given:
        return _typed(origin)
    options = dict(origin.options)
    if origin.reader == "datasets":
        read = (f"{name!r}: {_function('read', [repr(file)], options)}" for name, file in _by_name(origin, files))
        return f"{{{', '.join(read)}}}"
    given = repr(_given(origin, files))
    if origin.reader == "score":
        return _function("score", [repr(origin.metric), given, *_gold(origin)], options)
    if origin.reader == "from_statistics":
        own = {"metric": origin.metric} if origin.metric else {}
        return _function("from_statistics", [given, repr(origin.formula)], own | options)
    if origin.reader == "read":
        options = {**options.pop("columns", {}), **options}
    return _function(origin.reader, [given], options)


def _typed(origin: Origin) -> str:
    """P-values that were typed: as numbers, or as they stood where that says more (<0.001, 0.000)."""
    try:
        bare = not origin.options and all(0 < float(text) <= 1 for text in origin.given)
    except ValueError:
        bare = False
    if bare:
        return f"[{', '.join(origin.given)}]"
    lines = "\n".join(origin.given) + "\n"
    return _function("read_p_values", [f"io.StringIO({lines!r})"], origin.options)


def _given(origin: Origin, files: list[str]) -> Any:
    """Files as a reader takes them: by the names of their systems where all have one."""
    if files and origin.systems and all(origin.systems):
        return dict(zip(origin.systems, files, strict=True))
    words = [f"{name}={file}" if name else file for name, file in _by_name(origin, files)]
    return words[0] if len(words) == 1 else words


def _by_name(origin: Origin, files: list[str]) -> list[tuple[str, str]]:
    return list(zip(origin.systems or [""] * len(files), files, strict=True))


def _gold(origin: Origin) -> list[str]:
    gold = ["gold.txt" if file == _STDIN else file for file in origin.gold]
    # A list of texts would be lines.
    several = f"[{', '.join(f'Path({file!r})' for file in gold)}]"
    return [] if not gold else [repr(gold[0])] if len(gold) == 1 else [several]


def _function(name: str, arguments: list[str], options: Options) -> str:
    return f"nf.{name}({', '.join([*arguments, *_named(options)])})"


def _named(options: Options) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]


def in_shell(call: Call) -> str:
    """Write a call as a command; "" where there is none that asks the same.

    >>> in_shell(Call("sample_size", {"difference": 0.1, "sd": 0.5}))
    'nofluke power plan --difference 0.1 --sd 0.5'
    """
    if call.verb not in _COMMANDS or call.unwritten:
        return ""
    if call.data:
        reader, file = _READERS[call.data]
        origin = call.origin or Origin(reader, (file,), ("",))
    else:
        origin = Origin("")
    # P-values by name cannot be typed, and scores that are read as they are need no command.
    if (origin.systems and origin.given) or (call.verb == "score" and not (origin.metric or origin.formula)):
        return ""
    options = {**_selection(call), **call.options}
    if call.verb == "agree" and "others" in options:
        # The first that is named is the one explained.
        options = {"name": "krippendorff_alpha"} | options
    arguments = _arguments(origin)
    words = [*_read_by(origin), *(word for name, value in options.items() for word in _flag(name, value))]
    # What begins with a dash, as a system's name before its file may, would be an option where options can follow.
    dashed = any(word.startswith("-") and word != _STDIN for word in arguments)
    words = [*words, "--", *arguments] if dashed else [*arguments, *words]
    return " ".join(["nofluke", _COMMANDS[call.verb], *map(shlex.quote, words)])


def _arguments(origin: Origin) -> list[str]:
    """What a command reads: files, or what was typed instead."""
    if origin.reader in ("example", "counts"):
        return []
    files = [f"{name}={file}" if name else file for name, file in _by_name(origin, list(origin.files))]
    return [*files, *origin.given]


def _read_by(origin: Origin) -> list[str]:
    """The options that make a command read the same."""
    if origin.reader in ("example", "counts"):
        return [f"--{origin.reader}", ",".join(origin.given)]
    words = [word for file in origin.gold for word in ("--gold", file)]
    words += ["--metric", origin.metric] if origin.metric else []
    words += ["--formula", origin.formula] if origin.formula else []
    for name, value in origin.options.items():
        if name == "columns":
            words += [word for role, column in value.items() for word in ("--columns", f"{role}={column}")]
        elif name == "higher_is_better":
            words.append("--higher-is-better" if value else "--lower-is-better")
        elif origin.reader == "score" and name != "format":
            words += ["--metric-option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
        elif (origin.reader, name) not in (("read_p_values", "pairs"), ("read_ratings", "keep")):
            words += _flag(name, value)
    return words


def _flag(name: str, value: Any) -> list[str]:
    """An option as a shell takes it: several names by repeating it, several numbers with commas between them."""
    flag = f"--{_FLAGS.get(name, name).replace('_', '-')}"
    if isinstance(value, bool):
        return [flag if value else f"--no-{flag[2:]}"]
    if isinstance(value, list | tuple):
        # Metrics are named with commas between them: of most commands there is one.
        if any(isinstance(one, str) for one in value) and name != "metric":
            return [word for one in value for word in (flag, str(one))]
        return [flag, ",".join(map(str, value))]
    return [] if value is None else [flag, str(value)]
