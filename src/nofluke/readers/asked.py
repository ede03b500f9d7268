"""Columns as a user names them, alike in every reader: {role: name}, in any case, or by number; several with commas."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from nofluke.errors import InputError, unknown
from nofluke.readers.aliases import normal
from nofluke.readers.table import Table

# Roles that several columns may have; what is to be ignored has no other role.
SEVERAL = frozenset({"dataset", "score", "ignore", "gold", "output", "annotator"})


def check_roles(columns: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Give the columns that were named, without roles left open; a role that is none is refused."""
    for role in columns:
        if role not in known:
            raise unknown("role of a column", str(role), list(known))
    return {role: wanted for role, wanted in columns.items() if wanted is not None}


def parts_of(wanted: Any, names: Collection[str]) -> list[str]:
    """Give the single names of "task,language"; a column that has this very name, comma and all, stands for itself."""
    if isinstance(wanted, str):
        return [wanted] if wanted in names else [part.strip() for part in wanted.split(",")]
    return [str(one) for one in wanted] if isinstance(wanted, Sequence) else [str(wanted)]


def columns_asked(table: Table, role: str, wanted: Any) -> list[str]:
    """Give the columns of a role that the user names; what the table does not have is refused."""
    names = list(table.columns)
    # Where a role has one column, a comma belongs to its name.
    parts = [wanted] if isinstance(wanted, str) and role not in SEVERAL else parts_of(wanted, names)
    if not parts or (len(parts) > 1 and role not in SEVERAL):
        raise InputError(
            f"{role} is one column, and {len(parts)} were named.", where=table.name, fix=f"name one {role} column."
        )
    return [column_asked(table, part) for part in parts]


def column_asked(table: Table, name: str) -> str:
    """Give the column of a name: as it is written, else whatever its case, else by its number from 1."""
    found = find_column(table, name)
    if found is None:
        raise unknown("column", name, list(table.columns), where=table.name)
    return found


def find_column(table: Table, name: str) -> str | None:
    """Give the column that a name means, or None."""
    if name in table.columns:
        return name
    names = list(table.columns)
    folded = [column for column in names if normal(column) == normal(name)]
    if len(folded) == 1:
        return folded[0]
    return names[int(name) - 1] if name.isdecimal() and 1 <= int(name) <= len(names) else None
