"""Per-query files: trec_eval's and ir_measures' columns, JSON lines, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nofluke.errors import InputError
from nofluke.metrics.formats.trec import query_columns, query_scores

TREC_EVAL = """\
num_ret               \t401\t1000
map                   \t401\t0.0500
P_10                  \t401\t0.3000
num_ret               \t402\t1000
map                   \t402\t0.2500
P_10                  \t402\t0.1000
runid                 \tall\tsystem-1
num_q                 \tall\t2
map                   \tall\t0.1500
"""
IR_MEASURES = "401\tAP\t0.0500\n402\tAP\t0.2500\n401\tP@10\t0.3\n402\tP@10\t0.1\nall\tAP\t0.1500\n"
JSON = '{"query_id": "401", "measure": "AP", "value": 0.0500}\n{"query_id": "402", "measure": "AP", "value": 0.25}\n'


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        (TREC_EVAL, "map"),
        (IR_MEASURES, "AP"),
        (JSON, None),
        # Without summary rows the names of measures tell the columns; blanks may separate them.
        (TREC_EVAL[: TREC_EVAL.index("runid")], "map"),
        (IR_MEASURES[: IR_MEASURES.index("all")], "AP"),
        ("map 401 0.05\nmap 402 0.25\n", None),
        ("401 nDCG(gains={0:0,1:1})@20 0.05\n402 nDCG(gains={0:0,1:1})@20 0.25\n", None),
        ("AP\t0.15\n401\tAP\t0.0500\n402\tAP\t0.2500\n", None),
    ],
)
def test_both_column_orders(tmp_path: Path, text: str, measure: str | None) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text)
    found = query_scores(path, measure)
    assert found.ids == ("401", "402")
    assert found.values.tolist() == [[0.05], [0.25]]
    assert found.aggregate.linear
    assert found.signature == f"per-query|measure:{found.names[0]}"


def test_columns_keep_decimals_as_written() -> None:
    columns = query_columns(IR_MEASURES.splitlines())
    assert columns == {
        "query": ["401", "402", "401", "402"],
        "measure": ["AP", "AP", "P@10", "P@10"],
        "value": ["0.0500", "0.2500", "0.3", "0.1"],
    }
    assert query_columns(JSON.splitlines())["value"] == ["0.0500", "0.25"]


def message(text: str, **options: Any) -> str:
    Path("run.txt").write_text(text)
    with pytest.raises(InputError) as caught:
        query_scores("run.txt", **options)
    return str(caught.value)


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message(TREC_EVAL) == "run.txt: the file has 3 measures: num_ret, map, P_10.\n  fix: name the measure."
    assert message(TREC_EVAL, measure="mapp") == (
        "run.txt: there is no measure 'mapp'.\n  fix: did you mean 'map'? choose one of: num_ret, map, P_10."
    )
    assert message("map\t401\t0.1\nmap\t401\t0.2\n") == (
        "run.txt line 2: query '401' has a second value of map; the first is in line 1.\n"
        "  fix: give one file per system."
    )
    assert message("map\t401\t0.1\nmap\t402\tx\n").startswith(
        "run.txt line 2: map of query '402' is 'x', which is not a number."
    )
    assert message("map\t401\tnan\n").startswith("run.txt line 1: map of query '401' is 'nan'")
    assert message("map\t401\t0.1\t7\n").startswith(
        "run.txt line 1: 4 columns; measure, query and value were expected."
    )
    assert message("map\tall\t0.1\n").startswith("run.txt: there are only summary rows.")
    assert message("\n").startswith("run.txt: there are no rows.")
    assert message('{"query_id": "1"}\n').startswith(
        "run.txt line 1: this is not an object with query_id, measure and value."
    )
    assert message("x1\ty1\t0.1\n") == (
        "run.txt: it is not clear which column holds the measure: x1 or y1.\n"
        "  fix: say order=measure-query (trec_eval) or order=query-measure (ir_measures)."
    )
    assert query_scores(["x1\ty1\t0.1"], order="query-measure").ids == ("x1",)
    assert query_scores(["x1\ty1\t0.1"], order="measure-query").ids == ("y1",)
