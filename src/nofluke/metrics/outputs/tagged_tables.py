"""Tables of tags: one token per row or one sentence per row, as the lines of a file of tags."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from nofluke.errors import Fix, InputError, named_as
from nofluke.metrics.texts import Lines
from nofluke.readers.roles import Roles
from nofluke.readers.table import Table


def by_sentence(
    table: Table, roles: Roles, column: str, rows: Sequence[int]
) -> tuple[tuple[int, ...], list[str | None]]:
    """Give the first row of every sentence, and for every row of the table its sentence: a line for each token.

    A cell that holds several tags is a sentence. Else rows are tokens, and a sentence is what a column of sentences
    says, or what stands between blank lines.
    """
    tags = table.texts(column)
    column_of_words = roles.one("words")
    words = None if column_of_words is None else table.texts(column_of_words)
    texts: list[str | None] = [None] * table.rows
    if any(_holds_several(tags[row]) for row in rows):
        for row in rows:
            texts[row] = _sentence(tags[row], None if words is None else words[row])
        return tuple(rows), texts
    first: list[int] = []
    starts = _starts(table, roles, rows)
    for row in rows:
        token = tags[row] or ""
        line = token if words is None else f"{words[row]}\t{token}"
        if row in starts:
            first.append(row)
            texts[row] = line
        else:
            texts[first[-1]] = f"{texts[first[-1]]}\n{line}"
    return tuple(first), texts


def _holds_several(cell: str | None) -> bool:
    return cell is not None and (cell.lstrip().startswith("[") or len(cell.split()) > 1)


def _sentence(cell: str | None, words: str | None) -> str | None:
    if cell is None:
        return None
    tags = _parts(cell)
    tokens = [] if words is None else _parts(words)
    if len(tokens) != len(tags):
        return "\n".join(tags)
    return "\n".join(f"{token}\t{tag}" for token, tag in zip(tokens, tags, strict=True))


def _parts(cell: str) -> list[str]:
    if cell.lstrip().startswith("["):
        try:
            listed = json.loads(cell)
        except ValueError:
            return cell.split()
        return [str(part) for part in listed] if isinstance(listed, list) else cell.split()
    return cell.split()


def _starts(table: Table, roles: Roles, rows: Sequence[int]) -> set[int]:
    """Give the rows that begin a sentence."""
    lines = table.place.lines
    told = [name for role in ("dataset", "run", "item") for name in roles.all(role)] if roles.one("item") else []
    names = [table.columns[name].labels().codes for name in told]
    starts = set(rows[:1])
    for before, row in pairwise(rows):
        apart = lines is not None and not names and lines[row] - lines[before] > 1
        if apart or any(codes[row] != codes[before] for codes in names):
            starts.add(row)
    if len(starts) == 1 and not names and len(rows) > 1:
        raise InputError(
            "which tokens make a sentence? No column says so, and there are no blank lines.",
            where=table.name,
            fix=Fix("name the column of sentences: ", named_as(item="NAME"), "."),
        )
    return starts


def tag_lines(sentences: Lines, gold: Lines | None) -> Lines:
    """Give a line for each token and a blank one after each sentence; a sentence without tags has those of gold.

    It is not scored: it only keeps the places of the others.
    """
    lines: list[str] = []
    spots: list[str] = []
    for index, text in enumerate(sentences.lines):
        filled = gold.lines[index] if index in sentences.missing and gold is not None else text
        spot = "" if sentences.spots is None else sentences.spots[index]
        kind, _, number = spot.partition(" ")
        for place, line in enumerate(filled.split("\n")):
            lines.append(line)
            spots.append(f"{kind} {int(number) + place}" if "\n" in text and number.isdigit() else spot)
        lines.append("")
        spots.append(spot)
    return Lines(sentences.name, tuple(lines), tuple(spots), sentences.ids, sentences.missing)
