"""Gates on logs as harnesses wrote them: what passes, what fails, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import nofluke as nf


@pytest.fixture
def logs(data: Callable[[str], Path]) -> Path:
    return data("logs/lm_eval").parent


def test_lm_eval_folders(logs: Path) -> None:
    small, large = (logs / "lm_eval" / "logs" / f"acme__toy-{size}" for size in ("small", "large"))
    better, worse = nf.gate(small, large), nf.gate(large, small)
    assert (better.outcome, worse.outcome) == ("passed", "worse")
    assert len(worse.rows) == 11
    assert {row.task for row in worse.rows if row.verdict == "worse"} == {
        "toy_mcq", "toy_translate", "toy_lm", "toy_lastword",
    }  # fmt: skip
    assert not any(row.coverage.lost for row in worse.rows)
    (row,) = (row for row in worse.rows if row.task == "toy_mcq")
    facts = json.loads((logs / "lm_eval" / "expected.json").read_text())
    # The newest whole run of each counts; a later one of 40 items does not.
    found = [
        max(
            own["tasks"]["toy_mcq"]["scores"]["acc,none"]
            for own in facts["runs"]
            if own["model"] == model and own["tasks"].get("toy_mcq", {}).get("items") == 80
        )
        for model in ("acme/toy-large", "acme/toy-small")
    ]
    assert row.scores == pytest.approx(found, abs=1e-9)
    average = nf.gate(small, large, require="not-worse", margin="average=0.05")
    assert average.averages[0].averaged == 9
    assert average.passed


def test_a_run_in_error_is_refused(logs: Path) -> None:
    flaky = sorted((logs / "inspect_eval" / "logs" / "errors").iterdir())
    with pytest.raises(nf.InputError, match="a run did not end"):
        nf.gate(flaky[0], flaky[1])
    with pytest.raises(nf.InputError, match="5 of the baseline's 40 items"):
        nf.gate(flaky[0], flaky[0])
    assert nf.gate(flaky[0], flaky[0], max_errors=0.15).passed


def test_inspect_epochs_are_runs(logs: Path) -> None:
    runs = {path.name[:19]: path for path in (logs / "inspect_eval" / "logs" / "ok").glob("*toy-math*")}
    one, other = sorted(runs.values())[:2]
    found = nf.gate(one, other)
    assert found.runs == (3, 3)
    assert found.rows[0].clusters == 10


def test_junit_files(logs: Path) -> None:
    large, small = (logs / "junit" / "logs" / f"toy-{size}.xml" for size in ("large", "small"))
    found = nf.gate(large, small)
    assert found.outcome == "worse"
    (row,) = found.rows
    # 12 lost and none won of 47: the swaps of McNemar's test.
    assert (row.n, row.lost, row.won) == (47, 12, 0)
    assert row.p_value == pytest.approx(2.0**-12)


def test_a_file_of_several_systems_needs_a_name(logs: Path) -> None:
    path = logs / "promptfoo" / "logs" / "eval.json"
    with pytest.raises(nf.InputError, match="holds 4 systems"):
        nf.gate(path, path)
    assert nf.gate(path, path, system="toy-large:prompt=plain").passed
