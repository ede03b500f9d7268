"""The LaTeX compiles: what pdflatex accepts is the only proof."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.reports.latex import as_latex
from nofluke.reports.latex_text import escaped, foreign
from nofluke.types import Report, Table
from reports.kinds import NAMES, RESULTS, comparison
from support.programs import program

LATIN = "Łódź größer ễ ñ ŭ ő ș ğ ı İ œ æ ø å đ þ ð ŋ ż ž ķ — “quoted” … ½".replace("½", "²")
NASTY = (
    "<script>alert(1)</script>",
    r"a_b&c% $x^2$ {y} ~z #1 | \end{table}",
    "x" * 200,
    LATIN,
    '"`[3]',
    "[a]",
    "--fast 5'' ,,low",
)


def complaints(text: str, folder: Path) -> str:
    """Compile a document that loads just what the file's first lines ask for; empty where a page came of it."""
    needs = "\n".join(re.findall(r"^% needs (\\usepackage.*)$", text, re.MULTILINE))
    document = f"\\documentclass{{article}}\n{needs}\n\\begin{{document}}\n{text}\n\\end{{document}}\n"
    (folder / "paper.tex").write_text(document, encoding="utf-8")
    run = subprocess.run(
        [program("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=folder,
        capture_output=True,
        timeout=120,
    )
    log = run.stdout.decode("utf-8", "replace")
    made = run.returncode == 0 and (folder / "paper.pdf").exists() and "LaTeX Error" not in log
    return "" if made else log[-1500:]


@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_compiles(kind: str, tmp_path: Path) -> None:
    assert complaints(nf.report(RESULTS[kind](NAMES), "latex"), tmp_path) == ""


def test_names_in_latin_script_compile(tmp_path: Path) -> None:
    table = Table(
        columns=("system", "score"),
        rows=tuple((name, "0.5") for name in NASTY),
        caption=" ".join(NASTY),
        figures=("score",),
        strong=(0,),
        marks=((0, 1, "†"), (1, 1, "ab"), (2, 0, "‡")),
    )
    text = as_latex(Report("Test", "", "", (), table, (), (), " ".join(NASTY), " ".join(NASTY)))
    assert "XeLaTeX" not in text
    assert r"\textbf{0.5}\textsuperscript{$\dagger$}" in text
    assert r"\textsuperscript{ab}" in text
    assert complaints(text, tmp_path) == ""


def test_a_table_longer_than_a_page_compiles(tmp_path: Path) -> None:
    rows = tuple((f"system {number}", f"{number / 150:.3f}") for number in range(150))
    table = Table(("system", "score"), rows, "All systems.", ("score",))
    text = as_latex(Report("Test", "", "", (), table, (), (), "short", "long"))
    assert r"\begin{longtable}" in text
    assert complaints(text, tmp_path) == ""


def test_the_caption_states_test_sides_correction_and_n() -> None:
    caption = re.search(r"\\caption\{(.*)\}", nf.report(comparison(), "latex"))
    assert caption is not None
    for part in ("paired permutation test of the mean", "two-sided", "no correction", "n = 9 items", "alpha = 0.05"):
        assert part in caption[1]


def test_what_pdflatex_has_no_letter_for_is_told() -> None:
    assert foreign(LATIN) == ""
    assert foreign("系统 α-β Ελλάς") == "系统Ελάς"
    assert escaped("χ² = 3") == r"$\chi$\textsuperscript{2} = 3"
    assert escaped("a\nb\x00c") == "a bc"


def test_signs_in_a_row_stay_what_they_are() -> None:
    assert escaped("--fast") == "{-}{-}fast"
    assert escaped("a-b, it's") == "a-b, it's"
    assert escaped("5''") == "5{'}{'}"
    assert escaped('"x"') == r"\textquotedbl{}x\textquotedbl{}"
    quoted = nf.report(comparison(('the "new" one', "old")), "latex")
    assert r"% needs \usepackage[T1]{fontenc}" in quoted
    assert "fontenc" not in nf.report(comparison(), "latex")


def test_a_wide_table_is_shrunk_to_the_line_and_a_narrow_one_is_not() -> None:
    assert r"\resizebox" in nf.report(comparison(), "latex")
    narrow = as_latex(Report("Test", "", "", (), Table(("a", "b"), (("1", "2"),), "Two."), (), (), "short", "long"))
    assert r"\resizebox" not in narrow
    assert "graphicx" not in narrow
