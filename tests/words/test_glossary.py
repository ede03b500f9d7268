"""Every figure that a test gives beside its p-value is explained, and as what it is."""

from __future__ import annotations

import nofluke as nf
from nofluke.registry import ASSOCIATIONS, TESTS
from nofluke.reports.table_view import table_view
from nofluke.types import Table, TestResult
from nofluke.words.glossary import _TERMS, meaning
from nofluke.words.test_report import figure_explanations, figures

NO_TABLE = Table(columns=("",), rows=())
A, B = [1, 0, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 1, 1, 0]


def names_of_figures() -> set[str]:
    found: set[str] = set()
    for method in (one for one in TESTS if not one.facts["runs"]):
        options = {"rho": 0.1} if method.name == "corrected_resampled_t" else {}
        options = {"low": 0, "high": 1} if method.name == "bounded_mean" else options
        found |= set(nf.test(A, B, method.name, **options).details)
    found |= set(nf.test(A, B, "mcnemar", mode="chi2").details)
    texts = {"A": ["a b c d", "a c", "d e"], "B": ["a b c", "a d", "d"]}
    for method in ("permutation", "bootstrap"):
        found |= set(nf.test(nf.score("wer", texts, ["a b c d", "a d", "d e"]).pair("A", "B"), method).details)
    for method in ASSOCIATIONS:
        found |= set(nf.correlation([1, 2, 3, 4, 6], [1, 3, 2, 5, 9], method.name).details)
    return {name.replace("_", " ") for name in found if not name.endswith(("_a", "_b"))}


def test_every_figure_of_a_test_has_its_own_explanation() -> None:
    names = names_of_figures()
    assert {"n swapped", "n units", "df"} <= names
    unexplained = sorted(name for name in names if name.casefold() not in _TERMS)
    assert not unexplained, f"say what these are in words/glossary.py: {unexplained}"


def test_what_is_swapped_or_resampled_is_not_called_what_was_scored() -> None:
    assert "swap" in meaning("n swapped", NO_TABLE)
    assert "resample" in meaning("n resampled", NO_TABLE)
    assert meaning("n", NO_TABLE) == "the number of items (or units) on which both were scored"
    assert not meaning("n whatever", NO_TABLE)


def test_figures_of_one_system_go_by_its_name() -> None:
    for method in ("mcnemar", "chi_square", "welch_t"):
        result = nf.test(nf.align.as_sample(A, B, names=("new", "old")), method)
        assert isinstance(result, TestResult)
        own = [name for name in result.details if name.endswith(("_a", "_b"))]
        explained = figure_explanations(result)
        assert len(explained) == len(own) >= 2, method
        assert set(explained) <= {label for label, _ in figures(result)}
        assert all("new" in text or "old" in text for text in (*explained, *explained.values()))


def test_common_words_speak_of_the_systems_by_name() -> None:
    table = Table(columns=("",), rows=(("n tied",), ("n untied",)))
    assert table_view(table, ("new", "old"))["meanings"]["n untied"] == "items on which new and old differ"
    assert table_view(table, ())["meanings"]["n untied"] == "items on which A and B differ"
