"""Tables of comparisons that were made elsewhere: a column of gains and one of p-values."""

from __future__ import annotations

from nofluke.errors import InputError
from nofluke.readers.aliases import normal
from nofluke.readers.delimited import read_delimited
from nofluke.readers.given import given_from
from nofluke.readers.pasted import is_p_name
from nofluke.readers.sniff import header_of
from nofluke.readers.table import Table
from nofluke.types import FloatArray


def read_comparisons(path: str) -> tuple[FloatArray, FloatArray] | None:
    """Read gains and their p-values, or give None where the file holds something else.

    A cell that is empty or no number is refused with its line.
    """
    if path == "-":
        # Standard input can be read once only, and scores are what it may hold.
        return None
    try:
        given = given_from(path)[0]
        header = header_of(given.head())
    except InputError:
        # The reader of scores takes the file, and says what is wrong with it.
        return None
    gain, p = ([name for name in header if is_it(name)] for is_it in (lambda name: normal(name) == "gain", is_p_name))
    if not gain or not p:
        return None
    table = read_delimited(given)
    return _filled(table, gain[0]), _filled(table, p[0])


def _filled(table: Table, name: str) -> FloatArray:
    numbers = table.columns[name].numbers()
    empty = [row for row, value in enumerate(numbers.tolist()) if value != value]
    if empty:
        raise InputError(
            "the cell is empty.", where=table.place.of(empty[0], name), fix="give every comparison gain and p-value."
        )
    return numbers
