"""nofluke replicate and nofluke correct, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from support.command_line import nofluke

TABLE = (
    "Language MIMICK Char→Tag p-value\nKazakh 83.95 83.64 0.0944\nTamil 81.55 84.97 0.0001\nCzech 90.81 90.17 3e-05\n"
)


@pytest.fixture
def right(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    lines = ["task,language,item,new,old"]
    for task, language, gain in (("qa", "de", 0.2), ("qa", "fr", 0.0), ("nli", "de", 0.15)):
        for item in range(1, 201):
            old = rng.uniform() < 0.5
            new = old or rng.uniform() < gain
            lines.append(f"{task},{language},{item},{int(new)},{int(old)}")
    path = tmp_path / "right.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_published_table_is_checked_in_one_line() -> None:
    run = nofluke("replicate", "--example", "pos-tagging")
    assert run.code == 0
    assert "Basque, Tamil, Indonesian" in run.out
    assert run.out.startswith("No count can be claimed")
    assert nofluke("replicate", "-", stdin=TABLE.encode()).out.startswith("No count can be claimed")
    turned = nofluke("replicate", "-", "--sided", "two", stdin=TABLE.encode())
    assert turned.out.startswith("MIMICK is better than Char→Tag on at least 1 of 3 datasets")


def test_scores_of_several_datasets(right: Path) -> None:
    run = nofluke("replicate", str(right), "--columns", "dataset=task,language", "--format", "json")
    assert run.code == 0, run.err
    found = json.loads(run.out)
    assert found["datasets"] == ["qa / de", "qa / fr", "nli / de"]
    assert found["identified"] == ["qa / de", "nli / de"]
    assert found["alternative"] == "two-sided"
    assert "right.csv: 600 items, 2 systems, 3 datasets (dataset = task, language)\n" in run.err
    piped = nofluke(
        "replicate", "-", "--columns", "dataset=task,language", "--format", "json", stdin=right.read_bytes()
    )
    assert json.loads(piped.out)["p_values"] == found["p_values"]


def test_options_reach_the_test(right: Path) -> None:
    run = nofluke(
        *("replicate", str(right), "--columns", "dataset=task,language", "--a", "old", "--b", "new", "-q"),
        *("--alternative", "less", "--method", "sign", "--subset", "qa / de, qa / fr", "--fdr", "--alpha", "0.01"),
        *("--dependence", "positive", "--format", "json"),
    )
    assert run.code == 0, run.err
    found = json.loads(run.out)
    assert (found["systems"], found["alternative"]) == (["old", "new"], "less")
    assert found["subset_count"] == 1
    assert found["tests"][0]["method"] == "sign"
    assert found["method"] == "simes"
    assert found["alpha"] == found["level"] == 0.01
    assert found["fdr"] is True


def test_a_file_for_each_dataset(tmp_path: Path) -> None:
    for name in ("qa", "nli"):
        (tmp_path / f"{name}.csv").write_text(
            "item,new,old\n" + "".join(f"{name}{i},{i % 2},{i % 3 == 0:d}\n" for i in range(30))
        )
    run = nofluke("replicate", "qa.csv", "nli.csv", "--format", "json", cwd=tmp_path)
    assert run.code == 0, run.err
    assert json.loads(run.out)["datasets"] == ["qa", "nli"]
    assert run.err == "qa.csv: 30 items, 2 systems\nnli.csv: 30 items, 2 systems\n\n"


def test_dots_in_names_of_files_keep_datasets_apart(tmp_path: Path) -> None:
    for name in ("wmt.de-en", "wmt.fr-en"):
        rows = "".join(f"{name}{i},{i % 2},{i % 3 == 0:d}\n" for i in range(30))
        (tmp_path / f"{name}.csv").write_text("item,new,old\n" + rows)
    run = nofluke("replicate", "wmt.de-en.csv", "wmt.fr-en.csv", "--format", "json", cwd=tmp_path)
    assert json.loads(run.out)["datasets"] == ["wmt.de-en", "wmt.fr-en"]


def test_shared_items_forbid_independence(tmp_path: Path) -> None:
    path = tmp_path / "shared.csv"
    rows = "".join(f"{d},q{i},{i % 2},{i % 3 == 0:d}\n" for d in ("x", "y") for i in range(20))
    path.write_text("dataset,item,new,old\n" + rows)
    run = nofluke("replicate", str(path), "--dependence", "independent")
    assert run.code == 2
    assert "20 items occur in more than one dataset (for example 'q0'; datasets x, y)" in run.err
    assert "put the dataset's name in front" in run.err


def test_correct_in_all_forms(tmp_path: Path) -> None:
    direct = nofluke("correct", "0.01", ".04", "0.03", "--format", "csv")
    assert direct.out.splitlines()[:2] == ["name,p_value,adjusted,stands", "p-value 1,0.01,0.03,True"]
    piped = nofluke("correct", "-", "--format", "csv", stdin=b"0.01\n0.04\n0.03\n")
    assert piped.out == direct.out
    path = tmp_path / "p.csv"
    path.write_text("name,p\nde,0.01\nfr,0.04\nit,0.03\n")
    named = nofluke("correct", str(path), "--method", "bh")
    assert named.out.startswith("All 3 p-values are still significant at 0.05 after the correction")
    assert "false discovery rate" in " ".join(named.out.split())
    assert nofluke("correct", "--example", "sentiment").out.startswith("Six of 12 p-values are still significant at")
    storey = nofluke("correct", "0.01", "0.6", "--method", "storey", "--cutoff", "0.3", "--format", "csv")
    assert storey.code == 0, storey.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("replicate",), "nothing was given to look at"),
        (("correct",), "nothing was given to look at"),
        (("correct", "0.1", "1.3"), "'1.3' is not a p-value"),
        (("correct", "0.1", "--method", "hol"), "did you mean 'holm'"),
        (("correct", "0.1", "--method", "max_t"), "needs the scores"),
        (("correct", "0.1", "--cutoff", "0.2"), "no option 'cutoff'"),
        (("correct", "0.1", "--example", "sentiment"), "give one of them"),
        (("replicate", "--example", "postagging"), "did you mean 'pos-tagging'"),
        (("replicate", "0.1", "0.2", "--method", "sign"), "cannot be used with p-values"),
        (("replicate", "0.1", "0.2", "--dependence", "no"), "no kind of dependence"),
        (("replicate", "0.1", "0.2", "--sided", "two"), "direction is unknown"),
        (("replicate", "--example", "sentiment", "--dependence", "independent"), "cannot be taken as independent"),
        (("replicate", "no-such-file.csv"), "does not exist"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], message: str) -> None:
    run = nofluke(*arguments)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err
