"""nofluke agree: files in, sentences out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from support.command_line import nofluke

WIDE = "item,ann,bob\nq1,yes,yes\nq2,no,no\nq3,yes,no\nq4,no,no\nq5,yes,yes\nq6,no,\n"
LONG = "sentence,coder,tag\n" + "".join(
    f"s{i},{who},{tag}\n"
    for i in range(9)
    for who, tag in (("ann", "NP"), ("bob", "NP" if i % 3 else "VP"), ("eve", "VP"))
)


@pytest.fixture
def wide(tmp_path: Path) -> str:
    path = tmp_path / "ratings.csv"
    path.write_text(WIDE)
    return str(path)


def test_text(wide: str) -> None:
    run = nofluke("agree", wide)
    assert run.code == 0
    assert run.out.startswith("Krippendorff's alpha (nominal) = 0.6")
    assert "Landis and Koch: " in " ".join(run.out.split())
    assert "Annotators differ most on q3." in run.out
    assert "Left out: 1 item with a single rating" in run.out
    assert run.err.startswith(f"{wide}: 6 items, 2 annotators, 2 labels\n")
    details = nofluke("agree", wide, "--details").out
    assert "Label by label" in details
    assert "Most disputed items" in details
    assert details.index("Left out: 1 item with a single rating") > details.index("Worth knowing")


@pytest.mark.parametrize("format", ["text", "json", "markdown", "latex", "html", "csv"])
def test_formats(wide: str, format: str) -> None:
    run = nofluke("agree", wide, "--coefficient", "cohen_kappa", "--format", format, "--quiet")
    assert run.code == 0
    assert run.err == ""
    assert "ohen" in run.out


def test_several_coefficients(wide: str) -> None:
    run = nofluke("agree", wide, "--coefficient", "multi_kappa", "--coefficient", "gwet_ac1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run.out)))
    assert [row["coefficient"] for row in rows] == ["conger_kappa", "gwet_ac1"]


def test_stdin_long_columns_and_width() -> None:
    run = nofluke(
        "agree",
        "-",
        "--columns",
        "item=sentence,annotator=coder,label=tag",
        "--width",
        "0.1",
        "--format",
        "json",
        stdin=LONG.encode(),
    )
    found = json.loads(run.out)
    assert found["items_for_width"][0] == 0.1
    assert found["annotators"] == ["ann", "bob", "eve"]


def test_matrix(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(",no,yes\nno,20,5\nyes,10,15\n")
    run = nofluke("agree", str(path), "--layout", "matrix", "--coefficient", "cohen_kappa")
    assert run.code == 0
    assert "Cohen's kappa = 0.40 (95% CI " in run.out
    refused = nofluke("agree", str(path), "--layout", "matrix", "--columns", "item=x")
    assert (refused.code, "--layout matrix has no --columns" in refused.err) == (2, True)


def test_options_reach_the_coefficient(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("item,a,b,c\n1,low,low,high\n2,mid,mid,NA\n3,high,mid,high\n4,low,low,low\n")
    order = ("--missing", "NA", "--categories", "low,mid,high")
    run = nofluke("agree", str(path), *order, "--level", "ordinal", "--confidence-level", "0.9", "--rules", "none")
    assert "Krippendorff's alpha (ordinal)" in run.out
    assert "(90% CI " in run.out
    assert "Landis" not in run.out
    pair = ("--coefficient", "cohen_kappa", "--weights", "linear", "--annotators", "a,b", "--interval", "bootstrap")
    drawn = nofluke("agree", str(path), *order, *pair, "--n-resamples", "499", "--seed", "3", "--disputed", "0")
    assert drawn.code == 0
    assert "Disputed" not in drawn.out
    fully = nofluke(
        "agree", str(path), *order, *pair, "--n-resamples", "499", "--seed", "3", "--disputed=0", "--details"
    )
    assert "seed:3" in fully.out
    assert "Most disputed" not in fully.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--coefficient", "kapa"], "there is no coefficient of agreement 'kapa'"),
        (["--level", "interval"], "needs numbers"),
        (["--columns", "system=ann"], "'system' is not a role"),
        (["--columns", "ann"], "is not ROLE=NAME"),
        (["--weights", "linear"], "has no option 'weights'"),
        (["--format", "pdf"], "there is no format 'pdf'"),
        (["--columns", "annotator=ann"], "one annotator (ann)"),
        (["--width", "9"], "width = 9.0"),
    ],
)
def test_what_is_refused(wide: str, arguments: list[str], message: str) -> None:
    run = nofluke("agree", wide, *arguments)
    assert run.code == 2
    assert message in run.err
    assert "fix:" in run.err
    assert run.out == ""


def test_settings_are_saved_and_repeated(wide: str, tmp_path: Path) -> None:
    saved = tmp_path / "run.toml"
    first = nofluke("agree", wide, "--coefficient", "gwet_ac1", "--save-config", str(saved))
    again = nofluke("agree", "--config", str(saved), wide)
    assert first.out == again.out


def test_odd_names_come_through(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text('item,"a|b","<i>&_$"\n"x%",1,2\n"y\ny",2,2\nz,1,1\n', encoding="utf-8")
    for form in ("text", "markdown", "latex", "html", "json", "csv"):
        assert nofluke("agree", str(path), "--format", form, "-q").code == 0


def test_columns_that_are_no_annotators_are_named_on_the_error_stream(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("item,text,ann,bob,gold\n1,a b,yes,yes,yes\n2,c d,no,yes,no\n3,e f,no,no,no\n")
    run = nofluke("agree", str(path))
    assert (run.code, run.err.splitlines()[0]) == (0, f"{path}: 3 items, 2 annotators, 2 labels")
    told = " ".join(run.out.split())
    left_out = "Columns 'text', 'gold' are not taken as annotators because of their names"
    assert 0 < told.index(left_out) < told.index("Two annotat")
    chosen = nofluke("agree", str(path), "--annotators", "ann,gold", "--format", "json", "-q")
    assert json.loads(chosen.out)["annotators"] == ["ann", "gold"]


def test_counts_and_sums(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("ann,no,yes,All\nno,20,5,25\nyes,10,15,25\nAll,30,20,50\n")
    refused = nofluke("agree", str(path))
    assert (refused.code, "say so: --layout matrix" in " ".join(refused.err.split())) == (2, True)
    run = nofluke(
        "agree", str(path), "--layout", "matrix", "--coefficient", "cohen_kappa", "--coefficient", "cohen_kappa"
    )
    assert "Cohen's kappa = 0.40 (95% CI " in run.out
    assert "are sums of the others" in " ".join(run.out.split())
    assert run.out.count("Cohen's kappa =") == 1
