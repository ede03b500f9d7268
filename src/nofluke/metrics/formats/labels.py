"""Labels of items: one per line, the GLUE form (index, prediction), or a column of a CSV or TSV file."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass

from nofluke.errors import InputError, did_you_mean, listing
from nofluke.metrics.texts import Lines, Texts, read_lines

_ID_NAMES = ("index", "id", "item", "item_id", "idx", "guid")
_LABEL_NAMES = ("prediction", "predicted", "pred", "label", "gold", "target")
_DELIMITED = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Labels:
    """One label per item, the line it stands on (from 0), and the items' ids where the file has them."""

    source: Lines
    labels: tuple[str, ...]
    lines: tuple[int, ...]
    ids: tuple[str, ...] | None = None

    def where(self, item: int) -> str:
        """Name the place of an item."""
        return self.source.where(self.lines[item])


def read_labels(source: Texts, column: str | None, name: str, *, empty: bool = False) -> Labels:
    """Read labels: of the named or numbered column, of the GLUE form, or one per line; `empty` allows empty ones."""
    lines = read_lines(source, name)
    if not lines.lines:
        raise InputError("there are no labels.", where=lines.name, fix="give one label per line.")
    if not (column is not None or _looks_delimited(lines, source)):
        labels = tuple(line.strip() for line in lines.lines)
        found = Labels(lines, labels, tuple(range(len(labels))))
        return found if empty else _without_gaps(found)
    rows = _rows(lines)
    label, identity, headed = _columns(lines, rows[0][1], column)
    body = rows[1:] if headed else rows
    for index, row in body:
        if len(row) != len(rows[0][1]):
            raise InputError(
                f"{len(row)} fields, where the first line has {len(rows[0][1])}.",
                where=lines.where(index),
                fix="give every row the same number of fields, and quote fields that hold the separator.",
            )
    ids = tuple(row[identity].strip() for _, row in body) if identity is not None else None
    found = Labels(lines, tuple(row[label].strip() for _, row in body), tuple(index for index, _ in body), ids)
    return _without_twice(found if empty else _without_gaps(found))


def _looks_delimited(lines: Lines, source: Texts) -> bool:
    if isinstance(source, str | os.PathLike) and str(source).removesuffix(".gz").lower().endswith(_DELIMITED):
        return True
    return "\t" in lines.lines[0]


def _rows(lines: Lines) -> list[tuple[int, list[str]]]:
    """Split the lines that are not blank at tabs, or commas where the first line has no tab."""
    tabs = "\t" in lines.lines[0]
    rows = []
    for index, line in enumerate(lines.lines):
        if line.strip():
            try:
                # One line is one row: a quoted field over several lines would hide a missing quote.
                fields = line.split("\t") if tabs else next(csv.reader([line], strict=True))
            except csv.Error as error:
                raise InputError(
                    f"the row cannot be split: {error}.", where=lines.where(index), fix="close every quote on its line."
                ) from None
            rows.append((index, fields))
    return rows


def _columns(lines: Lines, first: list[str], column: str | None) -> tuple[int, int | None, bool]:
    """Find the label column and the id column, and whether the first line is a header."""
    names = [name.strip().casefold() for name in first]
    if column is None:
        known = [names.index(name) for name in _LABEL_NAMES if name in names]
        if len(known) == 1 or (len(first) == 1 and not known):
            return (known or [0])[0], _identity(names), bool(known)
        raise InputError(
            f"which column holds the labels? The first line has {listing(first)}.",
            where=lines.where(0),
            fix="name the column (column=... for outputs, gold_column=... for gold).",
        )
    if column.casefold() in names:
        return names.index(column.casefold()), _identity(names), True
    if column.isdigit() and 1 <= int(column) <= len(first):
        identity = _identity(names)
        return int(column) - 1, identity, identity is not None or any(name in names for name in _LABEL_NAMES)
    raise InputError(
        f"there is no column {column!r}; the first line has {listing(first)}.",
        where=lines.where(0),
        fix=f"{did_you_mean(column, first)}give the name of a column, or its number from 1.",
    )


def _identity(names: list[str]) -> int | None:
    return next((names.index(name) for name in _ID_NAMES if name in names), None)


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


def matched_labels(output: Labels, gold: Labels) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Give the output's labels in the order of gold, by id where both have ids, and the ids."""
    if output.ids is not None and gold.ids is not None:
        place = {identity: item for item, identity in enumerate(output.ids)}
        wanted = set(gold.ids)
        for labels, others, other in ((gold, place, output), (output, wanted, gold)):
            lost = [item for item, identity in enumerate(labels.ids or ()) if identity not in others]
            if lost:
                raise InputError(
                    f"item {(labels.ids or ())[lost[0]]!r} is not in {other.source.name} ({len(lost):,} such items).",
                    where=labels.where(lost[0]),
                    fix="give the same items to outputs and gold.",
                )
        return tuple(output.labels[place[identity]] for identity in gold.ids), gold.ids
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
