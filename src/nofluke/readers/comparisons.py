"""Tables of comparisons that were made elsewhere: a column of gains and one of p-values."""

from __future__ import annotations

from nofluke.errors import InputError
from nofluke.readers.delimited import read_delimited
from nofluke.readers.given import given_from
from nofluke.readers.sniff import sniff_dialect, split_line
from nofluke.readers.table import Table
from nofluke.types import FloatArray

_GAIN, _P = "gain", ("p_value", "p")


def read_comparisons(path: str) -> tuple[FloatArray, FloatArray] | None:
    """Read gains and their p-values, or give None where the file holds something else.

    A cell that is empty or no number is refused with its line.
    """
    if path == "-":
        # Standard input can be read once only, and scores are what it may hold.
        return None
    try:
        given = given_from(path)[0]
        head = given.head()
    except InputError:
        # The reader of scores takes the file, and says what is wrong with it.
        return None
    dialect = sniff_dialect(head)
    first = head.decode("utf-8-sig", errors="replace").lstrip().partition("\n")[0]
    names = {cell.strip().casefold() for cell in split_line(first.rstrip("\r"), dialect.delimiter)}
    if _GAIN not in names or not names & set(_P):
        return None
    table = read_delimited(given)
    column = {name.casefold(): name for name in table.columns}
    p = next(name for name in _P if name in column)
    return _filled(table, column[_GAIN]), _filled(table, column[p])


def _filled(table: Table, name: str) -> FloatArray:
    numbers = table.columns[name].numbers()
    empty = [row for row, value in enumerate(numbers.tolist()) if value != value]
    if empty:
        raise InputError(
            "the cell is empty.", where=table.place.of(empty[0], name), fix="give every comparison gain and p-value."
        )
    return numbers
