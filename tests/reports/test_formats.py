"""Every result in every format; user text survives and is never read as markup."""

from __future__ import annotations

import csv
import io
import json

import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError
from nofluke.reports import WRITERS
from nofluke.types import Comparison
from support.snapshots import check_snapshot

A, B = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
NASTY = ("<script>alert(1)</script>", r"a_b&c% $x^2$ {y} ~z #1 | \end{table}")


def comparison(names: tuple[str, str] = ("new", "old")) -> Comparison:
    return nf.compare(as_sample(A, B, names=names), margin=0.05)


RESULTS = {
    "comparison": comparison,
    "test": lambda: nf.test(A, B, "sign"),
}


@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.parametrize("format", WRITERS)
def test_every_result_in_every_format(kind: str, format: str) -> None:
    check_snapshot(f"reports/{kind}.{format}", nf.report(RESULTS[kind](), format=format) + "\n")


def test_csv_is_unrounded_and_can_be_read_back() -> None:
    result = comparison()
    row = next(csv.DictReader(io.StringIO(nf.report(result, "csv"))))
    assert float(row["p_value"]) == result.test.p_value
    assert row["a"] == "new"
    assert row["verdict"] == result.verdict


def test_nasty_names_survive() -> None:
    result = comparison(NASTY)
    assert json.loads(nf.report(result, "json"))["systems"] == list(NASTY)
    assert next(csv.DictReader(io.StringIO(nf.report(result, "csv"))))["b"] == NASTY[1]
    markdown, latex = nf.report(result, "markdown"), nf.report(result, "latex")
    assert "<script>" not in markdown
    assert r"\<script\>alert(1)\</script\>" in markdown
    body = latex[latex.index(r"\toprule") : latex.index(r"\end{tabular}")]
    assert r"a\_b\&c\% \$x\textasciicircum{}2\$ \{y\}" in body
    assert latex.count(r"\end{table}") == 1
    assert NASTY[0] in nf.report(result, "text").replace("\n", " ")


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(InputError, match="there is no report format 'pdf'"):
        nf.report(comparison(), "pdf")
    with pytest.raises(InputError, match="a Profile has no CSV form"):
        nf.report(nf.describe(A, B), "csv")
