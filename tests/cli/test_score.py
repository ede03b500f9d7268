"""Outputs and gold on the command line: score them, and compare them directly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nofluke as nf
from support.command_line import nofluke

GOLD = ["the cat sat on the mat", "a dog barked at night", "birds sing in the morning", "it rains today"] * 15
GOOD = ["the cat sat on the mat", "a dog barked at night", "birds sing in a morning", "it rains now"] * 15
POOR = ["the cat is on a mat", "dog barks at night", "birds sing in a morning", "rain now"] * 15


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in (("ref.txt", GOLD), ("good.txt", GOOD), ("poor.txt", POOR), ("short.txt", GOOD[:5])):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_scores_of_systems(folder: Path) -> None:
    run = nofluke("score", "A=good.txt", "poor.txt", "--metric", "bleu", "--gold", "ref.txt", cwd=folder)
    assert run.code == 0
    assert run.out.splitlines()[0] == "A scores highest by bleu: 78.0888 (60 items)."
    assert run.out.splitlines()[2].startswith("  A     ")
    assert "Metric  BLEU|" in run.out
    answer = nofluke(
        "score", "A=good.txt", "poor.txt", "--metric", "wer", "--gold", "ref.txt", "--format", "json", cwd=folder
    )
    assert json.loads(answer.out)["scores"]["A"] < json.loads(answer.out)["scores"]["poor"]


def test_compare_takes_outputs(folder: Path) -> None:
    typed = ["compare", "A=good.txt", "B=poor.txt", "--metric", "wer", "--gold", "ref.txt", "--format", "json"]
    answer = json.loads(nofluke(*typed, cwd=folder).out)
    assert answer["verdict"] == "better"
    assert answer["higher_is_better"] is False
    library = nf.compare(nf.score("wer", {"A": GOOD, "B": POOR}, GOLD).pair("A", "B"))
    assert answer["test"]["p_value"] == library.test.p_value
    assert answer["scores"] == list(library.scores)


def test_metric_options_and_units(folder: Path) -> None:
    typed = ["score", "A=good.txt", "--metric", "rouge_1", "--gold", "ref.txt", "--metric-option", "stem=true"]
    assert "stem" in nofluke(*typed, cwd=folder).out
    unit = [
        "compare",
        "A=good.txt",
        "B=poor.txt",
        "--metric",
        "bleu",
        "--gold",
        "ref.txt",
        "--unit",
        "4",
        "--format",
        "json",
    ]
    answer = json.loads(nofluke(*unit, cwd=folder).out)
    assert answer["n"] == 15
    assert answer["scores"] == pytest.approx(
        list(nf.compare(nf.score("bleu", {"A": GOOD, "B": POOR}, GOLD).pair()).scores)
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["compare", "A=good.txt", "B=poor.txt", "--gold", "ref.txt"], "scored against --gold by a metric"),
        (["score", "short.txt", "--metric", "bleu", "--gold", "ref.txt"], "short.txt"),
        (["score", "good.txt", "--metric", "blue", "--gold", "ref.txt"], "did you mean 'bleu'?"),
        (["score", "good.txt", "--metric", "bleu", "--gold", "no.txt"], "no.txt"),
        (["score", "good.txt", "--metric", "bleu", "--gold", "ref.txt", "--metric-option", "x"], "is not NAME=VALUE"),
        (["score", "good.txt", "--metric", "bleu", "--gold", "ref.txt", "--metric-option", "x=1"], "has no option 'x'"),
        (
            ["score", "good.txt", "good.txt", "--metric", "bleu", "--gold", "ref.txt"],
            "two systems are called 'good.txt'",
        ),
        (["score", "good.txt", "--metric", "bleu", "--gold", "ref.txt", "--format", "docx"], "there is no format"),
        (["score", "=good.txt", "--metric", "bleu", "--gold", "ref.txt"], "'=good.txt' names no system before the ="),
        (["compare", "=good.txt", "poor.txt"], "'=good.txt' names no system before the ="),
        (["score", "good.txt", "--metric", "wer", "--gold", "ref.txt", "--gold", "good.txt"], "takes one gold file"),
        (["score", "A=-", "--metric", "bleu", "--gold", "-"], "standard input (-) was given more than once"),
    ],
)
def test_bad_requests_are_told(arguments: list[str], told: str, folder: Path) -> None:
    run = nofluke(*arguments, cwd=folder)
    assert run.code == 2
    assert told in run.err
    assert "Traceback" not in run.err


def test_outputs_or_gold_from_standard_input(folder: Path) -> None:
    asked = ["--metric", "bleu", "--format", "json"]
    wanted = json.loads(nofluke("score", "A=good.txt", "--gold", "ref.txt", *asked, cwd=folder).out)["scores"]
    for typed, piped in ((["A=-", "--gold", "ref.txt"], "good.txt"), (["A=good.txt", "--gold", "-"], "ref.txt")):
        run = nofluke("score", *typed, *asked, cwd=folder, stdin=(folder / piped).read_bytes())
        assert run.code == 0, run.err
        assert json.loads(run.out)["scores"] == wanted
    several = ["score", "A=good.txt", "--gold", "ref.txt", "--gold", "-", *asked]
    run = nofluke(*several, cwd=folder, stdin=(folder / "good.txt").read_bytes())
    assert json.loads(run.out)["scores"] == {"A": pytest.approx(100.0)}
    table = nofluke("score", "A=-", "--formula", "tp/all", "--format", "json", cwd=folder, stdin=b"tp,all\n1,2\n0,2\n")
    assert json.loads(table.out)["scores"] == {"A": 0.25}


def test_a_long_name_is_a_name(folder: Path) -> None:
    name = "x" * 300
    typed = ["score", f"{name}=good.txt", "--metric", "bleu", "--gold", "ref.txt", "--format", "json"]
    run = nofluke(*typed, cwd=folder)
    assert run.code == 0, run.err
    assert list(json.loads(run.out)["scores"]) == [name]


def test_a_wide_file_of_predictions(folder: Path) -> None:
    (folder / "all.csv").write_text("item,gold,cnn,lstm\n1,p,p,n\n2,n,n,n\n3,n,p,p\n")
    typed = ["cnn=all.csv", "lstm=all.csv", "--metric", "accuracy", "--gold", "all.csv"]
    run = nofluke("score", *typed, cwd=folder)
    assert run.out.splitlines()[2:4] == ["  cnn   0.6667", "  lstm  0.3333"]
    assert "all.csv: 3 items, 2 systems (gold = gold, output = cnn, lstm)\n" in run.err


def test_items_without_an_output_are_dropped_when_asked(folder: Path) -> None:
    (folder / "gold.csv").write_text("item,gold\n1,p\n2,n\n3,n\n")
    (folder / "a.csv").write_text("item,prediction\n3,n\n1,p\n")
    (folder / "b.csv").write_text("item,prediction\n1,n\n2,n\n3,n\n")
    typed = ["score", "a.csv", "b.csv", "--metric", "accuracy", "--gold", "gold.csv"]
    refused = nofluke(*typed, cwd=folder)
    assert refused.code == 2
    assert "of 3 items 1 has no score for 'a' (for example 2)" in refused.err
    dropped = nofluke(*typed, "--missing", "drop", cwd=folder)
    assert dropped.out.splitlines()[2:4] == ["  a  1.0000", "  b  0.5000"]
    assert "1 left out (1 without a score for a)" in " ".join(dropped.out.split())


def test_scores_of_single_items_are_a_table_that_compare_takes(tmp_path: Path) -> None:
    table = tmp_path / "outputs.csv"
    rows = "".join(f"i{i},{i % 2},{i % 3 % 2},{i % 5 % 2}\n" for i in range(60))
    table.write_text("item,gold,new,old\n" + rows)
    items = tmp_path / "items.csv"
    assert nofluke("score", str(table), "--metric", "accuracy", "--items", str(items), "-q").code == 0
    direct, again = (
        json.loads(nofluke("compare", *words, "--format", "json", "-q").out)
        for words in ((str(table), "--metric", "accuracy"), (str(items),))
    )
    for figure in ("scores", "systems", "n", "verdict"):
        assert direct[figure] == again[figure]
    assert direct["test"]["p_value"] == again["test"]["p_value"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--columns", "run=item", "--columns", "run=gold"], "--columns names two columns as run"),
        (["--metric-option", "x=1", "--metric-option", "x=2"], "--metric-option x is given twice"),
    ],
)
def test_a_second_value_is_refused(tmp_path: Path, given: list[str], said: str) -> None:
    table = tmp_path / "outputs.csv"
    table.write_text("item,gold,new,old\n" + "".join(f"i{i},{i % 2},{i % 3 % 2},0\n" for i in range(9)))
    run = nofluke("score", str(table), "--metric", "accuracy", *given)
    assert (run.code, said in run.err) == (2, True)


def test_an_interval_that_leaves_the_shares_is_said_to(tmp_path: Path) -> None:
    rows = [f"q{at},{at // 2},{1.0 if at > 1 else 0.25}" for at in range(12)]
    (tmp_path / "s.csv").write_text("item,cluster,model\n" + "\n".join(rows) + "\n")
    told = nofluke("score", "s.csv", "--interval", "--columns", "cluster=cluster", cwd=tmp_path).out
    assert "if scores end at 1, so does the interval" in " ".join(told.split())
