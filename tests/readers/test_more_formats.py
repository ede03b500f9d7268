"""Square tables of p-values, logs of Inspect, JSON and packed Parquet: what they hold is read, or told."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

SQUARE = ",A,B,C\nA,,0.01,0.2\nB,0.9,,0.03\nC,0.5,0.6,\n"


def refused(call: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value


def test_a_square_table_has_a_p_value_for_each_pair() -> None:
    found = nf.read_p_values(io.StringIO(SQUARE), pairs=True)
    assert dict(zip(found.datasets, found.p_values.tolist(), strict=True)) == {
        "A / B": 0.01,
        "A / C": 0.2,
        "B / A": 0.9,
        "B / C": 0.03,
        "C / A": 0.5,
        "C / B": 0.6,
    }
    symmetric = "x,A,B,C\nA,1,0.01,0.2\nB,0.01,1,0.03\nC,0.2,0.03,1\n"
    found = nf.read_p_values(io.StringIO(symmetric), pairs=True)
    assert dict(zip(found.datasets, found.p_values.tolist(), strict=True)) == {
        "A and B": 0.01,
        "A and C": 0.2,
        "B and C": 0.03,
    }
    upper = ",A,B,C\nA,,0.01,0.2\nB,,,0.03\nC,,,\n"
    found = nf.read_p_values(io.StringIO(upper), pairs=True)
    assert found.datasets == ("A and B", "A and C", "B and C")


def test_pairs_of_systems_are_no_datasets(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text(SQUARE)
    assert "for each pair of systems, and none for datasets" in refused(lambda: nf.read_p_values(path)).message
    run = nofluke("replicate", str(path))
    assert run.code == 2
    assert "nofluke correct FILE" in run.err
    assert nofluke("correct", str(path)).code == 0


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["jsonl", "json", "split", "parquet"])
def test_every_reader_takes_every_table(form: str, packed: bool, tmp_path: Path) -> None:
    def source(rows: list[dict[str, Any]]) -> Path:
        path = tmp_path / "table"
        if form == "parquet":
            (tmp_path / "rows.json").write_text(json.dumps(rows))
            made = tmp_path / "made"
            duckdb.sql(f"COPY (SELECT * FROM read_json('{tmp_path / 'rows.json'}')) TO '{made}' (FORMAT parquet)")
            content = made.read_bytes()
        elif form == "jsonl":
            content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        elif form == "json":
            content = json.dumps(rows).encode()
        else:
            content = json.dumps({"columns": list(rows[0]), "data": [list(row.values()) for row in rows]}).encode()
        path.write_bytes(gzip.compress(content) if packed else content)
        return path

    p = nf.read_p_values(source([{"dataset": "de", "p": 0.01}, {"dataset": "fr", "p": 0.5}]))
    assert (p.datasets, p.p_values.tolist()) == (("de", "fr"), [0.01, 0.5])
    ratings = source([{"q": f"i{i}", "who": who, "said": "xy"[i % 2]} for i in range(4) for who in ("a", "b")])
    found = nf.read_ratings(ratings, columns={"item": "q", "annotator": "who", "label": "said"})
    assert (found.annotators, found.categories, len(found.items)) == (("a", "b"), ("x", "y"), 4)
    scores = nf.read(source([{"q": f"i{i}", "A": i / 10, "B": i / 20} for i in range(4)]), columns={"item": "q"})
    assert (scores.systems, scores.item.labels) == (("A", "B"), ("i0", "i1", "i2", "i3"))
    counts = source([{"q": f"i{i}", "who": who, "hit": i % 2, "all": 1} for i in range(4) for who in "AB"])
    sums = nf.from_statistics(counts, "hit/all", columns={"item": "q", "system": "who"}).pair()
    assert [sums.score(0), sums.score(1)] == [0.5, 0.5]


def test_roles_that_are_none_are_refused_alike() -> None:
    table = "item,A,B\n1,2,3\n"
    for read in (nf.read, nf.read_ratings, lambda source, columns: nf.from_statistics(source, "A/n", columns=columns)):
        error = refused(lambda read=read: read(io.StringIO(table), columns={"itm": "item"}))  # type: ignore[misc]
        assert error.message == "'itm' is not a role of a column here."
        assert "did you mean 'item'?" in error.advice()
    assert "named twice" in refused(lambda: nf.read(io.StringIO(table), item="item", columns={"item": "A"})).message
