"""nofluke rank on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from support.command_line import nofluke


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    values = np.round(rng.normal(0, 1, (60, 1)) + 0.25 * np.arange(5) + rng.normal(0, 0.7, (60, 5)), 2)
    path = tmp_path / "scores.csv"
    lines = [f"i{i}," + ",".join(map(str, row)) for i, row in enumerate(values)]
    path.write_text("item,s0,s1,s2,s3,s4\n" + "\n".join(lines) + "\n")
    return path


def test_text_says_who_could_be_the_best(table: Path) -> None:
    run = nofluke("rank", str(table))
    assert run.code == 0
    assert "s4 is the best of 5 systems" in run.out
    assert "scores.csv: 60 items, 5 systems\n" in run.err
    for column in ("rank ", "system", "95% CI", "beats", "group"):
        assert column in run.out
    whole = nofluke("rank", str(table), "--details")
    for column in ("system", "95% CI", "ranks", "better than", "group"):
        assert column in whole.out


def test_the_paper_s_heat_map_is_one_command(table: Path) -> None:
    options = "--unit 5 --method wilcoxon --mode normal --adjust bonferroni --alternative greater --family pairs"
    run = nofluke("rank", str(table), *options.split(), "--format", "json", "-q")
    result = json.loads(run.out)
    assert (run.code, run.err) == (0, "")
    assert (result["n"], result["claims"], result["unit_size"]) == (12, 10, 5)
    assert "unit:5:mean" in result["signature"]


def test_csv_is_the_leaderboard(table: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(nofluke("rank", str(table), "--format", "csv", "-q").out)))
    assert [row["system"] for row in rows] == ["s4", "s2", "s3", "s1", "s0"]
    assert (rows[0]["rank_low"], rows[0]["rank_high"]) == ("1", "1")
    assert float(rows[0]["score"]) > float(rows[1]["score"])


@pytest.mark.parametrize("format", ["markdown", "latex", "bibtex"])
def test_other_formats(table: Path, format: str) -> None:
    run = nofluke("rank", str(table), "--format", format, "-q")
    assert run.code == 0
    assert ("Holm" if format != "bibtex" else "holm1979") in run.out


def test_baseline_max_t_and_seed(table: Path) -> None:
    run = nofluke(
        "rank", str(table), "--baseline", "s1", "--adjust", "max_t", "--n-resamples", "999", "--seed", "3", "-q"
    )
    assert run.code == 0
    assert "than s1" in run.out
    assert run.out.count("\n") == 1
    whole = nofluke(
        "rank", str(table), "--baseline", "s1", "--adjust", "max_t", "--n-resamples", "999", "--seed", "3", "--details"
    )
    assert "999 draws, seed 3" in " ".join(whole.out.split())


def test_outputs_are_scored_first(tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("\n".join("ab"[i % 2] for i in range(60)) + "\n")
    rng = np.random.default_rng(1)
    for name, accuracy in (("good", 0.95), ("fair", 0.7), ("poor", 0.4)):
        right = rng.random(60) < accuracy
        lines = ["ab"[i % 2] if ok else "c" for i, ok in enumerate(right)]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / f"{name}.txt") for name in ("good", "fair", "poor")]
    run = nofluke("rank", *files, "--gold", str(gold), "--metric", "accuracy", "-q")
    assert run.code == 0
    assert "good is the best of 3 systems" in run.out
    whole = nofluke("rank", *files, "--gold", str(gold), "--metric", "accuracy", "--details")
    assert "Cochran's Q" in whole.out


@pytest.mark.parametrize("command", ["rank", "test"])
def test_unpaired_tests_refuse_clusters(tmp_path: Path, command: str) -> None:
    path = tmp_path / "clustered.csv"
    path.write_text("item,cluster,A,B\n" + "".join(f"i{i},c{i // 3},{i % 5},{i % 4}\n" for i in range(12)))
    run = nofluke(command, str(path), "--method", "welch_t")
    assert run.code == 2
    assert "come in clusters" in run.err
    assert "--no-clusters" in run.err
    assert nofluke(command, str(path), "--method", "welch_t", "--no-clusters").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--a", "s1"], "use nofluke compare"),
        (["--adjust", "hommel"], "share systems"),
        (["--adjust", "holmm"], "did you mean 'holm'"),
        (["--alternative", "greater"], "--family pairs"),
        (["--method", "permutation", "--monte-carlo", "50"], "draw at least"),
    ],
)
def test_refusals(table: Path, arguments: list[str], words: str) -> None:
    run = nofluke("rank", str(table), *arguments)
    assert run.code == 2
    assert words in run.err
    assert "fix:" in run.err


def test_some_systems_only(table: Path) -> None:
    run = nofluke("rank", str(table), "--systems", "s3,s0", "--systems", "s1", "--format", "json", "-q")
    assert set(json.loads(run.out)["systems"]) == {"s0", "s1", "s3"}
    unknown = nofluke("rank", str(table), "--systems", "s3,s9")
    assert (unknown.code, "there is no system 's9'" in unknown.err) == (2, True)
    assert nofluke("rank", str(table), "--systems", "s3").code == 2


def test_the_table_of_pairs_is_there_at_any_size(table: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    assert nofluke("rank", str(table), "--pairs", str(file), "-q").code == 0
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert len(rows) == 10
    result = json.loads(nofluke("rank", str(table), "--format", "json", "-q").out)
    for row in rows:
        first, second = (result["systems"].index(row[name]) for name in ("first", "second"))
        assert float(row["p_value"]) == result["p_values"][first][second]
        assert float(row["difference"]) == result["differences"][first][second]
        assert (row["verdict"] == "better") == result["better"][first][second]


def test_a_large_ranking_says_where_its_pairs_are() -> None:
    examples = Path(__file__).parents[2] / "docs" / "examples"
    run = nofluke("rank", str(examples / "shared-task.csv"), "--details")
    assert "The table of all 276 pairs: nofluke rank ... --pairs pairs.csv" in " ".join(run.out.split())


def test_rows_of_systems_say_where_the_pairs_are(table: Path, tmp_path: Path) -> None:
    file, where = str(tmp_path / "systems.csv"), "The table of all 10 pairs: nofluke rank ... --pairs pairs.csv."
    assert where in " ".join(nofluke("rank", str(table), "-o", file).err.split())
    run = nofluke("rank", str(table), "--format", "csv")
    assert "pairs" not in run.out
    assert where in run.err
    for silent in (["-q"], ["--pairs", str(tmp_path / "pairs.csv")], ["--systems", "s0,s1"]):
        assert "The table of all" not in nofluke("rank", str(table), "-o", file, *silent).err


@pytest.fixture
def gaps(table: Path) -> Path:
    """The same table with a score of one system missing here and there."""
    lines = table.read_text().splitlines()
    for place in range(1, len(lines), 4):
        cells = lines[place].split(",")
        cells[1 + place % 5] = ""
        lines[place] = ",".join(cells)
    path = table.with_name("gaps.csv")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_each_pair_on_the_items_that_both_have(gaps: Path) -> None:
    assert nofluke("rank", str(gaps)).code == 2
    run = nofluke("rank", str(gaps), "--missing", "pairwise", "--format", "json", "-q")
    result = json.loads(run.out)
    assert "missing:pairwise" in result["signature"]
    (note,) = [note for note in result["notes"] if note["code"] == "rank.items_of_pairs"]
    assert note["facts"] == {"common": 45, "high": 54, "items": 60, "low": 54, "median": 54}
    for i, first in enumerate(result["systems"]):
        for j, second in enumerate(result["systems"][i + 1 :], i + 1):
            options = ["--a", first, "--b", second, "--missing", "drop", "--alternative", "greater"]
            alone = json.loads(nofluke("test", str(gaps), *options, "--format", "json", "-q").out)
            assert result["p_values"][i][j] == pytest.approx(alone["p_value"], rel=1e-9)
            assert result["differences"][i][j] == pytest.approx(alone["estimate"], rel=1e-9)


@pytest.mark.parametrize("more", [["--adjust", "max_t"], ["--method", "welch_t"]])
def test_what_needs_the_same_items_refuses_pairs_of_their_own(gaps: Path, more: list[str]) -> None:
    run = nofluke("rank", str(gaps), "--missing", "pairwise", *more)
    assert run.code == 2
    assert "pairwise" in run.err
