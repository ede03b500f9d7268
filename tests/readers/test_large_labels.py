"""Labels of large files: numbered in the order of their first rows, whether or not they repeat."""

from __future__ import annotations

import numpy as np
import pytest

from nofluke.readers.sql import TextInSql, connect, literal
from nofluke.readers.table import Place


def column(labels: list[str]) -> TextInSql:
    connection = connect()
    connection.execute("CREATE TEMP TABLE cells (c0 VARCHAR)")
    rows = ", ".join(f"({literal(label)})" for label in labels)
    connection.execute(f"INSERT INTO cells VALUES {rows}")
    return TextInSql(connection, "cells", "c0", "rowid", "item", Place("file", None), len(labels))


@pytest.mark.parametrize(
    "labels",
    [
        [f"q{i}" for i in range(3000)],
        [f"q{i}" for i in range(2999, -1, -1)],
        [f"q{i}" for i in range(3000)] + ["q7"],
        [f"q{i * 7919 % 1000}" for i in range(3000)],
        ["new", "old", "old", "new"],
        ["only"],
    ],
    ids=["each once", "falling", "one twice", "each three times", "two", "one"],
)
def test_labels_are_numbered_by_their_first_row(labels: list[str]) -> None:
    axis = column(labels).labels()
    known = list(dict.fromkeys(labels))
    assert list(axis.labels) == known
    assert axis.codes.tolist() == [known.index(label) for label in labels]


def test_labels_of_one_row_each_are_not_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grouping five million ids takes a gigabyte and seconds."""
    calls: list[int] = []
    grouped = TextInSql._grouped

    def counting(self: TextInSql) -> tuple[list[str], np.ndarray]:
        calls.append(self.rows)
        return grouped(self)

    monkeypatch.setattr(TextInSql, "_grouped", counting)
    assert len(column([f"q{i}" for i in range(5000)]).labels().labels) == 5000
    assert not calls
    assert len(column(["a", "b"] * 500).labels().labels) == 2
    assert calls == [1000]
