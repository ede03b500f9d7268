"""Which pairs of systems come from the same group: a research team, a model family, a base model."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from nofluke.errors import InputError, did_you_mean, listing, unknown
from nofluke.types import IntArray

ALL, SAME, DIFFERENT, OTHER = "all pairs", "same group", "different groups", "other"
_NAME_COLUMNS = ("system", "model", "name", "run", "item", "id", "segment")
_GROUP_COLUMNS = ("group", "team", "family", "base", "type", "domain", "dataset", "genre")


def read_groups(
    path: str, systems: Sequence[str], column: str | None = None, *, what: str = "system"
) -> dict[str, str]:
    """Read the group of every system (or the domain of every item) from a table: a column of names, one of groups.

    Any CSV or TSV file will do, also the long file of scores, where a system stands in many rows. The column of systems
    is the one that holds their names; the column of groups is `column`, or one named group, team, family, base, type,
    domain or dataset, or the only other one.
    """
    header, rows = _table(path)
    known = set(systems)
    hits = {name: len({row[place] for row in rows} & known) for place, name in enumerate(header)}
    at = max(header, key=lambda name: (hits[name], name.casefold() in _NAME_COLUMNS))
    if not hits[at]:
        raise InputError(
            f"no column holds names of {what}s, such as {listing(systems, 3)}.",
            where=path,
            fix=f"give a table with the columns {what} and group.",
        )
    group = _group_column(header, at, column, path)
    place, value = header.index(at), header.index(group)
    groups: dict[str, str] = {}
    for row in rows:
        name, label = row[place], row[value].strip()
        if groups.setdefault(name, label) != label:
            raise InputError(
                f"{what} {name!r} is in two groups, {groups[name]!r} and {label!r}.",
                where=path,
                fix="each belongs to one group; check the column.",
            )
    return {name: label for name, label in groups.items() if name in known and label}


def _table(path: str) -> tuple[list[str], list[list[str]]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot be read: {reason}.", where=path, fix="give a CSV or TSV file.") from None
    first = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first else ";" if ";" in first and "," not in first else ","
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(cell.strip() for cell in row)]
    if len(rows) < 2 or len(rows[0]) < 2:
        raise InputError("holds no table of systems and groups.", where=path, fix="give the columns system and group.")
    short = next((number for number, row in enumerate(rows[1:], start=2) if len(row) != len(rows[0])), None)
    if short is not None:
        raise InputError(
            f"line {short} has {len(rows[short - 1])} cells, the heading {len(rows[0])}.",
            where=path,
            fix="give every line as many cells as the heading.",
        )
    return [cell.strip() for cell in rows[0]], [[cell.strip() for cell in row] for row in rows[1:]]


def _group_column(header: list[str], systems: str, column: str | None, path: str) -> str:
    others = [name for name in header if name != systems]
    if column is not None:
        if column not in others:
            raise unknown("column", column, others, where=path)
        return column
    named = [name for name in others if name.casefold() in _GROUP_COLUMNS]
    if not named and len(others) == 1:
        return others[0]
    if len(named) != 1:
        raise InputError(
            f"which column holds the groups? There are {listing(others)}.",
            where=path,
            fix="name it: --group-column NAME (--domain-column for domains).",
        )
    return named[0]


def label_pairs(
    systems: Sequence[str], better: IntArray, worse: IntArray, groups: Mapping[str, str] | None, special: Sequence[str]
) -> tuple[str, ...]:
    """Label every pair: same group, different groups, or other (a system without a group).

    Groups named in `special` (system combinations in the paper's Figure 4) are apart: pairs inside one carry its name,
    and pairs of one of its systems with any other are "other".
    """
    if groups is None:
        if special:
            raise InputError("special groups were named, and no groups.", fix="say which system is in which group.")
        return (ALL,) * better.size
    strange = [name for name in groups if name not in systems]
    if strange:
        raise InputError(
            f"there is no system {strange[0]!r}.",
            fix=f"{did_you_mean(strange[0], systems)}check the names in the groups.",
        )
    for name in special:
        if name not in groups.values():
            raise unknown("group", name, sorted(set(groups.values())))
    of = [groups.get(name, "") for name in systems]
    apart = set(special)

    def label(i: int, j: int) -> str:
        if not of[i] or not of[j]:
            return OTHER
        if of[i] in apart or of[j] in apart:
            return of[i] if of[i] == of[j] else OTHER
        return SAME if of[i] == of[j] else DIFFERENT

    return tuple(label(i, j) for i, j in zip(better.tolist(), worse.tolist(), strict=True))


def label_order(labels: Sequence[str]) -> tuple[str, ...]:
    """Give the labels that occur in a fixed order: same, special ones, different, other."""
    found = set(labels)
    named = sorted(found - {ALL, SAME, DIFFERENT, OTHER})
    return tuple(label for label in (ALL, SAME, *named, DIFFERENT, OTHER) if label in found)


def mask(labels: Sequence[str], label: str) -> np.ndarray:
    """Which comparisons carry the label."""
    return np.array([one == label for one in labels], dtype=bool)
