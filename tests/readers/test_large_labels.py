"""Labels of large files: numbered in the order of their first rows, whether or not they repeat."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from nofluke.readers.sql import TextInSql, connect, literal
from nofluke.readers.table import Place
from nofluke.types.labels import Labels


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


def test_a_look_at_the_first_labels_takes_only_their_blocks_apart() -> None:
    """Five million strings of Python take 300 MB, which a look at a thousand must not cost."""
    names = [f"item {i}" for i in range(300_000)]
    labels = Labels([names])
    tracemalloc.start()
    try:
        for _ in range(3):
            assert labels[:1_500] == tuple(names[:1_500])
            assert labels[299_998:] == tuple(names[299_998:])
            assert labels[9_000:3_000:-2_500] == tuple(names[9_000:3_000:-2_500])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3e6
    assert labels == tuple(names)
