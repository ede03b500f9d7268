"""The same call again: in Python and in the shell, from what a result says about itself."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.reports.build.citing import fields_of

# A result does not know the file it came from; the command line puts the real call in its place.
FILE = "scores.csv"
_NOT_OPTIONS = frozenset({"nofluke", "test", "n", "clusters", "unit", "shuffle_seed", "missing"})
_ALIGNING = ("unit", "unit_statistic", "shuffle_seed", "missing")


def options_in(signature: str) -> dict[str, Any]:
    """Give the options of a test and of its alignment that a signature records.

    >>> options_in("nofluke:0.1.0|test:wilcoxon|alternative:less|zeros:pratt|unit:5:mean|n:9")
    {'alternative': 'less', 'zeros': 'pratt', 'unit': 5, 'unit_statistic': 'mean'}
    """
    fields = fields_of(signature)
    options = {name: _literal(text) for name, text in fields.items() if name not in _NOT_OPTIONS}
    if "unit" in fields:
        size, _, statistic = fields["unit"].partition(":")
        options |= {"unit": int(size), "unit_statistic": statistic}
    options |= {name: _literal(fields[name]) for name in ("shuffle_seed", "missing") if name in fields}
    return options


def calls(verb: str, options: Mapping[str, Any], pair: Mapping[str, Any]) -> dict[str, str]:
    """Give the call of a verb that takes a sample: `pair` selects it, `options` go to the verb.

    >>> calls("compare", {"method": "sign", "alpha": 0.1}, {"a": "new", "b": "the old one"})["shell"]
    "nofluke compare scores.csv --a new --b 'the old one' --method sign --alpha 0.1"
    """
    aligning = {name: value for name, value in options.items() if name in _ALIGNING}
    chosen = {name: value for name, value in options.items() if name not in _ALIGNING}
    selected = {name: value for name, value in {**pair, **aligning}.items() if value not in ("", None)}
    inner = f"nf.read({FILE!r}).pair({_arguments(selected)})"
    outer = ", ".join([inner, *([_arguments(chosen)] if chosen else [])])
    return {
        "Python": f"import nofluke as nf\nprint(nf.{verb}({outer}))",
        "shell": f"nofluke {verb} {FILE}{shell_options({**selected, **chosen})}",
    }


def with_files(made: Mapping[str, str], files: Sequence[str]) -> dict[str, str]:
    """Put the files that were really read into calls made without knowing them."""
    if not files:
        return dict(made)
    named = repr(files[0]) if len(files) == 1 else repr(list(files))
    return {language: text.replace(repr(FILE), named) for language, text in made.items()}


def shell_options(options: Mapping[str, Any]) -> str:
    """Write options as a shell takes them."""
    words: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif value is not None:
            words += [f"--{flag}", shlex.quote(str(value))]
    return "".join(f" {word}" for word in words)


def _arguments(options: Mapping[str, Any]) -> str:
    named = {name: value for name, value in options.items() if name not in ("a", "b")}
    systems = [repr(options[name]) for name in ("a", "b") if name in options]
    return ", ".join([*systems, *(f"{name}={value!r}" for name, value in named.items())])


def _literal(text: str) -> Any:
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
