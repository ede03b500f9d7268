"""nofluke report, formats by the ending of a file, and the call that a report repeats."""

from __future__ import annotations

import hashlib
import json
import shlex
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import speaking_on
from reports.kinds import NAMES, RESULTS, A, B
from support.command_line import nofluke


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"{a},{b}\n" for a, b in zip(A, B, strict=True))
    (tmp_path / "scores.csv").write_text("new,old one\n" + rows)
    return tmp_path


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("html", "<!doctype html>"),
        ("md", "**new is better"),
        ("tex", "% needs"),
        ("json", "{"),
        ("csv", "dataset,metric"),
        ("bib", "@"),
        ("txt", "new is better"),
        ("out", "new is better"),
    ],
)
def test_the_ending_says_the_format(ending: str, start: str, folder: Path) -> None:
    assert nofluke("compare", "scores.csv", "-q", "-o", f"r.{ending}", cwd=folder).code == 0
    assert (folder / f"r.{ending}").read_text(encoding="utf-8").startswith(start)


def test_a_named_format_wins_over_the_ending(folder: Path) -> None:
    nofluke("compare", "scores.csv", "-q", "-o", "r.html", "--format", "csv", cwd=folder)
    assert (folder / "r.html").read_text().startswith("dataset,metric")


@pytest.mark.parametrize("kind", RESULTS)
def test_a_stored_result_becomes_every_report(kind: str, tmp_path: Path) -> None:
    result = RESULTS[kind](NAMES)
    (tmp_path / "result.json").write_text(nf.report(result, "json"), encoding="utf-8")
    with speaking_on("shell"):
        text, latex = nf.report(result, "text"), nf.report(result, "latex")
    assert nofluke("report", "result.json", "--details", cwd=tmp_path).out == text + "\n"
    assert nofluke("report", "result.json", "-o", "r.tex", cwd=tmp_path).err == "wrote r.tex\n"
    assert (tmp_path / "r.tex").read_text(encoding="utf-8") == latex + "\n"
    assert nofluke("report", "-", "--details", stdin=nf.report(result, "json").encode()).out == text + "\n"


def test_a_stored_result_is_printed_whole_and_quietly_as_its_verdict(tmp_path: Path) -> None:
    result = RESULTS["Comparison"](NAMES)
    (tmp_path / "result.json").write_text(nf.report(result, "json"), encoding="utf-8")
    assert nofluke("report", "result.json", cwd=tmp_path).out == nf.report(result, "text") + "\n"
    quiet = nofluke("report", "result.json", "-q", cwd=tmp_path).out
    assert quiet.strip() == str(result).partition("\n\n")[0]


def test_the_run_is_kept_from_json_to_html(folder: Path) -> None:
    nofluke("compare", "scores.csv", "--alpha", "0.1", "--b", "old one", "-q", "-o", "r.json", cwd=folder)
    stored = json.loads((folder / "r.json").read_text())
    digest = hashlib.sha256((folder / "scores.csv").read_bytes()).hexdigest()
    assert stored["run"]["inputs"] == {"scores.csv": digest}
    assert stored["run"]["versions"]["nofluke"] == nf.__version__
    nofluke("report", "r.json", "-q", "-o", "r.html", cwd=folder)
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert digest in page
    assert "nofluke compare scores.csv --b &#39;old one&#39; --alpha 0.1</pre>" in page
    assert "nf.read(&#39;scores.csv&#39;)" in page


def test_the_call_on_the_page_gives_the_same_result(folder: Path) -> None:
    typed = ["compare", "scores.csv", "--method", "wilcoxon", "--zeros", "pratt", "--no-clusters", "--lower-is-better"]
    first = json.loads(nofluke(*typed, "--format", "json", "-q", cwd=folder).out)
    again = shlex.split(first["run"]["command"])
    assert again[0] == "nofluke"
    assert (
        nofluke(*again[1:], "--format", "json", "-q", cwd=folder).out
        == json.dumps(first, indent=2, ensure_ascii=False) + "\n"
    )


def test_the_python_and_shell_calls_of_a_library_result_run(folder: Path) -> None:
    import contextlib
    import io

    from nofluke.reports.build import build

    result = nf.compare(nf.read(folder / "scores.csv").pair(), method="wilcoxon", alpha=0.1, zeros="pratt")
    made = build(result).calls
    shell = nofluke(*shlex.split(made["shell"])[1:], "-q", "--format", "csv", cwd=folder)
    assert shell.out == nf.report(result, "csv") + "\n"
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        exec(made["Python"], {})
    assert out.getvalue() == f"{result}\n"


def test_what_is_no_result_is_told(folder: Path) -> None:
    run = nofluke("report", "scores.csv", cwd=folder)
    assert run.code == 2
    assert "scores.csv line 1: is not JSON" in run.err
    run = nofluke("report", "nowhere.json", cwd=folder)
    assert run.code == 2
    assert "cannot be read" in run.err
