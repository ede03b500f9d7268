"""nofluke methods."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from nofluke.cli.options import LISTING_FORMATS, Listing, takes
from nofluke.cli.output import check_output, write_text
from nofluke.words.layout import WIDTH

if TYPE_CHECKING:
    from nofluke.registry import Method


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Listing, without=("chart",))
    def methods(
        output: Listing,
        kind: Annotated[str | None, typer.Option(help="Only this kind, such as test.")] = None,
    ) -> None:
        """Which methods are there, with which options?"""
        import nofluke as nf

        check_output(output, LISTING_FORMATS)
        registered = nf.methods(kind)
        if output.format == "json":
            listed = {name: [_as_dict(method) for method in entries] for name, entries in registered.items()}
            write_text(json.dumps({"ok": True, "methods": listed}, indent=2), output)
        elif kind is None and not output.details and output.output is None:
            write_text("\n".join(_overview(registered)), output)
        else:
            lines = [line for name, entries in registered.items() for line in _as_lines(name, entries)]
            write_text("\n".join(lines), output)

    return methods


def _overview(registered: Mapping[str, tuple[Method, ...]]) -> Iterator[str]:
    """One line for each kind, with as many names as fit."""
    yield "Methods by kind; --kind NAME shows one kind with its options, --details all."
    yield ""
    width = max(map(len, registered)) + 2
    for kind, entries in registered.items():
        head = f"  {kind:<{width}}{len(entries):>2}  "
        yield head + shorten(", ".join(method.name for method in entries), WIDTH - len(head), placeholder=" ...")


def _as_lines(kind: str, entries: tuple[Method, ...]) -> Iterator[str]:
    yield kind
    for method in entries:
        yield f"  {method.name}: {method.summary}"
        yield f"      {_facts(method)} [{method.cite}]"
        for option in method.options:
            choices = "|".join(option.choices)
            default = "none" if option.default is None else str(option.default).lower()
            shown = f"{choices}; default {default}" if choices else f"default {default}"
            yield f"      {option.name} ({shown}): {option.help}"


def _facts(method: Method) -> str:
    if method.kind == "test":
        return f"null: {method.stated('null')}"
    if method.kind == "metric":
        better = "higher" if method.facts["higher_is_better"] else "lower"
        return f"{method.facts['task']}; {better} is better"
    if method.kind == "correlation":
        return "null: both correlations with the gold standard are equal"
    if method.kind == "association":
        return f"{method.facts['symbol']}; null: no correlation"
    if method.kind == "correction":
        return f"controls {method.facts['controls']} under {method.facts['under']}"
    if method.kind in ("combination", "omnibus"):
        return f"null: {method.stated('null')}"
    if method.kind == "agreement":
        return f"needs {method.facts['needs']}"
    if method.kind == "posterior":
        return f"about {method.facts['about']}"
    return f"no difference: {method.facts['null']:g}"


def _as_dict(method: Method) -> dict[str, object]:
    return {
        "name": method.name,
        "label": method.label,
        "summary": method.summary,
        "cite": method.cite,
        **{name: method.stated(name) if isinstance(value, str) else value for name, value in method.facts.items()},
        "options": [{**dataclasses.asdict(option), "type": option.type.__name__} for option in method.options],
    }
