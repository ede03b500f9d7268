"""Frames and Parquet files give the same scores as text, with what their types allow."""

from __future__ import annotations

import decimal
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nofluke.errors import InputError
from nofluke.verbs.read import read

COLUMNS = {"item": ["q1", "q2", "q3"], "A": [0.5, 0.25, 1.0], "B": [1, 0, 1], "note": ["x", "y", "y"]}
MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(params=[*MAKERS, "polars lazy", "parquet"])
def source_of(request, tmp_path):
    """Make a frame of any library, or a Parquet file, of columns."""

    def make(columns):
        if request.param == "polars lazy":
            return pl.DataFrame(columns).lazy()
        if request.param == "parquet":
            path = tmp_path / "it's [a] *.parquet"
            pq.write_table(pa.table(columns), path)
            return path
        return MAKERS[request.param](columns)

    return make


def test_wide(source_of):
    scores = read(source_of(COLUMNS))
    assert scores.systems == ("A", "B")
    assert scores.item.labels == ("q1", "q2", "q3")
    assert scores.statistics[:, 0].tolist() == [0.5, 1, 0.25, 0, 1, 1]
    assert scores.digits == 12
    assert scores.lines is None
    assert list(map(str, scores.sources[0].notes)) == ["Columns not used: 'note'."]


def test_long(source_of):
    columns = {
        "qid": [1, 1, 2, 2],
        "model": ["A", "B", "A", "B"],
        "seed": [1.0, 1.0, 2.0, 2.0],
        "correct": [True, False, True, True],
    }
    scores = read(source_of(columns))
    assert scores.item.labels == ("1", "2")
    assert scores.metrics == ("correct",)
    assert scores.run is not None
    assert scores.run.labels == ("1", "2")
    assert scores.statistics[:, 0].tolist() == [1, 0, 1, 1]


def test_missing_values(source_of):
    scores = read(source_of({"item": ["a", "b"], "A": [1.5, None], "B": [None, 2.5]}))
    assert np.isnan(scores.statistics[:, 0]).tolist() == [False, True, True, False]


def test_float32_means_its_own_decimal(source_of):
    scores = read(source_of({"item": ["a", "b"], "A": np.array([0.1, 0.7], np.float32), "B": np.array([0.3, 0.2])}))
    assert scores.statistics[:, 0].tolist() == [0.1, 0.3, 0.7, 0.2]


def test_infinities_are_refused(source_of):
    with pytest.raises(InputError) as caught:
        read(source_of({"item": ["a", "b"], "A": [1.0, math.inf], "B": [1.0, 2.0]}))
    assert caught.value.message == "inf is not a finite number."
    assert caught.value.where.endswith(" row 2, column 'A'")


def test_text_is_not_a_number(source_of):
    with pytest.raises(InputError) as caught:
        read(source_of({"item": ["a", "a"], "system": ["A", "B"], "score": ["0.5", "0.6"]}))
    assert caught.value.message == "'0.5' is text, not a number. 2 of 2 rows are like this."


def test_decimals(source_of):
    values = [decimal.Decimal("0.10"), decimal.Decimal("0.25")]
    scores = read(source_of({"item": ["a", "b"], "A": values, "B": values}))
    assert scores.statistics[:, 0].tolist() == [0.1, 0.1, 0.25, 0.25]


def test_no_rows(source_of):
    with pytest.raises(InputError, match="no rows"):
        read(source_of({"item": pa.array([], pa.string()).to_pylist(), "A": [], "B": []}))


def test_an_empty_label_has_its_row(source_of):
    with pytest.raises(InputError) as caught:
        read(source_of({"item": ["a", None], "A": [1.0, 2.0], "B": [1.0, 2.0]}))
    assert caught.value.where.endswith(" row 2, column 'item'")


def test_a_pandas_index_with_ids_is_the_item():
    frame = pd.DataFrame({"A": [1.0, 2.0], "B": [2.0, 3.0]}, index=["q1", "q2"])
    assert read(frame).item.labels == ("q1", "q2")
    assert read(frame.rename_axis("segment")).sources[0].mapping["item"] == "segment"


def test_pandas_missing_markers():
    frame = pd.DataFrame(
        {"item": ["a", "b"], "A": pd.array([1, None], "Int64"), "B": pd.array([None, True], "boolean")}
    )
    assert np.isnan(read(frame).statistics[:, 0]).tolist() == [False, True, True, False]


def test_columns_of_the_same_name_are_refused():
    with pytest.raises(InputError, match="own name"):
        read(pd.DataFrame([[1.0, 2.0]], columns=["A", "A"]))


def test_parquet_in_a_folder_that_looks_like_a_partition(tmp_path):
    folder = tmp_path / "model=x"
    folder.mkdir()
    pq.write_table(pa.table({"item": ["a"], "A": [1.0], "B": [2.0]}), folder / "s.parquet")
    assert read(folder / "s.parquet").systems == ("A", "B")


def test_many_rows_keep_their_order(tmp_path):
    n = 200_000
    table = pa.table({"item": [f"q{i % 1000}" for i in range(n)], "run": np.arange(n) // 1000, "A": np.arange(n) * 1.0})
    pq.write_table(table, tmp_path / "s.parquet", row_group_size=10_000)
    scores = read(tmp_path / "s.parquet")
    assert np.array_equal(scores.statistics[:, 0], np.arange(n))
    assert np.array_equal(scores.item.codes, np.arange(n) % 1000)


def test_a_small_text_file_loads_nothing_heavy(tmp_path):
    import subprocess
    import sys

    (tmp_path / "s.csv").write_text("item,A,B\nq1,1,2\n")
    code = (
        "import sys; from nofluke.verbs.read import read; read('s.csv'); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    heavy = {"duckdb", "scipy", "pandas", "polars", "pyarrow", "narwhals", "rich"}
    assert heavy.isdisjoint(run.stdout.split())
    assert "numpy" in run.stdout.split()
