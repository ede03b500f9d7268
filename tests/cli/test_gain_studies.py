"""The commands of the studies of gains: files in, tables out, mistakes explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from nofluke.cli.main import build
from nofluke.errors import InputError
from nofluke.studies.pairs.comparisons import DRAWS, methods
from nofluke.studies.pairs.similarity import USUAL_BINS
from nofluke.studies.pairs.thresholds import PERCENTILE, WINDOW

NAMES = [f"{team}-{number}" for team in ("oak", "elm", "ash") for number in range(4)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    difficulty = rng.normal(size=120)
    scores = {name: 0.05 * place + difficulty + rng.normal(size=120) for place, name in enumerate(NAMES)}
    path = tmp_path / "scores.csv"
    rows = [f"i{item}," + ",".join(f"{scores[name][item]:.2f}" for name in NAMES) for item in range(120)]
    path.write_text("\n".join([",".join(["item", *NAMES]), *rows]) + "\n")
    return path


def run(*arguments: str) -> Any:
    return CliRunner().invoke(build(["study", *arguments]), ["study", *arguments])


def test_gains_with_groups_and_overlay(table: Path, tmp_path: Path) -> None:
    teams = tmp_path / "teams.csv"
    teams.write_text("system,team\n" + "".join(f"{name},{name[:3]}\n" for name in NAMES))
    stored = tmp_path / "study.json"
    assert run("gains", str(table), "-o", str(stored)).exit_code == 0
    result = run(
        "gains", str(table), "--groups", str(teams), "--overlay", f"before={stored}", "--format", "json", "--quiet"
    )
    assert result.exit_code == 0, result.output
    study = json.loads(result.stdout)
    assert study["tables"]["thresholds"]["pairs"] == ["same group", "different groups", "all pairs"]
    assert study["series"]["before"]["columns"]["gain"] == study["series"]["comparisons"]["columns"]["gain"]
    scores = run("gains", str(table), "--overlay", f"again={table}", "--format", "json", "--quiet")
    assert scores.exit_code == 0, scores.output
    again = json.loads(scores.stdout)["series"]["again"]["columns"]
    assert again["p_value"] == study["series"]["comparisons"]["columns"]["p_value"]


def test_overlays_are_called_after_their_files(table: Path, tmp_path: Path) -> None:
    """Dots in names do not make two comparisons one."""
    copies = [tmp_path / f"wmt.{year}.csv" for year in (19, 20)]
    for copy in copies:
        copy.write_bytes(table.read_bytes())
    typed = [word for copy in copies for word in ("--overlay", str(copy))]
    result = run("gains", str(table), *typed, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.output
    assert {"wmt.19", "wmt.20"} <= set(json.loads(result.stdout)["series"])


@pytest.mark.parametrize(
    ("arguments", "first_column"),
    [
        (["similarity", "--bins", "3"], "correlation"),
        (["test-size", "--sizes", "30,60,120", "--take", "random"], "items"),
        (["gains", "--method", "permutation", "--window", "0.03,0.08", "--percentile", "90"], "pairs"),
    ],
)
def test_csv_is_the_main_table(table: Path, arguments: list[str], first_column: str) -> None:
    result = run(arguments[0], str(table), *arguments[1:], "--format", "csv", "--quiet")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0].startswith(first_column)


def test_domain_by_a_table_of_items(table: Path, tmp_path: Path) -> None:
    domains = tmp_path / "domains.tsv"
    domains.write_text(
        "item\tdomain\n" + "".join(f"i{item}\t{'news' if item < 60 else 'web'}\n" for item in range(120))
    )
    result = run("domain", str(table), "--domains", str(domains), "--quiet")
    assert result.exit_code == 0, result.output
    assert "news" in result.stdout
    assert "60 items each" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["gains", "--window", "a,b"], "--window"),
        (["test-size", "--sizes", "x"], "--sizes"),
        (["domain"], "test sets are compared"),
        (["domain", "--dataset", "news"], "--dataset"),
        (["similarity", "--bins", "1"], "bins"),
        (["gains", "--groups", "absent.csv"], "does not exist"),
    ],
)
def test_mistakes_are_explained(table: Path, arguments: list[str], told: str) -> None:
    result = run(arguments[0], str(table), *arguments[1:])
    assert isinstance(result.exception, InputError)
    assert told in str(result.exception)
    assert result.exception.fix


@pytest.mark.parametrize("option", ["--a", "--unit", "--shuffle-seed"])
def test_what_means_nothing_to_many_systems_is_not_offered(table: Path, option: str) -> None:
    for study in ("gains", "similarity", "test-size", "domain", "calibration"):
        result = run(study, str(table), option, "3")
        assert result.exit_code == 2
        assert f"No such option: {option}" in result.output


def test_help_tells_the_defaults_of_the_library() -> None:
    help_text = " ".join(run("gains", "--help").output.replace("│", " ").split())
    assert all(method in help_text for method in methods())
    assert f"[default: {WINDOW[0]:g},{WINDOW[1]:g}]" in help_text
    assert f"[default: {PERCENTILE}]" in help_text
    assert f"[default: {DRAWS}]" in help_text
    assert f"Default: {USUAL_BINS}, or as many as there are pairs" in " ".join(
        run("similarity", "--help").output.split()
    )


def test_a_column_that_is_no_system_is_left_out(table: Path, tmp_path: Path) -> None:
    lines = table.read_text().splitlines()
    wider = tmp_path / "wider.csv"
    cells = [f"{line},{'length,dataset' if row == 0 else f'{row},d{row % 2}'}" for row, line in enumerate(lines)]
    wider.write_text("\n".join(cells) + "\n")
    with_all = run("gains", str(wider), "--quiet")
    assert "make one test set of all by ignoring the column" in str(with_all.exception.fix)
    kept = run("gains", str(wider), "--columns", "ignore=length,dataset", "--format", "json", "--quiet")
    assert kept.exit_code == 0, kept.output
    plain = run("gains", str(table), "--format", "json", "--quiet")
    assert json.loads(kept.stdout)["tables"] == json.loads(plain.stdout)["tables"]
