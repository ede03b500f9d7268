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
    assert run.out.splitlines()[0].startswith("A     ")
    assert "signature: BLEU|" in run.out
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
        (["score", "good.txt", "good.txt", "--metric", "bleu", "--gold", "ref.txt"], "two systems are called 'good.txt'"),
        (["score", "good.txt", "--metric", "bleu", "--gold", "ref.txt", "--format", "docx"], "there is no format"),
    ],
)
def test_bad_requests_are_told(arguments: list[str], told: str, folder: Path) -> None:
    run = nofluke(*arguments, cwd=folder)
    assert run.code == 2
    assert told in run.err
    assert "Traceback" not in run.err
