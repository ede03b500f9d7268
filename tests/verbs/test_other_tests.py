"""A comparison tells of every test of its data, as soon as it knows of any other."""

from __future__ import annotations

import json

import nofluke as nf
from nofluke.reports.build import build
from nofluke.types import note
from nofluke.types.load import from_dict
from nofluke.verbs.compare import with_other_tests

A = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3]
B = [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
ALONE = nf.compare(A, B, method="wilcoxon", margin=0.2, low=0, high=1)
OTHERS = [nf.test(A, B, "sign"), nf.test(A, B, "wilcoxon", zeros="pratt"), nf.test(A, B, alternative="greater")]


def test_each_other_test_is_told_once_in_the_order_given() -> None:
    again = nf.test(A, B, "wilcoxon", confidence_level=0.9)  # the comparison's own, at another level
    margin = ALONE.margin_test
    assert margin is not None
    found = with_other_tests(ALONE, [OTHERS[0], again, OTHERS[1], OTHERS[0], margin, OTHERS[2]])
    assert found.also_run == tuple(OTHERS)
    assert found.test == ALONE.test
    assert found.notes[:-1] == ALONE.notes
    assert found.notes[-1] == note("compare.other_tests", n=3)
    assert "3 other tests were run on these data. Report them all" in " ".join(str(found).split())


def test_the_report_shows_them_with_sides_and_p_values() -> None:
    report = build(with_other_tests(ALONE, OTHERS))
    table = report.sections[-1].table
    assert report.sections[-1].title == "All tests run on these data"
    assert table is not None
    assert [row[1] for row in table.rows] == ["two-sided", "greater", "two-sided", "two-sided", "greater"]
    assert table.rows[3][0] == "Wilcoxon signed-rank test (zeros pratt)"
    assert len({row[0] for row in table.rows}) == 5
    assert "sign (two-sided, p = " in report.long.partition("Tests run on these data: ")[2]
    assert "one of 5 tests run on these data" in report.short
    assert "one of 5 tests run on these data, no correction" in report.main.caption
    assert str(report.records[0]["also_run"]).count("p=") == 3


def test_without_others_nothing_changes_and_old_files_are_read() -> None:
    assert with_other_tests(ALONE, [ALONE.test]) is ALONE
    assert "also_run" not in ALONE.to_dict()
    assert "All tests run" not in nf.report(ALONE)
    told = with_other_tests(ALONE, OTHERS)
    for value in (ALONE, told):
        assert from_dict(json.loads(nf.report(value, "json"))).also_run == value.also_run  # type: ignore[attr-defined]
