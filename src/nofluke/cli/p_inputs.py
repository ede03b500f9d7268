"""From the command line's arguments to p-values: a table, a pipe, an example, or the numbers themselves."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nofluke.errors import InputError

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
    """Whether a source is a table of p-values rather than of scores."""
    from nofluke.readers.given import given_from
    from nofluke.readers.p_table import is_p_table

    found = is_p_table(given_from(source)[0])
    if isinstance(source, Held):
        source.seek(0)
    return found


def are_p_values(arguments: Sequence[str]) -> bool:
    """Whether arguments are p-values themselves, and no files."""
    from pathlib import Path

    from nofluke.readers.p_cells import parse_p

    return all(parse_p(one) is not None and not Path(one).exists() for one in arguments)


def p_values_of(
    arguments: Sequence[str] | None,
    example: str | None,
    *,
    printed: int | None,
    a: str | None = None,
    b: str | None = None,
    higher_is_better: bool = True,
    source: Any = None,
) -> PValues:
    """Give the p-values that the user means."""
    import nofluke as nf
    from nofluke.readers.numbers import parse_number
    from nofluke.verbs.replicating.given import from_cells

    if example is not None:
        if arguments:
            raise InputError("both p-values and --example were given.", fix="give one of them.")
        return nf.example(example)
    if not arguments:
        raise InputError(
            "nothing was given to look at.",
            fix="name a file, - for standard input, the p-values themselves, or --example NAME.",
        )
    if are_p_values(arguments) or all(parse_number(one) is not None for one in arguments):
        return from_cells(arguments, systems=(a or "A", b or "B"), printed=printed, higher_is_better=higher_is_better)
    if len(arguments) > 1:
        raise InputError(f"{len(arguments)} files of p-values.", fix="give one table of p-values.")
    return nf.read_p_values(
        hold(arguments[0]) if source is None else source,
        a=a,
        b=b,
        printed=printed,
        higher_is_better=higher_is_better,
    )
