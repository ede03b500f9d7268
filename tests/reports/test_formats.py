"""Every kind of result in every format; user text survives everywhere and is never read as markup."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.reports import WRITERS, build
from nofluke.reports.build import BUILDERS
from nofluke.types import Report
from nofluke.words.glossary import meaning
from reports.kinds import NAMES, RESULTS, A, B, comparison, type_of
from support.snapshots import check_snapshot

# Kinds whose wording is kept as a snapshot here; builders of other rooms have their own tests.
KEPT = ("Comparison", "TestResult", "Estimate", "Profile", "Choices")
NASTY = {
    "script": "<script>alert(1)</script>",
    "latex": r"a_b&c% $x^2$ {y} ~z #1 | \end{table}",
    "quotes": """'"`--></style><b>""",
    "long": "x" * 200,
    "chinese": "系统甲",
    "arabic": "النظام",
    "emoji": "bot 🤖",
    "accents": "Łódź-größer-ễ",
    "terminal": "a\x1b[2Jb",
}


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_every_kind_has_a_result_to_try() -> None:
    assert {type_of(kind) for kind in RESULTS} == set(BUILDERS), "add a small real result to tests/reports/kinds.py"


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_in_every_format(kind: str, format: str) -> None:
    result = RESULTS[kind](NAMES)
    assert type(result).__name__ == type_of(kind)
    text = nf.report(result, format)
    if format == "bibtex":
        assert "no entry for" not in text
        return
    assert text.strip()
    if format == "json":
        assert json.loads(text)["type"] == type_of(kind)
    elif format == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert rows
        assert len(rows) == len(build(result).records)
    elif format == "latex":
        assert text.count(r"\toprule") == 1
    elif format in ("text", "markdown"):
        assert squeezed(build(result).headline)[:30] in squeezed(text.replace("\\", ""))


@pytest.mark.parametrize("format", [name for name in WRITERS if name not in ("html", "json")])
@pytest.mark.parametrize("kind", KEPT)
def test_wording(kind: str, format: str) -> None:
    check_snapshot(f"reports/{kind}.{format}", nf.report(RESULTS[kind](NAMES), format=format) + "\n")


def shape(value: object) -> object:
    """The names in a JSON value: what programs that read it rely on."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__ if not isinstance(value, int | float) or isinstance(value, bool) else "number"


@pytest.mark.parametrize("kind", KEPT)
def test_the_names_in_json_stay(kind: str) -> None:
    found = shape(json.loads(nf.report(RESULTS[kind](NAMES), "json")))
    check_snapshot(f"reports/{kind}.json", json.dumps(found, indent=2) + "\n")


@pytest.mark.parametrize("kind", RESULTS)
def test_a_report_has_all_that_a_paper_needs(kind: str) -> None:
    report = build(RESULTS[kind](NAMES))
    assert report.kind == type_of(kind)
    assert report.headline
    # What files hold is found before any test, and a gate decides about a release: neither is for a paper.
    for_paper = kind not in ("Contents", "Gate", "SelfCheck")
    assert bool(report.short) == for_paper
    assert len(report.long) >= len(report.short)
    assert report.main.rows
    assert bool(report.main.caption) == for_paper, "the caption states test, sides, correction and n"
    assert report.records
    assert report.tone in ("", "settled", "open", "worse")
    tables = [report.main, *(section.table for section in report.sections if section.table is not None)]
    for table in tables:
        assert {len(row) for row in table.rows} <= {len(table.columns)}
        assert set(table.figures) <= set(table.columns)
        assert all(0 <= row < len(table.rows) and 0 <= at < len(table.columns) for row, at, _ in table.marks)
        assert len(table.bars) in (0, len(table.rows))


@pytest.mark.parametrize("kind", RESULTS)
def test_every_figure_is_explained(kind: str) -> None:
    report = build(RESULTS[kind](NAMES))
    tables = [report.main, *(section.table for section in report.sections if section.table is not None)]
    for table in tables:
        unexplained = [name for name in table.figures if not meaning(name, table)]
        assert not unexplained, f"say what these columns are in Table.explain or words/glossary.py: {unexplained}"


def test_the_long_sentence_has_what_zhu_et_al_ask_for() -> None:
    result = comparison()
    long = build(result).long
    for part in (
        "paired permutation test of the mean",  # name of the test
        "two-sided",
        "alpha = 0.05",
        "p = 0.047",
        "mean difference new - old = 0.149 (95% CI [0.007, 0.287], inversion of the permutation test)",
        "Cohen's d = 0.81",
        "n = 9 items",  # n and unit
        "A true difference of 0.200 would be found with power 0.8",  # what could have been found
    ):
        assert part in long
    short = build(result).short
    for part in ("new is better than old", "p = 0.047", "two-sided", "n = 9 items", "95% CI"):
        assert part in short


def test_the_sentences_make_no_claim_that_the_verdict_does_not_make() -> None:
    result = nf.compare(A, B[::-1])
    report = build(result)
    assert result.verdict == "inconclusive"
    assert "There is no clear difference between A and B" in report.short
    assert "There is no clear difference between A and B at alpha = 0.05" in report.long
    assert "better than" not in report.long
    assert report.tone == "open"
    assert report.main.strong == ()
    assert "†" not in report.main.caption


def test_the_loser_is_not_set_in_bold() -> None:
    report = build(nf.compare(B, A))
    assert report.tone == "settled"
    assert [row[0] for row in report.main.rows] == ["B", "A"]  # the winner, which was named second, stands first
    assert report.main.strong == (0,)
    assert report.main.marks == ((0, 1, "†"),)


def test_a_name_that_holds_a_colon_keeps_the_claim_whole() -> None:
    report = build(comparison(("llm: large", "llm: small")))
    assert report.short.startswith("llm: large is better than llm: small (")


def test_units_and_clusters_are_named(tmp_path: Path) -> None:
    rows = [f"q{at},d{at // 3},{a},{b}" for at, (a, b) in enumerate(zip(A * 2, B * 2, strict=True))]
    (tmp_path / "s.csv").write_text("item,cluster,new,old\n" + "\n".join(rows) + "\n")
    scores = nf.read(tmp_path / "s.csv", item="item", cluster="cluster")
    clustered = build(nf.compare(scores.pair("new", "old")))
    assert "n = 18 items in 6 clusters" in clustered.long
    assert "n = 18 items in 6 clusters" in clustered.main.caption
    units = build(nf.compare(scores.pair("new", "old", clusters=False, unit=2)))
    assert "n = 9 units of 2 items" in units.short
    assert "--unit 2" in units.calls["shell"]
    assert "unit=2" in units.calls["Python"]


def test_csv_is_unrounded_and_can_be_read_back() -> None:
    result = comparison()
    row = next(csv.DictReader(io.StringIO(nf.report(result, "csv"))))
    assert float(row["p_value"]) == result.test.p_value
    assert row["a"] == "new"
    assert row["verdict"] == result.verdict


@pytest.mark.parametrize("kind", RESULTS)
def test_nasty_names_are_never_read_as_markup(kind: str) -> None:
    result = RESULTS[kind]((" ".join(NASTY.values()), "the other"))
    texts = {name: nf.report(result, name) for name in WRITERS}
    for name in ("text", "latex", "markdown", "html"):
        assert "\x1b" not in texts[name]
    for name in ("markdown", "html"):
        assert "<script>alert" not in texts[name]
    ends = re.findall(r"\\end\{(\w+)\}", texts["latex"])
    assert ends in (["tabular", "table"], ["longtable"])


@pytest.mark.parametrize("name", [name for key, name in NASTY.items() if key != "terminal"])
def test_names_can_be_read_in_every_format(name: str) -> None:
    result = comparison((name, "the other"))
    assert json.loads(nf.report(result, "json"))["systems"][0] == name
    assert next(csv.DictReader(io.StringIO(nf.report(result, "csv"))))["a"] == name
    assert squeezed(name) in squeezed(nf.report(result, "text"))
    assert squeezed(name) in squeezed(html.unescape(re.sub(r"<[^>]*>", "", nf.report(result, "html"))))
    unescaped = re.sub(r"\\(.)", r"\1", nf.report(result, "markdown"))
    assert squeezed(name) in squeezed(unescaped)


def test_latex_escapes_what_it_would_read() -> None:
    latex = nf.report(comparison((NASTY["latex"], NASTY["script"])), "latex")
    body = latex[latex.index(r"\toprule") : latex.index(r"\end{tabular}")]
    assert r"a\_b\&c\% \$x\textasciicircum{}2\$ \{y\}" in body
    assert latex.count(r"\end{table}") == 1
    assert "% needs XeLaTeX" not in latex


def test_other_scripts_keep_their_text_and_say_what_they_need() -> None:
    latex = nf.report(comparison(("系统甲", "Система")), "latex")
    assert "系统甲 & " in latex.replace(r"\textbf{系统甲}", "系统甲")
    assert latex.splitlines()[1].startswith("% needs XeLaTeX or LuaLaTeX")
    assert "系统甲" in latex.splitlines()[2]


def test_a_report_is_its_own_report() -> None:
    report = build(comparison())
    assert isinstance(report, Report)
    assert nf.report(report, "text") == nf.report(comparison(), "text")


def test_unknown_formats_and_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="there is no report format 'pdf'"):
        nf.report(comparison(), "pdf")
    with pytest.raises(InputError, match="a Histogram has no report"):
        nf.report(comparison().profile.a.histogram, "csv")
