"""Docstrings as Markdown: the Python reference of the site, and the formulas on the page of methods."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import nofluke as nf
from nofluke.options import Option, options_of

# Reference in the order in which a reader needs it; what is in no group is an error.
GROUPS = {
    "Compare": ["compare", "test", "effect", "bayes", "describe", "recommend", "estimate", "gate", "self_check"],
    "Many systems, many datasets": [
        *["rank", "replicate", "omnibus", "nemenyi", "critical_difference", "correct", "combine", "true_discoveries"],
        *["correlation", "correlation_test"],
    ],
    "Plan": ["sample_size", "power", "power_curve", "detectable_effect"],
    "Annotators": ["agree", "read_ratings", "ratings_from_matrix"],
    "Read and score": [
        *["read", "contents", "keep", "score", "from_statistics", "sample_from_counts", "read_p_values", "example"],
        *["Scores", "Sample"],
    ],
    "Show": ["report", "load", "methods"],
    "Errors": ["NoflukeError", "InputError", "MethodError", "MissingExtra"],
}
# Modules and plain values have no docstring to show here.
OTHERS = {"__version__", "studies"}
_UNDERLINED = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_SPECIAL = re.compile(r"([\\*|<\[\]])")
_CODE = re.compile(r"(`[^`]*`)")


def python_page() -> str:
    """The page of all public names."""
    named = {name for names in GROUPS.values() for name in names}
    missing = sorted((set(nf.__all__) - OTHERS) ^ named)
    if missing:
        raise SystemExit(f"the Python reference and nf.__all__ differ: {', '.join(missing)}")
    intro = (
        "From the docstrings. `import nofluke as nf`; options that are flags of the command line too stand in tables."
    )
    lines = ["# Python reference", "", intro]
    for heading, names in GROUPS.items():
        lines += ["", f"## {heading}"]
        for name in names:
            lines += ["", *_entry(name, getattr(nf, name))]
    return "\n".join(lines) + "\n"


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield from (f"### nf.{name} {{ #{name.lower()} }}", "", "```python", _signature(name, thing), "```", "")
    yield from markdown(inspect.getdoc(thing) or "").splitlines()
    options = () if inspect.isclass(thing) else options_of(thing)
    if options:
        yield from ("", *table(options))
    for method in _public_methods(thing):
        yield from ("", f"**`.{method}`** — {_prose((inspect.getdoc(getattr(thing, method)) or '').split(chr(10))[0])}")


def _signature(name: str, thing: Callable[..., Any]) -> str:
    """Names and defaults; types are in the tables and in the editor."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return f"nf.{name}"
    parts, starred = [], False
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        text = str(parameter.replace(annotation=inspect.Parameter.empty))
        parts.append(text)
    inside = ", ".join(parts)
    if len(inside) > 80:
        inside = "\n" + textwrap.indent(textwrap.fill(inside, 80), "    ") + "\n"
    return f"nf.{name}({inside})"


def _public_methods(thing: Any) -> list[str]:
    if not inspect.isclass(thing) or issubclass(thing, Exception):
        return []
    return [name for name, value in vars(thing).items() if inspect.isfunction(value) and not name.startswith("_")]


def table(options: tuple[Option, ...]) -> list[str]:
    """The options of a verb or a method, a row each."""
    lines = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for option in options:
        values = " \\| ".join(option.choices) or option.type.__name__
        default = "none" if option.default is None else str(option.default)
        lines.append(f"| `{option.name}` | {values} | {default} | {option.help.replace('|', chr(92) + '|')} |")
    return lines


def markdown(docstring: str) -> str:
    """Turn a docstring into Markdown: what it says stays, examples become code, sections get a heading in bold."""
    blocks = _UNDERLINED.sub(r"\n\1:\n", docstring).split("\n\n")
    return "\n\n".join(_block(block) for block in blocks if block.strip())


def _block(block: str) -> str:
    block = block.strip("\n")
    if block.lstrip().startswith(">>>"):
        return f"```python\n{textwrap.dedent(block)}\n```"
    lines = block.splitlines()
    if any(line.startswith(" ") for line in lines) and not lines[0].startswith(" "):
        return _definitions(lines)
    if re.fullmatch(r"\w[\w ]*:", block):
        return f"**{block[:-1]}**"
    return _prose(" ".join(line.strip() for line in lines))


def _definitions(lines: list[str]) -> str:
    """Names with what is said of each, indented below them."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith(" ") and found:
            found[-1].append(line.strip())
        else:
            found.append([line.strip()])
    return "\n".join(f"- `{name}`: {_prose(' '.join(said))}" if said else _prose(name) for name, *said in found)


def _prose(text: str) -> str:
    """Text with what Markdown would take for markup escaped, but for code."""
    return "".join(part if part.startswith("`") else _SPECIAL.sub(r"\\\1", part) for part in _CODE.split(text))
