"""Options from a TOML file, and the TOML file that repeats a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nofluke.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from nofluke.types import Call

_OF_POWER = frozenset({"plan", "curve", "detect"})
# What single commands are told that is no part of a call, beside where their answer goes.
_BESIDE = ("require", "pairs", "items", "scores", "keep", "record")


def load_config(ctx: typer.Context, value: str | None) -> str | None:
    """Make the file's values the defaults of this command; what is typed on the command line wins."""
    if value is None:
        return None
    import tomllib

    try:
        settings = tomllib.loads(Path(value).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}.", where=value, fix="check the path of --config.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"is not valid TOML: {error}.", where=value, fix="see the file that --save-config writes."
        ) from None
    own = _typed(ctx)
    command = settings.pop("command", own)
    # Files of earlier versions hold the last word only.
    if command not in (own, ctx.info_name):
        command = f"power {command}" if command in _OF_POWER else command
        raise InputError(
            f"this file is for the command {command!r}, not {own!r}.",
            where=value,
            fix=f"run: nofluke {command} --config {value}",
        )
    names = {parameter.name: parameter for parameter in ctx.command.params if parameter.name}
    settings = _without_negations(settings, names.values())
    for name, setting in settings.items():
        if name not in names:
            raise InputError(
                f"there is no option {name!r}.",
                where=value,
                fix=f"{did_you_mean(name, names)}see --help for all options.",
            )
        if isinstance(setting, dict):
            raise InputError(f"{name} is a table.", where=value, fix="options stand at the top, as name = value.")
        if isinstance(setting, str) and (getattr(names[name], "multiple", False) or names[name].nargs == -1):
            settings[name] = [setting]
    ctx.default_map = {**(ctx.default_map or {}), **settings}
    return value


def _without_negations(settings: dict[str, Any], parameters: Iterable[Any]) -> dict[str, Any]:
    """Let lower_is_better = true mean what --lower-is-better does: that higher_is_better is false."""
    off = {flag[2:].replace("-", "_"): one.name for one in parameters for flag in one.secondary_opts}
    negated = [name for name, value in settings.items() if name in off and isinstance(value, bool)]
    others = {name: value for name, value in settings.items() if name not in negated}
    return others | {off[name]: not settings[name] for name in negated}


def save_config(ctx: typer.Context, call: Call | None) -> None:
    """Write how the result was made, and what the command was told beside it: the file alone repeats the run."""
    target = ctx.params.get("save_config")
    if target is None:
        return
    from nofluke.call import in_toml, toml_line
    from nofluke.cli.options import Output, option_names

    made = "" if call is None else in_toml(call)
    if not made:
        raise InputError("this run cannot be written as a file of options.", where=target, fix="keep the command.")
    names = (*option_names(Output), *_BESIDE)
    beside = {p.name: ctx.params.get(p.name) for p in ctx.command.params if p.name in names}
    defaults = {p.name: p.default for p in ctx.command.params}
    told = call.options if call is not None else {}
    more = [
        toml_line(name, value)
        for name, value in beside.items()
        if value not in (None, [], (), defaults[name]) and name not in told
    ]
    try:
        Path(target).write_text("\n".join([made, *more]) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}.", where=target, fix="check --save-config.") from None


def _typed(ctx: typer.Context) -> str:
    """Name the command as it is typed after nofluke, with the group it belongs to."""
    words: list[str] = []
    here: Any = ctx
    while here.parent is not None:
        words.insert(0, str(here.info_name))
        here = here.parent
    return " ".join(words) or str(ctx.info_name)
