"""The same call again: in Python and in the shell, from what a result says about itself."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nofluke.readers.file_names import AfterFile
from nofluke.reports.build.citing import fields_of

# A result does not know the files it came from; run_source.py puts the real ones in their place where they are known.
FILE = "scores.csv"
P_VALUES_FILE = "p_values.csv"
RATINGS_FILE = "ratings.csv"
_NOT_OPTIONS = frozenset({"nofluke", "test", "n", "clusters", "unit", "shuffle_seed", "missing", "scored_by"})
# Functions behind the verbs that give the whole result where the verb gives a number, with their modules.
_NOT_PUBLIC = {
    "correct_named": "nofluke.verbs.correct",
    "detected": "nofluke.verbs.detectable_effect",
    "planned": "nofluke.verbs.power",
    "scored": "nofluke.verbs.score",
}
_ALIGNING = ("unit", "unit_statistic", "shuffle_seed", "missing")


def options_in(signature: str) -> dict[str, Any]:
    """Give the options of a test and of its alignment that a signature records.

    >>> options_in("nofluke:0.1.0|test:wilcoxon|alternative:less|zeros:pratt|unit:5:mean|n:9")
    {'alternative': 'less', 'zeros': 'pratt', 'unit': 5, 'unit_statistic': 'mean'}
    """
    fields = fields_of(signature)
    options = {name: literal(text) for name, text in fields.items() if name not in _NOT_OPTIONS}
    if "unit" in fields:
        size, _, statistic = fields["unit"].partition(":")
        options |= {"unit": int(size), "unit_statistic": statistic}
    options |= {name: literal(fields[name]) for name in ("shuffle_seed", "missing") if name in fields}
    return options


def calls(verb: str, options: Mapping[str, Any], pair: Mapping[str, Any], *, selection: str = "pair") -> dict[str, str]:
    """Give the call of a verb that takes a sample: `pair` selects it, `options` go to the verb.

    `selection` is how the scores give the two: "pair" item by item, "unpaired" as independent groups.

    >>> calls("compare", {"method": "sign", "alpha": 0.1}, {"a": "new", "b": "the old one"})["shell"]
    "nofluke compare scores.csv --a new --b 'the old one' --method sign --alpha 0.1"
    """
    aligning = {name: value for name, value in options.items() if name in _ALIGNING}
    chosen = {name: value for name, value in options.items() if name not in _ALIGNING}
    selected = {name: value for name, value in {**pair, **aligning}.items() if value not in ("", None)}
    inner = f"nf.read({FILE!r}).{selection}({_arguments(selected)})"
    outer = ", ".join([inner, *([_arguments(chosen)] if chosen else [])])
    return {
        "Python": printed(verb, outer),
        "shell": f"nofluke {verb} {FILE}{shell_options({**selected, **chosen})}",
    }


@dataclass(frozen=True, slots=True)
class Source:
    """Where data really came from: files by the name of their system, how they were read, or what scored them.

    `reader` is the library's function that read them: "read", "score", "read_p_values", "read_ratings" or "example".
    """

    reader: str
    files: Mapping[str, str]
    reading: Mapping[str, Any] = field(default_factory=dict)
    gold: tuple[str, ...] = ()
    metric: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    format: str = "auto"

    def in_python(self) -> str:
        """Give the expression that reads the data."""
        if self.reader == "score":
            gold = repr(self.gold[0]) if len(self.gold) == 1 else f"[{', '.join(f'Path({g!r})' for g in self.gold)}]"
            files = list(self.files.values())
            bare: Any = files[0] if len(files) == 1 else files
            outputs = bare if self._after_files() else {str(name): file for name, file in self.files.items()}
            how: dict[str, Any] = {"columns": dict(self.columns)} if self.columns else {}
            how |= {"format": self.format} if self.format != "auto" else {}
            arguments = [repr(self.metric), repr(outputs), *([gold] if self.gold else []), *_named(how)]
            return f"nf.score({', '.join([*arguments, *_named(self.reading)])})"
        alone = len(self.files) == 1
        given: Any = next(iter(self.files.values())) if alone else dict(self.files)
        return f"nf.{self.reader}({', '.join([repr(given), *_named(self.reading)])})"

    def in_shell(self) -> str:
        """Give the arguments and options that make a command read the same."""
        if self.reader == "example":
            return f" --example {shlex.quote(next(iter(self.files.values())))}"
        several = not self._after_files() if self.reader == "score" else len(self.files) > 1
        words = [f"{name}={file}" if several else file for name, file in self.files.items()]
        for name in self.gold:
            words += ["--gold", name]
        words += ["--metric", self.metric] if self.metric else []
        for role, column in self.columns.items():
            words += ["--columns", f"{role}={column}"]
        words += ["--input-format", self.format] if self.format != "auto" else []
        for name, value in self.reading.items():
            words += self._option(name, value)
        return "".join(f" {shlex.quote(word)}" for word in words)

    def _after_files(self) -> bool:
        """Whether only files name the systems: a table among them may hold several."""
        return all(isinstance(name, AfterFile) for name in self.files)

    def _option(self, name: str, value: Any) -> list[str]:
        if self.reader == "score":
            return ["--metric-option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
        if name == "higher_is_better":
            return ["--higher-is-better" if value else "--lower-is-better"]
        if name == "format":
            return ["--input-format", str(value)]
        if name == "layout":
            return ["--layout", str(value)]
        if name == "missing":
            return [word for one in value for word in ("--missing", str(one))]
        if name in ("a", "b", "printed"):
            return [f"--{name}", str(value)]
        if name == "columns":
            return [word for role, column in value.items() for word in ("--columns", f"{role}={column}")]
        return ["--columns", f"{name}={value}"]


def calls_from(
    verb: str,
    source: Source,
    pair: Mapping[str, Any] | None,
    options: Mapping[str, Any],
    command: str = "",
    *,
    selection: str = "pair",
) -> dict[str, str]:
    """Give the call of a verb on data whose source is known; `pair` selects two systems, None where a verb takes all.

    `selection` is how the scores give the two: "pair" item by item, "unpaired" as independent groups.

    >>> source = Source("read", {"s": "my scores.csv"}, {"item": "id"})
    >>> made = calls_from("compare", source, {"a": "new"}, {}, "compare")
    >>> made["shell"]
    "nofluke compare 'my scores.csv' --columns item=id --a new"
    >>> made["Python"].splitlines()[-1]
    "print(nf.compare(nf.read('my scores.csv', item='id').pair('new')))"
    """
    inner = source.in_python()
    if pair is not None:
        inner += f".{selection}({', '.join(_positional(pair))})"
    imports = "from pathlib import Path\n\n" if "Path(" in inner else ""
    made = {"Python": imports + printed(verb, ", ".join([inner, *_named(options)]))}
    if command:
        made["shell"] = f"nofluke {command}{source.in_shell()}{shell_options({**(pair or {}), **options})}"
    return made


def printed(verb: str, arguments: str) -> str:
    """Give the lines that call a verb, or a function behind one, and print what it gives.

    >>> print(printed("planned", "'paired_t', n=50, difference=0.1, sd=0.4"))
    from nofluke.verbs.power import planned
    <BLANKLINE>
    print(planned('paired_t', n=50, difference=0.1, sd=0.4))
    """
    imports = "import nofluke as nf\n" if verb not in _NOT_PUBLIC or "nf." in arguments else ""
    if verb not in _NOT_PUBLIC:
        return f"{imports}print(nf.{verb}({arguments}))"
    return f"{imports}from {_NOT_PUBLIC[verb]} import {verb}\n\nprint({verb}({arguments}))"


def _positional(pair: Mapping[str, Any]) -> list[str]:
    """A alone can stand by its place; B without A needs its name."""
    if "a" not in pair:
        return _named(pair)
    rest = {name: value for name, value in pair.items() if name not in ("a", "b")}
    return [repr(pair[name]) for name in ("a", "b") if name in pair] + _named(rest)


def _named(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]


def shell_options(options: Mapping[str, Any]) -> str:
    """Write options as a shell takes them."""
    words: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif isinstance(value, list | tuple):
            words += [f"--{flag}", shlex.quote(",".join(map(str, value)))]
        elif value is not None:
            words += [f"--{flag}", shlex.quote(str(value))]
    return "".join(f" {word}" for word in words)


def _arguments(options: Mapping[str, Any]) -> str:
    named = {name: value for name, value in options.items() if name not in ("a", "b")}
    systems = [repr(options[name]) for name in ("a", "b") if name in options]
    return ", ".join([*systems, *(f"{name}={value!r}" for name, value in named.items())])


def literal(text: str) -> Any:
    """Read a value as Python would write it; text stays text."""
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
