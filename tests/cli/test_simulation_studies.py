"""nofluke study calibration, audit, synthesize, multiplicity and sample-size, as typed."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

from support.command_line import nofluke


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.csv"
    rows = [f"q{i},{(i * 7 % 13) / 10},{(i * 5 % 11) / 10},{(i * 3 % 17) / 10}" for i in range(150)]
    path.write_text("item,new,old,third\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_multiplicity_as_in_the_paper() -> None:
    run = nofluke("study", "multiplicity", "--dependence", "dror", "--repetitions", "300", "--format", "json")
    assert run.code == 0
    study = json.loads(run.out)
    assert study["type"] == "Study"
    assert study["settings"]["datasets"] == 100
    assert study["tables"]["too many claimed"]["printed"][0] == 0.943
    groups = nofluke("study", "multiplicity", "--dependence", "3:0.5,4:0", "--repetitions", "100", "--format", "json")
    assert json.loads(groups.out)["settings"]["datasets"] == 7
    wrong = nofluke("study", "multiplicity", "--dependence", "3:x")
    assert wrong.code == 2
    assert "34:0,33:0.2,33:0.5" in wrong.err


def test_sample_size_of_own_laws() -> None:
    arguments = ("--a", "normal(5,1)", "--b", "normal(0,1)", "--sizes", "30,60", "--iterations", "3")
    run = nofluke("study", "sample-size", *arguments, "--format", "json")
    table = json.loads(run.out)["tables"]["p-values"]
    assert table["items"] == [30, 60]
    assert table["significant"] == [1, 1]
    assert nofluke("study", "sample-size", "--a", "normal(0,1)").code == 2


def test_calibration_of_a_file(board: Path) -> None:
    run = nofluke("study", "calibration", str(board), "--size", "50", "--test-sets", "8", "--format", "json")
    assert run.code == 0
    study = json.loads(run.out)
    assert study["settings"]["test_sets"] == 8
    assert sum(study["tables"]["by p-value"]["comparisons"]) <= 8 * 3
    text = nofluke("study", "calibration", str(board), "--size", "50", "--test-sets", "8")
    assert "comparisons" in text.out
    assert nofluke("study", "calibration", str(board), "--a", "new").code == 2
    assert nofluke("study", "calibration", str(board), "--across").code == 2


def test_audit_of_a_file(board: Path) -> None:
    arguments = ("--a", "new", "--b", "old", "--methods", "permutation, paired_t", "--iterations", "200")
    run = nofluke("study", "audit", str(board), *arguments, "--format", "json")
    assert run.code == 0
    assert json.loads(run.out)["settings"]["methods"] == ["permutation", "paired_t"]


def test_synthesize_a_command_and_use_its_scores(tmp_path: Path) -> None:
    program = tmp_path / "learn.py"
    program.write_text(
        "import sys\n"
        "seen = open(sys.argv[1]).read().split()\n"
        "open(sys.argv[3], 'w').writelines(f'{int(w in seen)}\\n' for w in open(sys.argv[2]).read().split())\n",
        encoding="utf-8",
    )
    (tmp_path / "train").write_text("".join(f"w{i}\n" for i in range(60)), encoding="utf-8")
    (tmp_path / "test").write_text("".join(f"w{i}\n" for i in range(60)), encoding="utf-8")
    line = f'"{sys.executable}" "{program}" {{train}} {{test}} {{output}}'
    scores, groups = tmp_path / "scores.csv", tmp_path / "groups.csv"
    run = nofluke(
        *("study", "synthesize", "--command", f"memory={line}", "--train", str(tmp_path / "train")),
        *("--test", str(tmp_path / "test"), "--systems", "2", "--sizes", "60,30"),
        *("--scores", str(scores), "--groups", str(groups), "--format", "json"),
    )
    assert run.code == 0, run.err
    assert json.loads(run.out)["tables"]["systems"]["systems"] == [2, 2]
    with groups.open(encoding="utf-8") as file:
        assert [row["group"] for row in csv.DictReader(file)] == ["memory"] * 4
    again = nofluke("study", "calibration", str(scores), "--size", "30", "--test-sets", "3", "--format", "json")
    assert json.loads(again.out)["settings"]["systems"] == 4


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--example", "mnist"),
        ("--example", "digits", "--command", "m=x {train} {output}"),
        ("--command", "no name"),
        ("--command", "m=x {train} {output}"),
        ("--example", "digits", "--sizes", "many"),
    ],
)
def test_synthesize_says_what_is_missing(arguments: tuple[str, ...]) -> None:
    run = nofluke("study", "synthesize", *arguments)
    assert run.code == 2
    assert "fix:" in run.err


def test_files_that_cannot_be_written_are_refused_before_training(tmp_path: Path) -> None:
    train, mark = tmp_path / "train.txt", tmp_path / "trained"
    train.write_text("a\nb\n", encoding="utf-8")
    program = f"import pathlib, sys; pathlib.Path({str(mark)!r}).touch()"
    command = f'm="{sys.executable}" -c "{program}" {{train}} {{output}}'
    for option, where in (("--scores", tmp_path / "absent" / "s.csv"), ("--groups", tmp_path)):
        run = nofluke(
            "study", "synthesize", "--command", command, "--train", str(train), "--test", str(train), option, str(where)
        )
        assert run.code == 2
        assert "folder" in run.err
        assert not mark.exists()


def test_synthesized_systems_have_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    train, picture = tmp_path / "train.txt", tmp_path / "systems.svg"
    train.write_text("a\nb\nc\n", encoding="utf-8")
    program = "import sys; open(sys.argv[2], 'w').write('1\\n0\\n1\\n')"
    command = f'm="{sys.executable}" -c "{program}" {{train}} {{output}}'
    run = nofluke(
        "study", "synthesize", "--command", command, "--train", str(train), "--test", str(train), "--sizes", "3,2",
        "--systems", "2", "--details", "--chart", str(picture),
    )  # fmt: skip
    assert run.code == 0, run.err
    assert "4 systems were made from 1 model and tested on 3 items." in run.out
    assert "sizes = 3, 2; metric = score" in " ".join(run.out.split())
    assert picture.read_text(encoding="utf-8").startswith("<svg")
