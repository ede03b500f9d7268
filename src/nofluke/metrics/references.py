"""One or several references: reads them beside the outputs and refuses what does not fit."""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias, cast

from nofluke.errors import InputError, listing
from nofluke.metrics.texts import Lines, Texts, read_lines, require_same_length

# One reference (a path or its lines), or several of them: paths as Path objects, or lists of lines.
References: TypeAlias = Texts | Sequence[Texts]

_MARK = b"\xef\xbb\xbf"
# A list of this many strings that all name files is more likely meant as files than as lines.
_FEW = 20


def read_references(gold: References, *, as_is: bool = False) -> tuple[Lines, ...]:
    """Give the lines of every reference; a list of strings is the lines of one reference."""
    read = read_as_is if as_is else read_lines
    if isinstance(gold, str | os.PathLike | Lines):
        return (read(gold),)
    members = list(gold)
    if all(isinstance(member, str) for member in members):
        lines = cast("list[str]", members)
        _refuse_file_names(lines)
        return (read(lines, "gold"),)
    return tuple(
        read(member, "" if isinstance(member, str | os.PathLike | Lines) else f"reference {number}")
        for number, member in enumerate(members, start=1)
    )


def read_pairs(output: Texts, gold: References, *, as_is: bool = False) -> tuple[Lines, tuple[Lines, ...]]:
    """Give the output and its references; all must have the same, positive number of lines."""
    read = read_as_is if as_is else read_lines
    lines = read(output, "output")
    references = read_references(gold, as_is=as_is)
    if not references:
        raise InputError("there is no reference.", where="gold", fix="give at least one reference.")
    for reference in references:
        require_same_length(lines, reference)
    if not len(lines):
        raise InputError("there are no lines.", where=lines.name, fix="give a file with one text per line.")
    return lines, references


def read_as_is(source: Texts, name: str = "") -> Lines:
    """Read lines and keep a byte order mark as part of the first word, as sacrebleu does.

    Dropping it changes BLEU in the sixth digit, and a score that differs from sacrebleu's cannot be checked.
    """
    lines = read_lines(source, name)
    if not isinstance(source, str | os.PathLike) or not len(lines):
        return lines
    with Path(source).open("rb") as file:
        start = file.read(3)
    if start.startswith(b"\x1f\x8b"):
        with gzip.open(source, "rb") as unpacked:
            start = unpacked.read(3)
    if start != _MARK:
        return lines
    return Lines(lines.name, ("\ufeff" + lines.lines[0], *lines.lines[1:]))


def _refuse_file_names(lines: list[str]) -> None:
    def is_file(line: str) -> bool:
        try:
            return bool(line) and Path(line).is_file()
        except (OSError, ValueError):
            return False

    if lines and len(lines) <= _FEW and all(map(is_file, lines)):
        raise InputError(
            f"a list of strings is the lines of one reference, but these name files: {listing(lines, 3)}.",
            where="gold",
            fix='for several reference files give paths: [Path("ref1.txt"), Path("ref2.txt")].',
        )
