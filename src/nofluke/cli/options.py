"""Options that commands share, as groups: a command names the groups it takes and gets one value for each."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import ADVANCED, INPUT, OUTPUT, SINGLE_TESTS, refuse_unused, remember
from nofluke.cli.config import load_config, save_config
from nofluke.types.file_kinds import FORMATS_IN_WORDS


@dataclasses.dataclass(frozen=True, slots=True)
class Inputs:
    """What is read and how it is aligned."""

    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="One file with the scores of both systems, or two files; NAME=FILE names a system; - is stdin."
        ),
    ] = None
    a: Annotated[
        str | None, typer.Option("--a", help="The system that is A. Default: the first named.", rich_help_panel=INPUT)
    ] = None
    b: Annotated[
        str | None, typer.Option("--b", help="The system that is B. Default: the second named.", rich_help_panel=INPUT)
    ] = None
    input_format: Annotated[str, typer.Option(help=FORMATS_IN_WORDS, rich_help_panel=ADVANCED)] = "auto"
    columns: Annotated[
        list[str] | None,
        typer.Option(
            help="Say which column is which: item=NAME, system=NAME, score, gold, output, dataset, metric, run or "
            "cluster; ignore=NAME skips a column; several columns as dataset=task,language. May be repeated.",
            rich_help_panel=INPUT,
        ),
    ] = None
    dataset: Annotated[
        str | None, typer.Option(help="The dataset to look at, where there are several.", rich_help_panel=INPUT)
    ] = None
    metric: Annotated[
        str | None,
        typer.Option(
            help="The metric to look at, where there are several; with --gold, to score by.", rich_help_panel=INPUT
        ),
    ] = None
    gold: Annotated[
        list[str] | None,
        typer.Option(
            help="The files are outputs: score them against this gold standard with --metric. May be repeated.",
            rich_help_panel=INPUT,
        ),
    ] = None
    metric_option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the metric, NAME=VALUE. May be repeated.", rich_help_panel=ADVANCED),
    ] = None
    formula: Annotated[
        str | None,
        typer.Option(
            help="The files are tables of statistics, one row per item: score by this formula of column sums, such as "
            '"2*tp/(2*tp+fp+fn)" (n is the number of items).',
            rich_help_panel=ADVANCED,
        ),
    ] = None
    run: Annotated[
        str | None,
        typer.Option(help="The run to look at. Default: the mean over an item's runs.", rich_help_panel=ADVANCED),
    ] = None
    lower_is_better: Annotated[
        bool | None,
        typer.Option(
            "--lower-is-better/--higher-is-better",
            help="Direction of the metric. Default: known from its name, otherwise higher.",
            rich_help_panel=INPUT,
        ),
    ] = None
    clusters: Annotated[
        bool,
        typer.Option(
            "--clusters/--no-clusters",
            help="Keep items of a cluster together, where clusters are known.",
            rich_help_panel=ADVANCED,
        ),
    ] = True
    missing: Annotated[
        str,
        typer.Option(
            help="Items that not all systems have: refuse or drop; in rank also pairwise (each pair on its own items).",
            rich_help_panel=INPUT,
        ),
    ] = "refuse"
    unit: Annotated[
        int,
        typer.Option(help="Evaluation unit: this many adjacent items make one observation.", rich_help_panel=ADVANCED),
    ] = 1
    unit_statistic: Annotated[
        str, typer.Option(help="A unit's score: mean or median of its items.", rich_help_panel=ADVANCED)
    ] = "mean"
    shuffle_seed: Annotated[
        int | None, typer.Option(help="Shuffle items with this seed before making units.", rich_help_panel=ADVANCED)
    ] = None


@dataclasses.dataclass(frozen=True, slots=True)
class Output:
    """Where the result goes and in which form."""

    format: Annotated[
        str,
        typer.Option(
            "--format",
            help="text, json, markdown, latex, html, csv or bibtex; auto goes by the ending of --output, else text.",
            rich_help_panel=OUTPUT,
        ),
    ] = "auto"
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", help="Write the result to this file.", callback=remember, rich_help_panel=OUTPUT
        ),
    ] = None
    chart: Annotated[
        list[str] | None,
        typer.Option(
            help="Draw a picture: FILE or NAME=FILE, by its ending svg, png, pdf, html or json. May be repeated.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
    details: Annotated[
        bool,
        typer.Option(
            "--details", help="Print the whole answer: all figures, reasons and settings.", rich_help_panel=OUTPUT
        ),
    ] = False
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Print no colour and no glyphs, only plain characters.", rich_help_panel=ADVANCED),
    ] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the verdict alone, and no notes.", rich_help_panel=OUTPUT)
    ] = False

    def __post_init__(self) -> None:
        """Settle the format: commands see the name of a format, never auto."""
        if self.format == "auto":
            object.__setattr__(self, "format", _format_of(self.output))


def _format_of(path: str | None) -> str:
    if path is None:
        return "text"
    from nofluke.reports import SUFFIXES

    return SUFFIXES.get(Path(path).suffix.casefold(), "text")


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """Options from and to a file."""

    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            help="Take options from this TOML file.",
            is_eager=True,
            callback=load_config,
            rich_help_panel=ADVANCED,
        ),
    ] = None
    save_config: Annotated[
        str | None,
        typer.Option("--save-config", help="Write a TOML file that repeats this run.", rich_help_panel=ADVANCED),
    ] = None


def option_names(group: type, *, but: str = "") -> tuple[str, ...]:
    """Name the options of a group, other than one."""
    return tuple(field.name for field in dataclasses.fields(group) if field.name != but)


def takes(
    *groups: type, extra: tuple[inspect.Parameter, ...] = (), without: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of the groups (passed as one value each) and extra ones (passed as `extra`).

    Options of the groups that mean nothing to the command are named as `without`: it does not offer them.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = _own_parameters(function, groups)
        fields = {group: [p for p in _parameters_of(group) if p.name not in without] for group in groups}

        def run(ctx: typer.Context, **given: Any) -> None:
            values = {
                group.__name__.lower(): group(**{p.name: given[p.name] for p in fields[group]}) for group in groups
            }
            chosen = {p.name: given[p.name] for p in extra if given[p.name] is not None}
            if chosen.get("stop") != "decision":
                refuse_unused(("stop_alpha",), "only --stop decision decides at a level")
            save_config(ctx, given)
            mine = {p.name: given[p.name] for p in own}
            function(**values, **mine, **({"extra": chosen} if extra else {}))

        context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        grouped = [parameter for group in groups for parameter in fields[group]]
        parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (*grouped, *own, *extra)]
        run.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in (context, *parameters)}
        run.__doc__, run.__name__ = function.__doc__, function.__name__
        return run

    return decorate


def _own_parameters(function: Callable[..., None], groups: tuple[type, ...]) -> list[inspect.Parameter]:
    hints = typing.get_type_hints(function, include_extras=True)
    taken = {group.__name__.lower() for group in groups} | {"extra"}
    return [
        p.replace(annotation=hints[name])
        for name, p in inspect.signature(function).parameters.items()
        if name not in taken
    ]


def _parameters_of(group: type) -> list[inspect.Parameter]:
    hints = typing.get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in dataclasses.fields(group)
    ]


def method_options(own: frozenset[str] = frozenset(), *, paired: bool = False) -> tuple[inspect.Parameter, ...]:
    """Give the options of all registered tests (or the `paired` alone) as optional flags, but the command's own."""
    from nofluke.registry import TESTS

    found: dict[str, tuple[Any, list[str]]] = {}
    for method in TESTS:
        for option in method.options:
            if option.name in own or (paired and method.facts["needs"] == "unpaired"):
                continue
            default = "" if option.default is None else f", default {str(option.default).lower()}"
            choices = (
                f" ({'|'.join(option.choices)}{default})" if option.choices else f" ({default[2:]})" if default else ""
            )
            text = f"{method.name}: {option.help}{choices}"
            found.setdefault(option.name, (option.type, []))[1].append(text)
    return tuple(
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[kind | None, typer.Option(help=". ".join(texts) + ".", rich_help_panel=SINGLE_TESTS)],
        )
        for name, (kind, texts) in found.items()
    )
