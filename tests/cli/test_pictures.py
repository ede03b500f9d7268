"""--chart: the result is written before anything is drawn, and one picture that fails costs nothing but itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nofluke.charts import picture_files
from nofluke.cli.main import main

SCORES = "item,a,b\n" + "".join(f"{i},{(i * 7) % 10 / 10},{(i * 3) % 10 / 10}\n" for i in range(30))


@pytest.fixture
def scores(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    path.write_text(SCORES)
    return str(path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def test_a_picture_that_fails_loses_neither_the_result_nor_the_others(
    scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, good = tmp_path / "result.json", tmp_path / "good.svg"
    pictures = ["--chart", f"heat_map={tmp_path / 'bad.svg'}", "--chart", f"interval={good}"]
    assert run("compare", scores, "-o", str(result), *pictures) == 2
    assert json.loads(result.read_text())["ok"]
    assert good.read_text().startswith("<svg")
    assert not (tmp_path / "bad.svg").exists()
    told = capsys.readouterr().err
    assert "error: the chart 'heat_map' shows a ranking of systems; this is a comparison of two systems." in told
    assert f"drew {good}" in told


def test_a_picture_that_cannot_be_written_comes_after_the_result(
    scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compare", scores, "--format", "json", "--chart", str(tmp_path / "none" / "x.svg")) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["ok"]
    assert "cannot be written" in told.err


def test_a_chart_that_nobody_knows_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compare", str(tmp_path / "missing.csv"), "--chart", "histogramm=x.svg") == 2
    assert "there is no chart 'histogramm'" in capsys.readouterr().err


def test_letters_that_a_picture_loses_are_told(
    scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_files, "missing_characters", lambda _: "系統")
    pictures = ["--chart", str(tmp_path / "x.png"), "--chart", str(tmp_path / "x.svg")]
    assert run("compare", scores, *pictures) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("drew")]
    assert "no font here has 系, 統, so boxes stand for them (an SVG keeps the names)" in told[0]
    assert told[1] == f"drew {tmp_path / 'x.svg'}"
