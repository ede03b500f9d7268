"""nofluke gate: exit codes, files, comments that are inert, tests that CI systems show, looks that are recorded."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import nofluke as nf
from nofluke.registry import FORMATS
from nofluke.reports.gate_comment import MOST_CHARACTERS, as_comment
from nofluke.types import Coverage, Flip, Gate, GateRow, note
from support.command_line import Run, nofluke
from support.gates import answers, written
from support.logs import inspect, lm_eval, sample
from support.snapshots import check_snapshot

TASKS = {"arc": (200, 30, 8), "gsm8k": (120, 9, 7), "boolq": (150, 4, 6)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gate")
    made = {task: answers(*size) for task, size in TASKS.items()}
    written(path / "base.csv", {task: pair[0] for task, pair in made.items()})
    written(path / "worse.csv", {task: pair[1] for task, pair in made.items()})
    written(path / "same.csv", {task: pair[0] for task, pair in made.items()})
    written(path / "fine.csv", {task: (pair[0] if task == "arc" else pair[1]) for task, pair in made.items()})
    written(path / "half.csv", {task: pair[1][: len(pair[1]) // 2] for task, pair in made.items()})
    return path


def gate(folder: Path, candidate: str, *more: str) -> Run:
    return nofluke("gate", "--baseline", "base.csv", "--candidate", candidate, *more, cwd=folder)


@pytest.mark.parametrize(
    ("name", "candidate", "more", "code"),
    [
        ("passed", "fine.csv", (), 0),
        ("worse", "worse.csv", (), 3),
        ("average", "fine.csv", ("--require", "not-worse", "--margin", "average=0.03"), 0),
        ("not shown", "fine.csv", ("--require", "not-worse", "--margin", "0.03"), 3),
        ("blind", "fine.csv", ("--must-catch", "0.05"), 3),
        ("identical", "same.csv", (), 0),
        ("one task", "worse.csv", ("--tasks", "ar*"), 3),
        ("half", "half.csv", (), 2),
        ("missing", "nowhere.csv", (), 2),
    ],
)
def test_every_outcome_has_its_words_and_its_exit_code(
    name: str, candidate: str, more: tuple[str, ...], code: int, folder: Path
) -> None:
    run = gate(folder, candidate, *more)
    assert run.code == code
    check_snapshot(f"gate/{name}", run.out + run.err)
    assert all(len(line) <= 80 for line in run.out.splitlines())


def test_all_and_the_least_and_endings_of_no_answer_are_refused(folder: Path) -> None:
    run = gate(folder, "fine.csv", "--details", "-q")
    assert (run.code, run.out) == (2, "")
    assert "--details says all, and --quiet the least." in run.err
    run = gate(folder, "fine.csv", "-o", "gate.pdf")
    assert (run.code, run.out) == (2, "")
    assert "gate.pdf: no answer is written as .pdf." in " ".join(run.err.split())
    assert not (folder / "gate.pdf").exists()
    assert gate(folder, "fine.csv", "--format", "html").out.startswith("<!doctype html>")


def test_files_are_written_by_their_endings(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary_1"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    files = [str(tmp_path / name) for name in ("c.md", "g.json", "j.xml", "t.txt")]
    targets = [word for file in (*files, str(summary)) for word in ("-o", file)]
    run = gate(folder, "worse.csv", "--format", "markdown", *targets)
    assert run.code == 3
    assert run.out.startswith("Failed: the candidate is worse on 1 of 3 tasks: arc -0.110.")
    comment, data, xml, text = (Path(file).read_text() for file in files)
    assert comment.startswith("<!-- nofluke:gate -->\n> [!CAUTION]\n> **Failed:")
    assert summary.read_text() == "before\n" + comment
    assert text.startswith("Failed:")
    again = nf.load(Path(files[1]))
    assert isinstance(again, Gate)
    assert again.outcome == json.loads(data)["outcome"] == "worse"
    assert json.loads(data)["schema"] == 2
    assert [flip["item"] for flip in json.loads(data)["flips"]]
    suite = ElementTree.fromstring(xml).find("testsuite")
    assert suite is not None
    assert {case.get("name"): [child.tag for child in case] for case in suite} == {
        "arc accuracy": ["failure"],
        "gsm8k accuracy": ["properties"],
        "boolq accuracy": ["properties"],
    }
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")


def test_a_gate_that_cannot_judge_says_so_in_every_file(folder: Path, tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("c.md", "g.json", "j.xml")]
    run = gate(folder, "half.csv", "--name", "nightly", *(word for file in files for word in ("-o", file)))
    assert run.code == 2
    assert run.out == ""
    comment, data, xml = (Path(file).read_text() for file in files)
    assert comment.startswith("<!-- nofluke:nightly -->\n> [!CAUTION]\n> **The gate could not judge.**")
    assert "100 of the baseline's 200 items on arc cannot be judged" in comment
    assert json.loads(data)["ok"] is False
    case = ElementTree.fromstring(xml).find("testsuite/testcase/error")
    assert case is not None
    assert "--max-errors" in str(case.text)
    assert gate(folder, "half.csv", "--format", "markdown").out.startswith("<!-- nofluke:gate -->")
    assert json.loads(gate(folder, "half.csv", "--format", "json").out)["ok"] is False


def test_blind_is_an_error_for_ci(folder: Path) -> None:
    xml = gate(folder, "fine.csv", "--must-catch", "0.05", "--format", "junit").out
    suite = ElementTree.fromstring(xml).find("testsuite")
    assert suite is not None
    assert (suite.get("failures"), suite.get("errors")) == ("0", "2")


def test_a_file_of_options_says_the_same(folder: Path, tmp_path: Path) -> None:
    typed = (
        "--require",
        "not-worse",
        "--margin",
        "0.2",
        "--margin",
        "arc=0.25",
        "--tasks",
        "arc,gsm8k",
        "--alpha",
        "0.1",
    )
    saved = str(tmp_path / "gate.toml")
    first = gate(folder, "worse.csv", *typed, "--save-config", saved)
    again = nofluke("gate", "--config", saved, cwd=folder)
    assert (again.code, again.out) == (first.code, first.out)
    by_hand = 'baseline = "base.csv"\ncandidate = ["worse.csv"]\nrequire = "not-worse"\nmargin = ["0.2", "arc=0.25"]\n'
    Path(saved).write_text(by_hand + 'tasks = "arc,gsm8k"\nalpha = 0.1\n')
    assert nofluke("gate", "--config", saved, cwd=folder).out == first.out
    Path(saved).write_text('baselin = "base.csv"\n')
    wrong = nofluke("gate", "--config", saved, cwd=folder)
    assert wrong.code == 2
    assert "did you mean 'baseline'?" in wrong.err


def test_a_second_look_is_told(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "looks.jsonl"
    monkeypatch.setenv("GITHUB_SHA", "abc123")
    assert "look" not in gate(folder, "worse.csv", "--record", str(record)).out
    second = gate(folder, "fine.csv", "--record", str(record))
    assert "This is look 2 at commit abc123; only the first (worse) is at 5%." in " ".join(second.out.split())
    monkeypatch.setenv("GITHUB_SHA", "def456")
    assert "look" not in gate(folder, "fine.csv", "--record", str(record)).out
    monkeypatch.delenv("GITHUB_SHA")
    assert "look" not in gate(folder, "same.csv", "--record", str(record)).out
    assert "look 2 at this candidate" in gate(folder, "same.csv", "--record", str(record)).out
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["outcome"] for line in lines] == ["worse", "passed", "passed", "passed", "passed"]
    assert {"time", "commit", "signature", "p"} <= set(lines[0])
    record.write_text("no record\n")
    assert gate(folder, "fine.csv", "--record", str(record)).code == 2


def test_runs_against_each_other(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    for name, shift in (("r1", 0.0), ("r2", 0.0), ("r3", 0.3)):
        tasks = {f"t{at}": (rng.random(60) < 0.5 + shift).astype(float) for at in range(8)}
        written(tmp_path / f"{name}.csv", tasks)
    quiet = nofluke("gate", "--self", "r1.csv", "--self", "r2.csv", cwd=tmp_path)
    assert quiet.code == 0
    assert quiet.out.startswith("Nothing found:")
    assert "calibrated" not in quiet.out
    loud = nofluke("gate", "--self", "r1.csv", "--self", "r3.csv", cwd=tmp_path)
    assert loud.code == 3
    assert loud.out.startswith("Alarm:")
    check_snapshot("gate/self", quiet.out + loud.out)
    assert nofluke("gate", "--self", "r1.csv", cwd=tmp_path).code == 2
    both = nofluke("gate", "--self", "r1.csv", "--candidate", "r2.csv", cwd=tmp_path)
    assert "--candidate would change nothing here" in both.err


def test_an_unfinished_run_and_other_prompts_fail_closed(tmp_path: Path) -> None:
    samples = [sample(at, "C" if at % 3 else "I") for at in range(12)]
    inspect(tmp_path / "base.json", samples, model="m")
    inspect(tmp_path / "cut.json", samples, model="m", status="cancelled")
    inspect(tmp_path / "other.json", [{**one, "input": f"other {one['id']}"} for one in samples], model="m")
    cut = nofluke("gate", "--baseline", "base.json", "--candidate", "cut.json", cwd=tmp_path)
    assert cut.code == 2
    assert "a run did not end: candidate on trivia (cancelled)" in cut.err
    other = nofluke("gate", "--baseline", "base.json", "--candidate", "other.json", cwd=tmp_path)
    assert other.code == 2
    assert "do not ask the same" in other.err
    assert nofluke("gate", "--baseline", "base.json", "--candidate", "base.json", cwd=tmp_path).code == 0


def test_a_run_that_wrote_nothing_fails_closed(tmp_path: Path) -> None:
    """What was to be judged is not known then: the other tasks alone could pass."""
    for name in ("base", "new"):
        folder = lm_eval(tmp_path / name, {task: [{"acc": 1.0}] * 20 for task in ("arc", "boolq")}, model=name)
        next(folder.glob("samples_boolq_*")).write_bytes(b"")
    run = nofluke("gate", "--baseline", "base", "--candidate", "new", cwd=tmp_path)
    assert run.code == 2
    assert "a run did not end: base/samples_boolq_" in " ".join(run.err.split())
    assert "(empty)" in run.err


def test_kept_scores_are_a_baseline_for_logs(tmp_path: Path) -> None:
    scores = [{"acc": float(at % 4 > 0)} for at in range(40)]
    lm_eval(tmp_path / "base", {"arc": scores}, model="acme/m")
    lm_eval(tmp_path / "new", {"arc": [{"acc": 1.0 - one["acc"]} for one in scores]}, model="acme/m")
    assert nofluke("read", "base", "-o", "base.parquet", "-q", cwd=tmp_path).code == 0
    by_logs = nofluke("gate", "--baseline", "base", "--candidate", "new", "--format", "json", cwd=tmp_path)
    kept = nofluke("gate", "--baseline", "base.parquet", "--candidate", "new", "--format", "json", cwd=tmp_path)
    assert by_logs.code == kept.code == 3
    first, second = (json.loads(run.out) for run in (by_logs, kept))
    assert first["rows"] == second["rows"]
    assert first["date"] == second["date"] != ""
    assert nofluke("gate", "--baseline", "base", "--candidate", "new", "--candidate", "base", cwd=tmp_path).code == 3


NASTY = "<img src=x onerror=alert(1)>|`code` @everyone #123 [x](http://evil) www.evil.com GH-7 **b** $x$ -->\x1b[2J"


def nasty(tasks: int, name: str = NASTY, outcome: str = "worse") -> Gate:
    rows = tuple(
        GateRow(
            task=f"{name} {at}",
            metric=name,
            n=100,
            scores=(0.8, 0.7),
            difference=-0.1,
            standard_error=0.03,
            interval=None,
            rule="forbid",
            margin=None,
            p_value=0.001,
            adjusted=0.02,
            verdict=outcome,
            method="permutation",
            coverage=Coverage(100, 100),
            caught=0.1,
        )
        for at in range(tasks)
    )
    flips = tuple(Flip(name, name, f"{name}{at}", 1.0, 0.0, -1.0, text=name * 3) for at in range(100))
    facts: dict[str, Any] = {"chance": float("nan"), "must_catch": None, "max_errors": 0.05, "noun": "task"}
    told = (note("logs.differs", what=name, datasets=(name,) * 50),)
    return Gate(
        outcome, rows, (), 0.05, flips=flips, flipped=500, new_tasks=(name,) * 9, other_tasks=(), name=name, notes=told,
        signature=f"nofluke|{name}", **facts,
    )  # fmt: skip


def test_a_comment_is_inert() -> None:
    text = as_comment(nasty(3), command=f"nofluke gate --baseline {NASTY}")
    lines = text.splitlines()
    assert re.fullmatch(r"<!-- nofluke:[\w.-]+ -->", lines[0])
    body = "\n".join(lines[1:])
    tags = set(re.findall(r"<[^>]*>", body))
    assert tags <= {"<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>"}
    assert "`" not in body
    assert not re.search(r"@\w|(?<!&)#\d|http:|www\.|GH-\d", body)
    assert "\x1b" not in text
    # No name makes a cell of its own.
    rows = [line for line in lines if line.startswith("| ")]
    assert {line.count("|") for line in rows[:4]} == {11}


@pytest.mark.parametrize("tasks", [1, 40, 700])
@pytest.mark.parametrize("name", [NASTY, "@" * 500, "long" * 2000, "名" * 300])
def test_a_comment_is_short_enough_whatever_it_holds(tasks: int, name: str) -> None:
    text = as_comment(nasty(tasks, name), command="nofluke gate " + name * 20)
    assert len(text) < MOST_CHARACTERS == 60_000
    assert text.count("<details>") == text.count("</details>")
    assert ("more rows" in text) >= (tasks == 700)


@pytest.mark.parametrize("name", [NASTY, "a\x00b\ufffe", "]]>", "名 & <"])
def test_junit_is_well_formed_whatever_names_there_are(name: str) -> None:
    xml = nf.report(nasty(2, name), "junit")
    cases = ElementTree.fromstring(xml).findall("testsuite/testcase")
    assert len(cases) == 2
    assert all(case.find("failure") is not None for case in cases)


def test_a_stale_baseline_is_told(tmp_path: Path) -> None:
    lm_eval(tmp_path / "base", {"arc": [{"acc": 1.0}] * 20}, model="m")
    run = nofluke("gate", "--baseline", "base", "--candidate", "base", cwd=tmp_path)
    assert "more than 7 days ago: run it again" in " ".join(run.out.split())


def test_all_that_differs_between_the_runs_is_told(tmp_path: Path) -> None:
    for name, shots in (("base", 0), ("new", 5)):
        more = {"versions": {"arc": shots}, "n-shot": {"arc": shots}}
        lm_eval(tmp_path / name, {"arc": [{"acc": float(at % 3 > 0)} for at in range(20)]}, model=name, more=more)
    run = nofluke("gate", "--baseline", "base", "--candidate", "new", cwd=tmp_path)
    said = " ".join(run.out.split())
    assert "version differs on arc" in said
    assert "n-shot differs on arc" in said


def test_texts_are_shown_on_request_alone(tmp_path: Path) -> None:
    samples = [{**sample(at, "C"), "input": f"What is {at}?"} for at in range(12)]
    inspect(tmp_path / "base.json", samples, model="m")
    inspect(tmp_path / "new.json", [{**one, "scores": sample(0, "I")["scores"]} for one in samples], model="m")
    asked = ("gate", "--baseline", "base.json", "--candidate", "new.json", "--format", "markdown")
    assert "What is" not in nofluke(*asked, cwd=tmp_path).out
    assert "What is 3?" in nofluke(*asked, "--show-text", cwd=tmp_path).out
    written(tmp_path / "t.csv", {"a": [1, 0] * 10})
    table = nofluke("gate", "--baseline", "t.csv", "--candidate", "t.csv", "--show-text", cwd=tmp_path)
    assert table.code == 2
    assert "nothing here says what items ask" in table.err
    asking = [one for one in FORMATS if one.facts["asks"]]
    assert len(asking) > 2
    assert all(one.label in table.err for one in asking)


def test_a_page_is_html_whether_judged_or_not(folder: Path) -> None:
    for candidate in ("fine.csv", "half.csv"):
        gate(folder, candidate, "-o", str(folder / "gate.html"))
        assert (folder / "gate.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["GIT_COMMIT", "CIRCLE_SHA1"])
def test_a_second_look_at_a_commit_is_seen_outside_of_github(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in ("GITHUB_SHA", "CI_COMMIT_SHA"):
        monkeypatch.delenv(one, raising=False)
    monkeypatch.setenv(name, "0123456789abcdef")
    record = str(folder / f"{name}.jsonl")
    gate(folder, "fine.csv", "--record", record)
    assert "look 2 at commit 0123456789ab" in gate(folder, "worse.csv", "--record", record).out
