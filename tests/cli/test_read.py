"""nofluke read: what was found, in ten lines."""

from __future__ import annotations

import json
import math
from pathlib import Path

from support.command_line import nofluke
from support.logs import inspect, lm_eval, sample


def test_logs_are_told_in_ten_lines(tmp_path: Path) -> None:
    for name in ("a", "b"):
        tasks = {
            "arc": [{"acc": 1.0, "acc_norm": 0.0}, {"acc": math.nan, "acc_norm": 0.0}],
            "boolq": [{"acc": 1.0}] * 3,
        }
        lm_eval(tmp_path / name, tasks, model=f"acme/{name}")
    lm_eval(tmp_path / "a", {"arc": [{"acc": 1.0}]}, model="acme/a", day=2, sizes={"arc": 2})
    run = nofluke("read", str(tmp_path))
    assert run.code == 0
    assert run.out.splitlines() == [
        "lm-evaluation-harness 0.4.13: 2 systems, 2 tasks, 5 items.",
        "",
        "  Systems     acme/a, acme/b.",
        "  Tasks       arc, boolq.",
        "  Metrics     acc (2 tasks), acc_norm (1 task); judged by acc.",
        "  Items       5, 2 to 3 per task.",
        "  Runs        one per item.",
        "  Unscored    1 of acme/a, 1 of acme/b.",
        "  Errors      none.",
        "  Missing     none.",
        "  Superseded  1 log: samples_arc_2026-01-02T10-00-00.000000.jsonl.",
        "  Mismatched  none.",
    ]


def test_facts_in_json(tmp_path: Path) -> None:
    samples = [
        sample(at, "C", epoch, **({"error": {"message": "x"}} if at == 2 else {}))
        for at in range(4)
        for epoch in (1, 2)
    ]
    inspect(tmp_path / "a.json", samples, model="a")
    inspect(tmp_path / "b.json", [{**one, "input": "other"} for one in samples], model="b")
    found = json.loads(nofluke("read", str(tmp_path), "--format", "json").out)
    assert found["not_scored"] == {"a": {"error": 2}, "b": {"error": 2}}
    assert (found["runs"], found["items"], found["systems"]) == (2, 4, ["a", "b"])
    assert found["mismatched"] == {"trivia": [4, 4]}


def test_runs_are_those_of_an_item(tmp_path: Path) -> None:
    lines = [f"q{at},{name},{name}{run},1\n" for at in range(3) for name in "AB" for run in range(2)]
    (tmp_path / "s.csv").write_text("item,system,run,score\n" + "".join(lines))
    assert "Runs     up to 2 per item." in nofluke("read", "s.csv", cwd=tmp_path).out
    for day, name in ((1, "a"), (2, "b")):
        samples = [sample(at, "C", epoch + 10 * day) for at in range(3) for epoch in (1, 2)]
        inspect(tmp_path / "logs" / f"{name}.json", samples, model=name)
    found = nofluke("compare", "logs", cwd=tmp_path)
    assert "2 systems, 1 task, 3 items, 2 runs" in found.err + found.out


def test_csv_holds_numbers(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,A,B\nq1,0.5,0.4\nq2,0.7,\n")
    header, *rows = nofluke("read", "s.csv", "--format", "csv", cwd=tmp_path).out.splitlines()
    assert header == "what,of,number"
    assert "items,,2" in rows
    assert "unscored,B,1" in rows
    assert all(row.rpartition(",")[2].isdigit() for row in rows)


def test_a_table_has_no_more_to_tell_than_it_holds(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,A,B\nq1,0.5,0.4\nq2,0.7,\n")
    run = nofluke("read", "s.csv", cwd=tmp_path)
    assert run.out.splitlines()[0] == "csv: 2 systems, 2 items."
    assert "Unscored  1 of B." in run.out
    assert "Superseded" not in run.out


def test_what_is_missing_is_told_by_system_and_task(tmp_path: Path) -> None:
    whole = {"arc": [{"acc": 1.0}] * 3, "boolq": [{"acc": 0.0}] * 4}
    lm_eval(tmp_path / "a", whole, model="a")
    lm_eval(tmp_path / "b", {**whole, "boolq": whole["boolq"][:3]}, model="b")
    (empty,) = (tmp_path / "b").glob("samples_arc_*")
    empty.write_bytes(b"")
    (tmp_path / "b" / "stderr.txt").write_bytes(b"")  # nobody took this for a log
    run = nofluke("read", str(tmp_path))
    assert "  Missing     b on arc (all 3 items), b on boolq (1 of 4 items)." in run.out.splitlines()
    told = " ".join(run.out.split())
    assert "1 log is empty, and so missing:" in told
    assert "stderr.txt" not in told
    compared = nofluke("compare", str(tmp_path))
    assert compared.code == 2
    assert "1 log is empty" in compared.err
    assert "no score on arc" in compared.err


def test_what_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert nofluke("read", "empty", cwd=tmp_path).code == 2
    assert nofluke("read", "no/*.jsonl", cwd=tmp_path).code == 2
    lm_eval(tmp_path / "logs", {"arc": [{"acc": 1.0}]})
    run = nofluke("read", "logs", "-o", "nowhere/x.parquet", cwd=tmp_path)
    assert run.code == 2
    assert "cannot be written" in run.err
