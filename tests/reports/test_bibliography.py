"""Every citation of every registered method has an entry, and every entry can be read."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

import nofluke as nf
from nofluke.inference.recommend.default import RULES
from nofluke.registry import REGISTRIES
from nofluke.reports.bibliography import bibtex, entries, keys, references
from reports.kinds import NAMES, RESULTS, comparison
from support.each import each

CITED = sorted(
    {method.cite for registry in REGISTRIES.values() for method in registry} | {rule.citation for rule in RULES}
)
REQUIRED = {
    "article": ("author", "title", "journal", "year"),
    "book": ("author", "title", "publisher", "year"),
    "inproceedings": ("author", "title", "booktitle", "year"),
    "incollection": ("author", "title", "booktitle", "publisher", "year"),
    "misc": ("author", "title", "howpublished", "year"),
    "phdthesis": ("author", "title", "school", "year"),
    "techreport": ("author", "title", "institution", "year"),
}


def test_every_citation_has_an_entry() -> None:
    each(((cite, cite) for cite in CITED), has_an_entry)


def has_an_entry(cite: str) -> None:
    found = keys([cite])
    assert found, f"{cite!r} names no author and year"
    missing = [key for key in found if key not in entries()]
    assert not missing, f"add {missing} to src/nofluke/reports/references.bib"


def test_entries_are_complete_and_readable() -> None:
    each(((key, key) for key in entries()), is_complete_and_readable)


def is_complete_and_readable(key: str) -> None:
    entry = entries()[key]
    kind = re.match(r"@(\w+)\{", entry)
    assert kind is not None
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
    assert all(fields.get(name) for name in REQUIRED[kind[1]])
    assert key.endswith(fields["year"])
    assert entry.count("{") == entry.count("}")
    readable = references([f"{key[:-4]} {fields['year']}"])
    assert len(readable) == 1
    assert not set(readable[0]) & set("{}\\$"), readable[0]


def test_entries_are_sorted_and_said_once() -> None:
    assert list(entries()) == sorted(entries())


TEXTS = {"A": ["the cat sat on the mat", "a dog barks at me"], "B": ["the cat sat on a mat", "dogs bark at the man"]}
GOLD = ["the cat sat on the mat", "a dog barks at the man"]


def test_every_report_cites_the_metric_that_was_compared() -> None:
    scores = nf.score("bleu", TEXTS, GOLD)
    sample = scores.pair("A", "B")
    for result in (nf.compare(sample), nf.test(sample, "permutation"), nf.rank(scores)):
        found = nf.report(result, "bibtex")
        assert "papineni2002" in found
        assert "post2018" in found
    assert "papineni2002" not in nf.report(nf.compare([1, 0, 1, 1], [0, 0, 1, 0]), "bibtex")


@pytest.mark.parametrize("metric", ["rouge_l", "wer", "chrf", "exact_match"])
def test_each_metric_is_cited_by_its_own_paper(metric: str) -> None:
    found = nf.report(nf.compare(nf.score(metric, TEXTS, GOLD).pair("A", "B")), "bibtex")
    assert all(f"{{{key}," in found for key in keys([REGISTRIES["metric"][metric].cite]))


def test_replications_cite_the_metric() -> None:
    lines = ["dataset,system,item,wer"]
    for dataset in ("x", "y", "z"):
        for system, errors in (("A", (0, 0, 1, 0, 0, 1)), ("B", (1, 0, 1, 1, 0, 1))):
            lines += [f"{dataset},{system},{dataset}{item},{error}" for item, error in enumerate(errors)]
    scores = nf.read(io.StringIO("\n".join(lines)), higher_is_better=False)
    replication = nf.replicate(scores, a="A", b="B")
    assert "morris2004" in nf.report(replication, "bibtex")


def test_citations_are_those_of_the_methods_used() -> None:
    wilcoxon = nf.report(nf.test([3, 5, 1, 7], [1, 2, 2, 3], "wilcoxon"), "bibtex")
    assert wilcoxon.startswith("@article{wilcoxon1945")
    assert "mcnemar1947" not in wilcoxon
    assert "cohen1988" in nf.report(comparison(), "bibtex")


RIGHT_A, RIGHT_B = [1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 0, 1, 0, 0, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("options", "cited", "not_cited"),
    [
        ({"method": "wilcoxon"}, "wilcoxon1945", "pratt1959"),
        ({"method": "wilcoxon", "zeros": "pratt"}, "pratt1959", "yates1934"),
        ({"method": "mcnemar"}, "mcnemar1947", "edwards1948"),
        ({"method": "mcnemar"}, "mcnemar1947", "fagerland2013"),
        ({"method": "mcnemar", "mode": "midp"}, "fagerland2013", "edwards1948"),
        ({"method": "mcnemar", "mode": "chi2", "continuity": True}, "edwards1948", "fagerland2013"),
        ({"method": "bootstrap"}, "efron1993", "bergkirkpatrick2012"),
    ],
)
def test_only_the_variant_that_was_run_is_cited(options: dict[str, Any], cited: str, not_cited: str) -> None:
    for result in (nf.test(RIGHT_A, RIGHT_B, **options), nf.compare(RIGHT_A, RIGHT_B, **options)):
        text = nf.report(result, "bibtex")
        assert f"{{{cited}," in text
        assert f"{{{not_cited}," not in text


def test_a_replication_and_a_ranking_cite_the_variant_too() -> None:
    data: dict[str, Any] = dict.fromkeys(("de", "fr"), (RIGHT_A, RIGHT_B))
    exact, midp = nf.replicate(data), nf.replicate(data, mode="midp")
    assert "edwards1948" not in nf.report(exact, "bibtex")
    assert "fagerland2013" not in nf.report(exact, "bibtex")
    assert "fagerland2013" in nf.report(midp, "bibtex")
    ranking = nf.rank({"a": RIGHT_A, "b": RIGHT_B, "c": RIGHT_B[::-1]})
    assert ranking.method == "mcnemar"
    assert "fagerland2013" not in nf.report(ranking, "bibtex")


@pytest.mark.parametrize("kind", RESULTS)
def test_citations_of_every_kind_resolve(kind: str) -> None:
    assert "no entry for" not in nf.report(RESULTS[kind](NAMES), "bibtex")


def test_what_is_not_known_is_said_and_not_invented() -> None:
    assert bibtex(["Nobody 1999"]) == "% no entry for nobody1999"
    assert references(["Nobody 1999"]) == []


@pytest.mark.parametrize(
    ("cite", "expected"),
    [
        ("Zhu et al. 2020, equation 4", ("zhu2020",)),
        ("Zhu (2020)", ("zhu2020",)),
        ("Artstein & Poesio 2008", ("artstein2008",)),
        ("Popović 2015", ("popovic2015",)),
        ("van Rijsbergen 1979; Pedregosa et al. 2011 (scikit-learn)", ("vanrijsbergen1979", "pedregosa2011")),
        ("Waudby-Smith and Ramdas 2024", ("waudbysmith2024",)),
    ],
)
def test_keys(cite: str, expected: tuple[str, ...]) -> None:
    assert keys([cite]) == expected
