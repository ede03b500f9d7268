"""JUnit XML: failures are 0, errors and skips have no score, repeats are runs, and nothing declared is read."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke


def case(name: str, inside: str = "", group: str = "test_evals") -> str:
    return f'<testcase classname="{group}" name="{name}">{inside}</testcase>'


def suite(*cases: str, name: str = "pytest") -> str:
    return f'<testsuite name="{name}" timestamp="2026-01-01T00:00:00">{"".join(cases)}</testsuite>'


def written(path: Path, *suites: str, before: str = "") -> Path:
    path.write_text(
        f'<?xml version="1.0" encoding="utf-8"?>{before}<testsuites name="pytest tests">{"".join(suites)}</testsuites>'
    )
    return path


@pytest.mark.parametrize("hiding", ["<!-- <testsuite > -->", "<?note <testsuite > ?>", "", "<!--\n-->"])
def test_declarations_are_found_behind_whatever_comes_before_them(tmp_path: Path, hiding: str) -> None:
    entity = '<!DOCTYPE testsuites [<!ENTITY name "t9">]>'
    path = written(tmp_path / "a.xml", suite(case("&name;"), case("t1")), before=hiding + entity)
    with pytest.raises(InputError, match="declares a document type"):
        nf.read(path)


def test_a_long_line_after_the_declaration_is_known(tmp_path: Path) -> None:
    cases = [case(f"t{at}") for at in range(2000)]
    path = written(tmp_path / "a.xml", suite(*cases), before="\n")
    assert len(nf.read(path).item.labels) == 2000


def test_what_passed_failed_or_was_not_run(tmp_path: Path) -> None:
    inside = ("", "<failure/>", "<error/>", '<skipped type="pytest.skip"/>', '<skipped type="pytest.xfail"/>')
    cases = [case(f"t{at}", one) for at, one in enumerate(inside)]
    scores = nf.read(written(tmp_path / "large.xml", suite(*cases)))
    assert (scores.systems, scores.datasets, scores.metrics) == (("large",), ("pytest",), ("pass",))
    found = scores.statistics[:, 0].tolist()
    assert found[:2] == [1, 0]
    assert all(map(math.isnan, found[2:]))
    assert "large: 1 in error, 2 skipped" in str(scores.sources[0].notes[0])


def test_numbers_that_tests_record_are_metrics(tmp_path: Path) -> None:
    recorded = '<properties><property name="score" value="0.25"/><property name="model" value="x"/></properties>'
    scores = nf.read(written(tmp_path / "a.xml", suite(case("t1", recorded), case("t2"))))
    assert scores.metrics == ("pass", "score")
    assert scores.primary == {"pytest": "pass"}


def test_repeats_are_runs_only_where_all_are_there(tmp_path: Path) -> None:
    repeated = [case(f"t[{part}-{run}-3]") for part in ("x", "y") for run in (1, 2, 3)]
    scores = nf.read(written(tmp_path / "a.xml", suite(*repeated, case("u[1-3]"))))
    assert scores.item.labels == ("test_evals::t[x]", "test_evals::t[y]", "test_evals::u[1-3]")
    assert scores.run is not None
    assert scores.run.labels == ("1", "2", "3")
    plain = nf.read(written(tmp_path / "b.xml", suite(*(case(f"t[{run}-2]") for run in (1, 2)))))
    assert plain.item.labels == ("test_evals::t",)


def test_of_a_test_that_was_run_again_the_last_attempt_counts(tmp_path: Path) -> None:
    scores = nf.read(written(tmp_path / "a.xml", suite(case("t"), case("t", "<failure/>"), case("u"))))
    assert scores.statistics[:, 0].tolist() == [0, 1]
    assert "1 attempt of tests on pytest" in str(scores.sources[0].notes[0])


def test_suites_with_the_same_tests_are_systems(tmp_path: Path) -> None:
    suites = [
        suite(*(case(f"t{at}", fail if at < 3 else "", name) for at in range(8)), name=name)
        for name, fail in (("large", ""), ("small", "<failure/>"))
    ]
    scores = nf.read(written(tmp_path / "a.xml", *suites))
    assert scores.systems == ("large", "small")
    assert scores.pair().n == 8


def test_two_files_are_compared(tmp_path: Path) -> None:
    for name, fail in (("large", ""), ("small", "<failure/>")):
        written(tmp_path / f"{name}.xml", suite(*(case(f"t{at}", fail if at < 9 else "") for at in range(20))))
    run = nofluke("compare", str(tmp_path / "large.xml"), str(tmp_path / "small.xml"))
    assert run.code == 0, run.err
    assert "large is better than small" in run.out
    assert nf.read(tmp_path, cluster="classname").pair().clusters.max() == 0


@pytest.mark.parametrize(
    ("before", "inside", "said"),
    [
        ('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>', case("t"), "declares a document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd">', case("t"), "declares a document type"),
        ("", '<testcase name="t">', "no whole XML"),
        ("", case("&unknown;"), "no whole XML"),
    ],
)
def test_hostile_and_broken_files(before: str, inside: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path / "a.xml", suite(inside), before=before)
    with pytest.raises(InputError, match=said):
        nf.read(path)


def test_a_file_without_tests(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no test cases"):
        nf.read(written(tmp_path / "a.xml", suite()))


def test_files_of_a_folder_with_different_tests_are_one_system(tmp_path: Path) -> None:
    """Surefire writes a file per class, a run of several suites one per suite: pytest calls them all pytest."""
    for name, fail in (("base", ""), ("new", "<failure/>")):
        (tmp_path / name).mkdir()
        for part in ("unit", "e2e"):
            cases = [case(f"t{at}", fail if at < 3 else "", f"tests.{part}") for at in range(5)]
            written(tmp_path / name / f"{part}.xml", suite(*cases))
    for source in (tmp_path, [str(tmp_path / "base"), str(tmp_path / "new")], str(tmp_path / "*" / "*.xml")):
        scores = nf.read(source)
        assert (scores.systems, len(scores.item.labels)) == (("base", "new"), 10)
        assert nf.compare(scores).scores == pytest.approx((1.0, 0.4))
    # The same tests in two files are two systems, as ever.
    written(tmp_path / "base" / "again.xml", suite(*cases))
    assert nf.read(tmp_path / "base").systems == ("again", "e2e", "unit")


def test_a_test_that_is_switched_off_was_not_run(tmp_path: Path) -> None:
    off = '<testcase name="off" status="notrun"/>'
    scores = nf.read(written(tmp_path / "a.xml", suite(case("t"), off)))
    assert int(np.isnan(scores.statistics[:, 0]).sum()) == 1
