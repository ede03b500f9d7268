"""Which metrics fit a gold standard, by a look at what its file holds: for advice only, never for a choice."""

from __future__ import annotations

from nofluke.errors import InputError
from nofluke.readers.aliases import matches
from nofluke.readers.decode import decode_head
from nofluke.readers.given import opened
from nofluke.readers.outputs import table_of
from nofluke.readers.unscored import metric_for, metrics_of_lines

_LOOKED_AT = 1_000


def fitting_metrics(path: str) -> tuple[str, ...]:
    """Name metrics that fit a file of gold, the most usual one first; none where it cannot be looked at.

    Standard input is not touched: it can be read only once.
    """
    if path == "-":
        return ()
    try:
        given = opened(path)
        lines = [line.rstrip("\r") for line in decode_head(given.head()).split("\n")][:_LOOKED_AT]
        found = metrics_of_lines([line for line in lines if line.strip()])
        if found:
            return found
        table = table_of(given, "auto", "labels", (), "gold")
        gold = matches("gold", list(table.columns)) if table is not None else []
        cells = table.texts(gold[0]) if table is not None and gold else lines
        return (metric_for(cells),)
    except InputError:
        # What is wrong with the file is said when it is read.
        return ()
