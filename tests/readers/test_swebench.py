"""Run reports of SWE-bench: every instance of any list is an item, and what counts 0 is chosen."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.formats.kept import keep
from support.more_logs import notes, swebench, values, written

LISTS = {
    "resolved": ["a__a-1", "a__a-2"],
    "unresolved": ["a__a-3"],
    "empty_patch": ["b__b-1"],
    "error": ["b__b-2"],
    "incomplete": ["b__b-3"],
    "infra_failure": ["c__c-d-1"],
}


def test_what_counts_is_chosen(tmp_path: Path) -> None:
    path = swebench(tmp_path / "acme__agent-1.5.run-2.json", **LISTS)
    scores = nf.read(path)
    assert (scores.systems, scores.metrics) == (("acme/agent-1.5",), ("resolved",))
    assert [value for value in values(scores, "resolved") if value == value] == [1, 1, 0, 0]
    assert "2 in error" in notes(scores)
    assert "as the SWE-bench leaderboard does" in notes(scores)
    zero = nf.read(path, on_error="zero", on_unscored="zero", cluster="repository")
    assert values(zero, "resolved") == [1, 1, 0, 0, 0, 0, 0]
    assert zero.cluster is not None
    assert zero.cluster.labels == ("a__a", "b__b", "c__c-d")
    assert "leaderboard" not in notes(zero)
    # A failure of the infrastructure is no fault of the system.
    assert math.isnan(values(nf.read(path, on_error="zero"), "resolved")[-1])


def test_what_counts_can_be_chosen_of_kept_scores(tmp_path: Path) -> None:
    keep(nf.read(swebench(tmp_path / "a.r.json", **LISTS)), tmp_path / "kept.parquet")
    assert "as the SWE-bench leaderboard does" in notes(nf.read(tmp_path / "kept.parquet"))
    zero = nf.read(tmp_path / "kept.parquet", on_error="zero", on_unscored="zero")
    assert values(zero, "resolved") == [1, 1, 0, 0, 0, 0, 0]
    assert "counted as 0" in notes(zero)
    assert "so missing" not in notes(zero)


def test_two_runs_of_a_model_are_two_systems_or_two_runs(tmp_path: Path) -> None:
    for run in ("v1", "v2"):
        swebench(tmp_path / f"acme__agent.{run}.json", **LISTS)
    assert nf.read(tmp_path).systems == ("acme/agent:run_id=v1", "acme/agent:run_id=v2")
    scores = nf.read(tmp_path, logs="all", system_by="model")
    assert scores.systems == ("acme/agent",)
    assert scores.run is not None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"resolved_ids": ["a__a-1", "a__a-3"]}, "stands in resolved_ids and in unresolved_ids"),
        ({"resolved_ids": ["a__a-1"]}, "resolved_ids has 1 instances, not 2"),
        ({"submitted_ids": ["z__z-1"]}, "nothing says what became of z__z-1"),
        ({"error_ids": "b__b-2"}, "error_ids is no list"),
    ],
)
def test_lists_that_do_not_go_together(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = swebench(tmp_path / "a.r.json", **LISTS)
    written(path, json.loads(path.read_text()) | change)
    with pytest.raises(InputError, match=said):
        nf.read(path)


def test_reports_of_single_instances_do_not_say_what_failed(tmp_path: Path) -> None:
    for name in ("a__a-1", "a__a-2"):
        folder = tmp_path / "logs" / "run_evaluation" / "v1" / "acme__agent" / name
        folder.mkdir(parents=True)
        report = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True, "resolved": True}
        written(folder / "report.json", {name: report}, 4)
    with pytest.raises(InputError, match="the report of one instance") as caught:
        nf.read(tmp_path / "logs")
    assert "--run_id" in str(caught.value.fix)
    # Beside the report of the run they are passed over.
    swebench(tmp_path / "acme__agent.v1.json", **LISTS)
    assert nf.contents(nf.read(tmp_path)).items == 7
