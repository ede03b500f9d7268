"""The same again: the call in Python that a page shows gives the result of the page."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.reports.build import build
from nofluke.reports.build.run_source import with_run
from nofluke.reports.provenance import Run, run_from
from nofluke.types import Value
from nofluke.verbs.correct import correct_named
from nofluke.verbs.detectable_effect import detected
from nofluke.verbs.power import planned
from reports.kinds import A, B
from support.command_line import nofluke


def printed_by(result: Value, command: str = "", *files: str) -> str:
    """What the call prints, after the command's files are put in."""
    return printed_by_run(result, Run(command, dict.fromkeys(files, "")))


def printed_by_run(result: Value, run: Run) -> str:
    made = build(result).calls
    calls = with_run(made, run) if run.command else made
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(calls["Python"], {})
    return said.getvalue().rstrip("\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [f"q{at},{a},{b},{b / 2}" for at, (a, b) in enumerate(zip(A, B, strict=True))]
    Path("my scores.csv").write_text("id,new,old,third\n" + "\n".join(rows) + "\n")
    Path("p.csv").write_text("dataset,p\nde,0.001\nfr,0.04\nit,0.3\n")
    Path("labels.csv").write_text("sentence,ann,bob\n" + "".join(f"s{at},{'xy'[at % 2]},x\n" for at in range(8)))
    return tmp_path


def test_files_that_were_read_are_read_again(folder: Path) -> None:
    assert folder.exists()
    ratings = nf.agree(nf.read_ratings("labels.csv"))
    assert printed_by(ratings, "nofluke agree labels.csv", "labels.csv") == str(ratings)
    corrected = correct_named(nf.read_p_values("p.csv"), "bh")
    assert printed_by(corrected, "nofluke correct p.csv --method bh", "p.csv") == str(corrected)
    replicated = nf.replicate(nf.read_p_values("p.csv"))
    assert printed_by(replicated, "nofluke replicate p.csv", "p.csv") == str(replicated)
    ranked = nf.rank(nf.read("my scores.csv", item="id", higher_is_better=False))
    command = "nofluke rank 'my scores.csv' --columns item=id --lower-is-better"
    assert printed_by(ranked, command, "my scores.csv") == str(ranked)


def test_numbers_and_examples_need_no_file() -> None:
    corrected = correct_named([0.01, 0.02, 0.3])
    assert printed_by(corrected, "nofluke correct 0.01 0.02 0.3") == str(corrected)
    replicated = nf.replicate(nf.example("parsing-spacy"))
    assert printed_by(replicated, "nofluke replicate --example parsing-spacy") == str(replicated)


@pytest.mark.parametrize(
    "result",
    [
        detected("paired_t", n=50, sd=0.2),
        planned("mcnemar", n=500, accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1),
        nf.sample_size(difference=0.05, sd=0.2),
        nf.studies.multiplicity(datasets=10, repetitions=50),
        nf.studies.sample_size_study((("normal(0,1)", "normal(0,1)", "paired_t"),), sizes=(30, 60), iterations=3),
    ],
    ids=lambda result: type(result).__name__,
)
def test_plans_and_simulations_print_the_whole_answer(result: Any) -> None:
    assert printed_by(result) == str(result)


def test_a_study_of_a_file_is_called_with_its_settings(folder: Path) -> None:
    assert folder.exists()
    result = nf.studies.gains(nf.read("my scores.csv", item="id"), window=(0.0, 0.5))
    command = "nofluke study gains 'my scores.csv' --columns item=id"
    assert printed_by(result, command, "my scores.csv") == str(result)


def test_a_study_with_a_table_of_groups_has_no_call() -> None:
    groups = {"a": "one", "b": "two", "c": "two"}
    assert build(nf.studies.gains({"a": A, "b": B, "c": B[::-1]}, groups=groups)).calls == {}


def test_outputs_are_scored_again(folder: Path) -> None:
    lines = {"gold.txt": "a b c d\ne f g h\n", "h1.txt": "a b c d\ne f g x\n", "h2.txt": "a x c d\ne f y x\n"}
    for name, text in lines.items():
        (folder / name).write_text(text)
    scores = nf.score("bleu", {"new": "h1.txt", "old": "h2.txt"}, "gold.txt", lowercase=True)
    result = nf.compare(scores.pair("new", "old"))
    command = "nofluke compare new=h1.txt old=h2.txt --gold gold.txt --metric bleu --metric-option lowercase=true"
    assert printed_by(result, command, *lines) == str(result)


OUTPUTS = "id,gold,new,old\n" + "".join(f"q{at},{'xy'[at % 2]},{'xy'[at % 2]},{'xxy'[at % 3]}\n" for at in range(24))


def test_outputs_beside_gold_are_known_as_scored_without_their_file(folder: Path) -> None:
    """The run says that they were scored: the file may be a pipe, or be gone when the page is written."""
    (folder / "o.csv").write_text(OUTPUTS)
    result = nf.compare(nf.score("accuracy", "o.csv").pair("new", "old"))
    made, command = build(result).calls, "nofluke compare o.csv --metric accuracy"
    (folder / "o.csv").rename(folder / "outputs.csv")
    run = run_from(json.loads(json.dumps(Run(command, {"o.csv": ""}, scored=True).to_dict())))
    assert "nf.score('accuracy', 'o.csv')" in with_run(made, run)["Python"]
    assert "nf.read('o.csv')" in with_run(made, Run(command, {"o.csv": ""}))["Python"]
    assert printed_by_run(result, Run("nofluke compare - --metric accuracy", scored=True)) == str(result)


def test_the_command_says_that_a_pipe_was_scored() -> None:
    page = nofluke("compare", "-", "--metric", "accuracy", "--format", "json", stdin=OUTPUTS.encode())
    assert json.loads(page.out)["run"]["scored"] is True
    scores = "id,new,old\n" + "".join(f"q{at},{at % 2},{at % 3}\n" for at in range(24))
    page = nofluke("compare", "-", "--format", "json", stdin=scores.encode())
    assert "scored" not in json.loads(page.out)["run"]


def test_a_pipe_keeps_its_columns_and_its_neighbour() -> None:
    made = build(nf.compare(A, B)).calls
    piped = with_run(made, Run("nofluke compare - --columns item=id"))["Python"]
    assert "nf.read('scores.csv', item='id')" in piped
    beside = with_run(made, Run("nofluke compare new=- old=b.csv", {"b.csv": ""}))["Python"]
    assert "nf.read({'new': 'scores.csv', 'old': 'b.csv'})" in beside


def test_what_python_cannot_say_in_one_call_is_left_out() -> None:
    calls = with_run(build(nf.compare(A, B)).calls, Run("nofluke compare s.csv --formula x/y", {"s.csv": ""}))
    assert list(calls) == ["shell"]


def test_one_of_several_metrics_is_chosen_again(folder: Path) -> None:
    rows = [
        f"q{at},{name},{metric},{value}"
        for metric, scale in (("f1", 1), ("rouge", 2))
        for name, scores in (("new", A), ("old", B))
        for at, value in enumerate(score * scale for score in scores)
    ]
    (folder / "long.csv").write_text("item,system,metric,score\n" + "\n".join(rows) + "\n")
    scores = nf.read("long.csv")
    result = nf.compare(scores.pair("new", "old", metric="rouge"))
    assert printed_by(result, "nofluke compare long.csv --metric rouge", "long.csv") == str(result)
    ranked = nf.rank(scores, metric="rouge")
    assert printed_by(ranked, "nofluke rank long.csv --metric rouge", "long.csv") == str(ranked)
