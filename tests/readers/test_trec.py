"""Per-query files: trec_eval's and ir_measures' columns, JSON lines, comparisons, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke

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
        (JSON, "AP"),
        # Without summary rows the names of measures tell the columns; blanks may separate them.
        (TREC_EVAL[: TREC_EVAL.index("runid")], "map"),
        (IR_MEASURES[: IR_MEASURES.index("all")], "AP"),
        ("map 401 0.05\nmap 402 0.25\n", "map"),
        ("401 nDCG(gains={0:0,1:1})@20 0.05\n402 nDCG(gains={0:0,1:1})@20 0.25\n", "nDCG(gains={0:0,1:1})@20"),
        ("AP\t0.15\n401\tAP\t0.0500\n402\tAP\t0.2500\n", "AP"),
    ],
)
def test_both_column_orders(tmp_path: Path, text: str, measure: str) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text)
    scores = nf.read({"A": path, "B": path})
    assert scores.sources[0].format == "trec"
    sample = scores.pair(metric=measure)
    assert sample.ids == ("401", "402")
    assert sample.statistics[:, 0, 0].tolist() == [0.05, 0.25]
    assert sample.higher_is_better


@pytest.mark.parametrize(
    "text",
    [
        "item,A,B\n1,0.5,0.4\n2,0.5,0.3\n",
        "q1 0.5 0.4\nq2 0.5 0.3\n",
        "0.5 0.4 0.3\n0.5 0.3 0.1\n",
        "A\tq1\t0.5\nB\tq1\t0.4\n",
        '{"query_id": 1, "measure": "AP", "value": 0.5, "system": "A"}\n',
        "measure\tquery\tvalue\nmap\t401\t0.5\n",
    ],
)
def test_other_tables_are_not_taken_for_it(tmp_path: Path, text: str) -> None:
    from nofluke.readers.sniff import sniff_format

    assert sniff_format(text.encode()) != "trec"


def test_expected_reciprocal_rank_is_no_error_rate(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text("401\tERR@20\t0.1\n402\tERR@20\t0.2\n")
    scores = nf.read({"A": tmp_path / "run.txt"})
    assert scores.higher_is_better == {"ERR@20": True}


def test_compare_two_runs(tmp_path: Path) -> None:
    for name, gain in (("run1.trec", 0.1), ("run2.trec", 0.0)):
        rows = [f"map                   \t{q}\t{0.2 + gain + 0.01 * (q % 7):.4f}" for q in range(401, 431)]
        rows += [f"P_10                  \t{q}\t0.5000" for q in range(401, 431)]
        (tmp_path / name).write_text("\n".join([*rows, "map\tall\t0.3"]) + "\n")
    run = nofluke("compare", "A=run1.trec", "B=run2.trec", "--metric", "map", "--format", "json", cwd=tmp_path)
    assert run.code == 0, run.err
    answer = json.loads(run.out)
    assert (answer["n"], answer["verdict"], answer["metric"]) == (30, "better", "map")
    several = nofluke("compare", "A=run1.trec", "B=run2.trec", cwd=tmp_path)
    assert several.code == 2
    assert "the scores hold 2 metrics: map, P_10." in several.err


def message(text: str, format: str = "trec") -> str:
    Path("run.txt").write_text(text)
    with pytest.raises(InputError) as caught:
        nf.read({"A": "run.txt"}, format=format)
    return str(caught.value)


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message("map\t401\t0.1\nmap\t401\t0.2\n") == (
        "run.txt line 2: query '401' has a second value of map; the first is in line 1.\n"
        "  fix: give one file per system."
    )
    assert message("map\t401\t0.1\nmap\t402\tx\n").startswith("run.txt line 2, column 'value': 'x' is not a number")
    assert message("map\t401\tnan\n").startswith("run.txt line 1, column 'value': ")
    assert message("map\t401\t0.1\t7\n").startswith(
        "run.txt line 1: 4 columns; measure, query and value were expected."
    )
    assert message("map\tall\t0.1\n").startswith("run.txt: there are only summary rows.")
    assert message("\n").startswith("run.txt: the file is empty.")
    assert message('{"query_id": "1"}\n').startswith(
        "run.txt line 1: this is not an object with query_id, measure and value."
    )
    assert message("x1\ty1\t0.1\n").startswith("run.txt: it is not clear which column holds the measure: x1 or y1.")
