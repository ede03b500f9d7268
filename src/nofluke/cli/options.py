"""Options that commands share, as groups: a command names the groups it takes and gets one value for each."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused, remember
from nofluke.cli.config import load_config
from nofluke.errors import InputError, did_you_mean
from nofluke.executors import using
from nofluke.option_groups import Aligning, LargeReading, Scoring, TwoSystems
from nofluke.options import ADVANCED, EXECUTOR, INPUT, OUTPUT, SINGLE_METHODS, TEST, Opt, Option, options_of
from nofluke.registry import Registry, help_of

_LONG = 40

# Endings of files that only look like an answer until they are opened.
_PICTURES = frozenset({".pdf", ".png", ".svg"})
_NO_ANSWERS = _PICTURES | {".doc", ".docx", ".jpeg", ".jpg", ".odt", ".rtf", ".xls", ".xlsx"}

Plain = Annotated[
    bool,
    typer.Option("--plain", help="Print no colour and no glyphs, only plain characters.", rich_help_panel=ADVANCED),
]


@dataclasses.dataclass(frozen=True)
class Inputs(Aligning, TwoSystems, LargeReading, Scoring):
    """What is read, how, and how it is aligned."""

    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="One file with all scores, one file per system, or folders of logs (lm-eval, Inspect and "
            "others), or of Parquet or CSV; NAME=PATH names a system; - is stdin."
        ),
    ] = None
    metric: Annotated[
        str | None,
        Opt(
            "The metric to look at, where there are several; with `gold`, to score by. compare takes several: "
            "bleu,chrf.",
            INPUT,
        ),
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
    plain: Plain = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the verdict alone, and no notes.", rich_help_panel=OUTPUT)
    ] = False

    def __post_init__(self) -> None:
        """Settle the format: commands see the name of a format, never auto."""
        if self.format == "auto":
            object.__setattr__(self, "format", _format_of(self.output))


LISTING_FORMATS = ("text", "json")


@dataclasses.dataclass(frozen=True, slots=True)
class Listing(Output):
    """The same of an answer that is a list of what is there, and no result."""

    format: Annotated[
        str,
        Opt(f"{' or '.join(LISTING_FORMATS)}; auto goes by the ending of `output`, else {LISTING_FORMATS[0]}.", OUTPUT),
    ] = "auto"


def refuse_ending(path: str) -> None:
    """Refuse an ending that stands for a kind of file that no answer is written as."""
    ending = Path(path).suffix.casefold()
    if ending in _NO_ANSWERS:
        picture = f"; a picture is drawn by --chart FILE{ending}" if ending in _PICTURES else ""
        raise InputError(
            f"no answer is written as {ending}.",
            where=path,
            fix=f"give the file another ending, such as .html, .md or .json{picture}.",
        )


def _format_of(path: str | None) -> str:
    if path is None:
        return "text"
    from nofluke.reports import SUFFIXES

    refuse_ending(path)
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


@dataclasses.dataclass(frozen=True, slots=True)
class Running:
    """Who runs what is cut into chunks; it never changes a number."""

    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="Let so many processes share draws and simulations. Same numbers.", rich_help_panel=ADVANCED
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Let a Dask cluster do it: the address of its scheduler, or dask for one on this machine.",
            rich_help_panel=ADVANCED,
        ),
    ] = None

    @property
    def executor(self) -> int | str | None:
        """What the library calls an executor."""
        if self.workers is not None and self.cluster is not None:
            raise InputError("workers and a cluster cannot share the work.", fix="give --workers or --cluster.")
        return self.workers if self.cluster is None else self.cluster


def option_names(group: type, *, but: str = "") -> tuple[str, ...]:
    """Name the options of a group as the command has them, other than one."""
    flags = {option.name: option.flag for option in options_of(group)}
    return tuple(flags.get(field.name, field.name) for field in dataclasses.fields(group) if field.name != but)


def takes(
    *groups: type,
    verb: Callable[..., Any] | None = None,
    methods: Registry | None = None,
    paired: bool = False,
    instead: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    hidden: tuple[str, ...] = (),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of the groups, of a verb and of single methods.

    A group is passed as one value, to the parameter of its type. The options of the verb, and those of methods that
    were given, are passed as `asked`, by the names of Python. What the groups, the command or a verb has already is not
    offered twice, but `instead` of a group's the verb may have its own. `without` names what means nothing to the
    command, and `hidden` what it refuses with a reason but does not offer.
    """

    chunked = verb is not None and EXECUTOR in inspect.signature(verb).parameters
    groups = (*groups, Running) if chunked and Running not in groups else groups

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        fields = {group: [p for p in parameters_of(group) if p.name not in (*without, *instead)] for group in groups}
        hints = typing.get_type_hints(function)
        called = {group: name for name, group in hints.items() if group in groups}
        order = [p for p in parameters_of(function) if p.name not in called.values()]
        own = [p for p in order if p.name != "asked"]
        described = options_of(function)
        taken = {p.name for several in (own, *fields.values()) for p in several} | set(without)
        of_verb = [option for option in options_of(verb) if option.name not in taken] if verb is not None else []
        taken |= {option.name for option in of_verb}
        of_methods = [] if methods is None else _of_single_methods(methods, taken, paired=paired)

        def run(**given: Any) -> None:
            values = {
                group: _filled(group, {p.name: given[p.name] for p in fields[group]})
                for group in groups
                if group is not Settings  # read before the command runs
            }
            executor = values[Running].executor if Running in groups else None
            told = {name: values[group] for group, name in called.items()}
            if given.get("stop") != "decision":
                refuse_unused(("stop_alpha",), "only --stop decision decides at a level")
            mine = {p.name: given[p.name] for p in own}
            mine |= {option.name: _read(option, given[option.name]) for option in described}
            asked = {option.name: _alone(_read(option, given[option.name])) for option in of_verb}
            # What was not typed is left to the verb or to the method.
            asked |= {p.name: given[p.name] for p in of_methods}
            asked = {name: value for name, value in asked.items() if value not in (None, ())}
            with using(executor):
                function(**told, **mine, **({"asked": asked} if verb or methods else {}))

        flags = [parameter for group in groups for parameter in fields[group]]
        # Where the command names `asked` among its own options, there stand those of the verb.
        flags += [flag for p in order for flag in (map(_flag, of_verb) if p.name == "asked" else [p])]
        flags += of_methods
        for p in (p for p in flags if p.name in hidden):
            typing.get_args(p.annotation)[1].hidden = True
        parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in flags]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        run.__doc__, run.__name__ = function.__doc__, function.__name__
        return run

    return decorate


def _filled(group: type, given: Mapping[str, Any]) -> Any:
    """Make the value of a group from what was given by the names of flags."""
    described = {option.flag: option for option in options_of(group)}
    read = {described[name].name: _read(described[name], value) for name, value in given.items() if name in described}
    return group(**read, **{name: value for name, value in given.items() if name not in described})


def parameters_of(source: Callable[..., Any]) -> list[inspect.Parameter]:
    """Give the parameters of a command, or the fields of a group, as the command line has them."""
    hints = typing.get_type_hints(source, include_extras=True)
    described = {option.name: option for option in options_of(source)}
    return [
        _flag(described[name]) if name in described else p.replace(annotation=hints[name])
        for name, p in inspect.signature(source).parameters.items()
    ]


def _flag(option: Option) -> inspect.Parameter:
    """Make a flag of an option; several values are typed with commas between them, names also by repeating it."""
    flag = flag_of(option.flag)
    kind, default = option.type, option.default
    names = [flag] if option.type is bool and option.default is False else []
    if option.type is bool and (option.default is True or option.opt.off):
        names = [f"{flag}/{flag_of(option.opt.off or f'no_{option.flag}')}"]
    if option.several == "named" or (option.several == "only" and option.type is str):
        kind, default = list[str], None
    elif option.several != "never" or option.words:
        kind, default = str, _typed(option.default)
    group = None if option.opt.group == TEST else option.opt.group
    said = help_of(option, flag_of) + (" May be repeated." if kind == list[str] else "")
    return inspect.Parameter(
        option.flag,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[
            kind | None if default is None else kind,
            typer.Option(*names, help=said, rich_help_panel=group),
        ],
    )


def flag_of(name: str) -> str:
    """Write the name of an option as a shell has it."""
    return f"--{name.replace('_', '-')}"


def _typed(default: Any) -> str | None:
    if default is None or default == ():
        return None
    text = ",".join(map(str, default)) if isinstance(default, list | tuple) else str(default)
    # A long list is left to the library: the help says what it is.
    return text if len(text) < _LONG else None


def _read(option: Option, value: Any) -> Any:
    """Give what was typed in the option's own type; names are taken apart by those who know them."""
    if value is None:
        return () if option.default == () else None
    if option.several == "named":
        return columns_of(value) if option.name == "columns" else _by_name(value, flag_of(option.flag))
    typed = isinstance(value, str) and (option.several != "never" or option.words)
    return option.read(value, flag_of(option.name)) if typed else value


def columns_of(given: Sequence[str]) -> dict[str, str]:
    """Read --columns ROLE=NAME into names by role; whether a role belongs to a question, its reader says."""
    from nofluke.readers.aliases import ROLES, SEVERAL

    mapping: dict[str, str] = {}
    # Roles may also be joined by commas; a comma before anything but ROLE= belongs to the column names.
    following = "|".join(ROLES)
    for part in (p for one in given for p in re.split(rf",\s*(?=(?:{following})=)", one)):
        role, equals, column = part.partition("=")
        if not equals or not column:
            raise InputError(f"--columns {part!r} is not ROLE=NAME.", fix="write, say, --columns item=segment.")
        if role not in ROLES:
            raise InputError(
                f"--columns {part!r}: {role!r} is not a role.",
                fix=f"{did_you_mean(role, ROLES)}roles are {', '.join(ROLES)}.",
            )
        if role in mapping and role not in SEVERAL:
            raise InputError(
                f"--columns names two columns as {role}: {mapping[role]!r} and {column!r}.", fix="name one of them."
            )
        mapping[role] = f"{mapping[role]},{column}" if role in mapping else column
    return mapping


def _by_name(given: Sequence[str], flag: str) -> dict[str, str]:
    """Read NAME=VALUE into values by name, still as texts."""
    found: dict[str, str] = {}
    for part in given:
        name, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"{flag} {part!r} is not NAME=VALUE.", fix="write, say, tokenize=none.")
        if name in found:
            raise InputError(f"{flag} {name} is given twice.", fix="give one value.")
        found[name] = value
    return found


def _alone(value: Any) -> Any:
    """Names that were typed once are one text, with commas where there are several; a verb takes it apart."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _of_single_methods(registry: Registry, taken: Collection[str], *, paired: bool) -> list[inspect.Parameter]:
    """Give the options of all methods (or the `paired` alone) as optional flags, but those that are there already."""
    found: dict[str, tuple[Any, dict[str, list[str]]]] = {}
    for method in registry:
        for option in method.options:
            if option.name in taken or (paired and method.facts["needs"] == "unpaired"):
                continue
            default = "" if option.default is None else f", default {str(option.default).lower()}"
            choices = (
                f" ({'|'.join(option.choices)}{default})" if option.choices else f" ({default[2:]})" if default else ""
            )
            _kind, texts = found.setdefault(option.name, (option.type, {}))
            texts.setdefault(f"{option.help_as(flag_of)}{choices}", []).append(method.name)
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[kind | None, typer.Option(help=_of_whom(texts), rich_help_panel=SINGLE_METHODS)],
        )
        for name, (kind, texts) in found.items()
    ]


def _of_whom(texts: Mapping[str, Sequence[str]]) -> str:
    """Say what an option means to which methods; what it means to most of them, without their names.

    >>> _of_whom({"a seed": ["x", "y", "z"], "a start": ["w"]})
    'w: a start. others: a seed.'
    """
    if len(texts) == 1 and len(next(iter(texts.values()))) > 2:
        return f"{next(iter(texts))}."
    said = {text: "others" if len(methods) > 2 else ", ".join(methods) for text, methods in texts.items()}
    parts = sorted(said, key=lambda text: said[text] == "others")
    return " ".join(f"{said[text]}: {text}." for text in parts)
