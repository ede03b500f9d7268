"""From the command line's arguments to p-values: a table, a pipe, an example, or the numbers themselves."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.errors import InputError
from nofluke.option_groups import ReadingPValues

if TYPE_CHECKING:
    from nofluke.types import PValues


class Held(io.BytesIO):
    """Standard input, kept so that it can be looked at before it is read."""

    name = "stdin"


def hold(path: str) -> Any:
    """Give a source that can be read twice: the path itself, or the bytes of standard input."""
    if path != "-":
        return path
    from nofluke.readers.given import given_from

    return Held(given_from("-")[0].load())


def holds_p_values(source: Any) -> bool:
    """Whether a source is a table of p-values rather than of scores; a folder or a glob is one of logs."""
    import os

    from nofluke.readers.given import given_from
    from nofluke.readers.p_table import is_p_table

    if isinstance(source, str) and (os.path.isdir(source) or not os.path.exists(source)):
        # What is not there, whoever reads scores says.
        return False
    found = is_p_table(given_from(source)[0])
    if isinstance(source, Held):
        source.seek(0)
    return found


def are_p_values(arguments: Sequence[str]) -> bool:
    """Whether arguments are meant as p-values themselves, right or wrong, and not as files."""
    from pathlib import Path

    from nofluke.readers.p_cells import meant_as_p

    return any(meant_as_p(one) and not Path(one).exists() for one in arguments)


def _cells(arguments: Sequence[str]) -> list[str]:
    """Give the p-values among the arguments; the first that is none is named."""
    from nofluke.readers.p_cells import meant_as_p, p_cell

    for number, one in enumerate(arguments, 1):
        if not meant_as_p(one):
            raise InputError(
                f"{one!r} is not a p-value, and others are.",
                where=f"argument {number}",
                fix="give p-values, or one file with them, not both.",
            )
        p_cell(one, f"argument {number}")
    return list(arguments)


def p_values_of(
    arguments: Sequence[str] | None,
    example: str | None,
    reading: ReadingPValues,
    *,
    source: Any = None,
    quiet: bool = True,
    one_sided: bool = False,
    pairs: bool = False,
) -> PValues:
    """Give the p-values that the user means."""
    import nofluke as nf
    from nofluke.readers.p_values import to_p_values

    if example is not None:
        if arguments:
            raise InputError("both p-values and --example were given.", fix="give one of them.")
        refuse_unused(("columns",), "an example has its columns")
        remember_source("example", given=(example,))
        return nf.example(example)
    if not arguments:
        raise InputError(
            "nothing was given to look at.",
            fix="name a file, - for standard input, the p-values themselves, or --example NAME.",
        )
    if are_p_values(arguments):
        refuse_unused(("columns",), "the p-values themselves were given, and no table")
        remember_source("read_p_values", (), vars(reading), given=tuple(arguments))
        return to_p_values(
            _cells(arguments),
            systems=(reading.a or "A", reading.b or "B"),
            printed=reading.printed,
            higher_is_better=reading.higher_is_better,
        )
    if len(arguments) > 1:
        raise InputError(f"{len(arguments)} files of p-values.", fix="give one table of p-values.")
    held = hold(arguments[0]) if source is None else source
    _look(held, reading, quiet=quiet, one_sided=one_sided)
    remember_source("read_p_values", arguments, {**vars(reading), "pairs": pairs or None})
    return nf.read_p_values(held, pairs=pairs, **vars(reading))


def _look(source: Any, reading: ReadingPValues, *, quiet: bool, one_sided: bool) -> None:
    """Say on stderr which columns are taken, so that a wrong guess is seen; two-sided ones are not one-sided."""
    from nofluke.readers.given import given_from
    from nofluke.readers.p_table import read_p_table
    from nofluke.words.sources import p_table_line

    table = read_p_table(given_from(source)[0], reading.a, reading.b, reading.columns)
    if isinstance(source, Held):
        source.seek(0)
    tell([p_table_line(table)], quiet=quiet)
    if one_sided and table.two_sided:
        raise InputError(
            f"the column {table.two_sided!r} holds two-sided p-values, by its name.",
            where=table.table.name,
            fix="say --sided two, with the scores of both systems or a column sign; if they are one-sided for 'A is "
            "better' after all, call the column p.",
        )
