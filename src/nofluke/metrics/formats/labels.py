"""Labels of items: one per line, the GLUE form (index, prediction), or a column of a CSV or TSV file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.formats.csv_rows import csv_rows
from nofluke.metrics.formats.label_columns import Columns, columns_of
from nofluke.metrics.texts import Lines, Texts, read_lines
from nofluke.types.base import counted

_DELIMITED = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Labels:
    """One label per item, the line it stands on (from 0), and the items' ids where the file has them.

    `notes` say which column was taken, where there was a choice.
    """

    source: Lines
    labels: tuple[str, ...]
    lines: tuple[int, ...]
    ids: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()

    def where(self, item: int) -> str:
        """Name the place of an item."""
        return self.source.where(self.lines[item])


def read_labels(source: Texts, column: str | None, role: str, *, empty: bool = False) -> Labels:
    """Read labels: of the named or numbered column, of the GLUE form, or one per line; `empty` allows empty ones.

    `role` is output or gold: it says which column is meant where none is named.
    """
    lines = read_lines(source, role)
    if not any(line.strip() for line in lines.lines):
        raise InputError("there are no labels.", where=lines.name, fix="give one label per line.")
    if not (column is not None or _looks_delimited(lines, source)):
        labels = tuple(line.strip() for line in lines.lines)
        found = Labels(lines, labels, tuple(range(len(labels))))
        return found if empty else _without_gaps(found)
    rows = csv_rows(lines)
    columns = columns_of(rows[0][1], column, role, lines.where(0))
    body = rows[1:] if columns.headed else rows
    if not body:
        raise InputError("there is only a header, and no labels.", where=lines.name, fix="give one row per item.")
    for index, row in body:
        if len(row) != len(columns.names):
            raise InputError(
                f"{len(row)} fields, where the first line has {len(columns.names)}.",
                where=lines.where(index),
                fix="give every row the same number of fields, and quote fields that hold the separator.",
            )
    ids = tuple(row[columns.identity].strip() for _, row in body) if columns.identity is not None else None
    labels = tuple(row[columns.label].strip() for _, row in body)
    found = Labels(lines, labels, tuple(index for index, _ in body), ids, _notes(lines, columns, role))
    return _without_twice(found if empty else _without_gaps(found))


def _notes(lines: Lines, columns: Columns, role: str) -> tuple[str, ...]:
    if not columns.chosen_among_several:
        return ()
    what = "gold is" if role == "gold" else "the output is"
    return (f"{what} the column {columns.names[columns.label]!r} of {lines.name}.",)


def column_called(system: str, source: Texts) -> str | None:
    """Give the column of an outputs file that is called like the system, which is then meant; None if there is none.

    A first line whose word comes again below is no header.
    """
    if not isinstance(source, str | os.PathLike):
        return None
    lines = read_lines(source)
    if not any(line.strip() for line in lines.lines) or not _looks_delimited(lines, source):
        return None
    (_, first), *rows = csv_rows(lines)
    wanted = system.casefold()
    place = next((index for index, name in enumerate(first) if name.strip().casefold() == wanted), None)
    if place is None or any(cell.strip().casefold() == wanted for _, row in rows for cell in row[place : place + 1]):
        return None
    return first[place].strip()


def _looks_delimited(lines: Lines, source: Texts) -> bool:
    if isinstance(source, str | os.PathLike) and str(source).removesuffix(".gz").lower().endswith(_DELIMITED):
        return True
    return "\t" in lines.lines[0]


def _without_gaps(labels: Labels) -> Labels:
    for item, label in enumerate(labels.labels):
        if not label:
            raise InputError("the label is empty.", where=labels.where(item), fix="give every item a label.")
    return labels


def _without_twice(labels: Labels) -> Labels:
    first: dict[str, int] = {}
    for item, identity in enumerate(labels.ids or ()):
        if identity in first:
            raise InputError(
                f"item {identity!r} was already given on line {labels.lines[first[identity]] + 1}.",
                where=labels.where(item),
                fix="give every item once.",
            )
        first[identity] = item
    return labels


def matched_labels(output: Labels, gold: Labels) -> tuple[Sequence[str | None], tuple[str, ...] | None]:
    """Give the output's labels in the order of gold, by id where both have ids, and the ids.

    None is an item without an output: whether it is left out or refused is decided where systems are compared.
    """
    if output.ids is not None and gold.ids is not None:
        label_of = dict(zip(output.ids, output.labels, strict=True))
        wanted = set(gold.ids)
        strange = [item for item, identity in enumerate(output.ids) if identity not in wanted]
        if strange:
            raise InputError(
                f"item {output.ids[strange[0]]!r} is not in {gold.source.name} ({counted(len(strange), 'such item')}).",
                where=output.where(strange[0]),
                fix="give outputs for items of the gold file only.",
            )
        return [label_of.get(identity) for identity in gold.ids], gold.ids
    if len(output.labels) != len(gold.labels):
        raise InputError(
            f"{len(output.labels):,} labels, and {gold.source.name} has {len(gold.labels):,}.",
            where=output.source.name,
            fix="give one label for every item of the gold file.",
        )
    for labels in (output, gold):
        _require_running(labels)
    return output.labels, gold.ids or output.ids


def _require_running(labels: Labels) -> None:
    """Where only one side has ids, items can be paired by position only if the ids count up one by one."""
    if labels.ids is None:
        return
    start = labels.ids[0]
    if start in ("0", "1") and all(identity == str(int(start) + i) for i, identity in enumerate(labels.ids)):
        return
    raise InputError(
        "the items have ids that do not simply count up, and the other file has none.",
        where=labels.where(0),
        fix="give ids on both sides, so that items can be matched.",
    )
