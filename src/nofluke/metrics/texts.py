"""Reading outputs and gold: lines of a file or of a list, with errors that name file and line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from nofluke.errors import InputError, listing
from nofluke.readers.decode import decode
from nofluke.types.base import counted
from nofluke.types.bounds import read_all


@dataclass(frozen=True, slots=True)
class Lines:
    """The texts of one source without line ends, one per item, and a name for messages.

    Of a column of a table also the place of every cell (`spots`, such as "line 3"), the items' ids, and the items
    (from 0) that have no cell: they are empty here.
    """

    name: str
    lines: tuple[str, ...]
    spots: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    missing: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.lines)

    def where(self, index: int) -> str:
        """Name the place of a line, counted from 1."""
        return f"{self.name} {self.spots[index] if self.spots is not None else f'line {index + 1}'}"


Texts: TypeAlias = str | os.PathLike[str] | Sequence[str] | Lines


def read_lines(source: Texts, name: str = "") -> Lines:
    """Give the lines of a path (gzip is unpacked) or of a list of strings; a final empty line is not a line."""
    if isinstance(source, Lines):
        return source
    if not isinstance(source, str | os.PathLike):
        listed = list(source)
        refuse_files(listed, name)
        return Lines(name or "lines", tuple(str(line).rstrip("\r\n") for line in listed))
    path = Path(source)
    shown = str(source)
    try:
        with path.open("rb") as file:
            raw = read_all(file, shown)
    except FileNotFoundError:
        raise InputError("the file does not exist.", where=shown, fix="check the path.") from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file.", where=shown, fix="give a file.") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}.", where=shown, fix="check the path.") from None
    return Lines(shown, tuple(decoded_lines(raw, shown)))


def refuse_files(lines: Sequence[object], name: str) -> None:
    """Refuse several files where one is expected: their names are no lines."""
    files = [str(line) for line in lines if isinstance(line, os.PathLike)]
    if files:
        role = {"gold": "gold file", "output": "outputs file of a system"}.get(name, "file")
        raise InputError(
            f"this metric takes one {role}, and {len(files):,} were given: {listing(files, 3)}.",
            where=name,
            fix=f"give one {role}; several references are for metrics such as bleu, ter and rouge_1.",
        )


def decoded_lines(raw: bytes, shown: str) -> list[str]:
    """Give the lines of a file's bytes; what is not UTF-8 text is refused."""
    # Only line ends count: characters such as U+2028 belong to the text of a line.
    lines = decode(raw, shown).replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def require_same_length(first: Lines, second: Lines) -> None:
    """Refuse two sources with different numbers of lines."""
    if len(first) != len(second):
        raise InputError(
            f"{counted(len(first), 'line')}, and {second.name} has {len(second):,}.",
            where=first.name,
            fix="line i of one file belongs to line i of the other: give files of the same length.",
        )
