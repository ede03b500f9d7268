"""Runs of HELM: metrics without bookkeeping, train trials as runs, perturbed forms as metrics of their own."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from support.more_logs import helm, helm_stat, notes, values, written


def test_bookkeeping_is_hidden_and_trials_are_runs(tmp_path: Path) -> None:
    rows = [(f"id{at}", trial, {"exact_match": float(at > trial), "f1": 0.5}) for trial in (0, 1) for at in range(5)]
    helm(tmp_path, rows)
    helm(tmp_path, rows, model="acme/old")
    scores = nf.read(tmp_path)
    assert scores.metrics == ("exact_match", "f1")
    assert (scores.systems, scores.datasets) == (("acme/new", "acme/old"), ("rivers",))
    assert scores.run is not None
    assert scores.run.labels == ("0", "1")
    assert scores.primary == {"rivers": "exact_match"}
    assert scores.pair().n == 5
    assert notes(scores) == ""  # no file of a run is a stranger


def test_arguments_of_a_scenario_are_part_of_the_dataset(tmp_path: Path) -> None:
    rows = [(f"id{at}", 0, {"exact_match": 1.0}) for at in range(3)]
    helm(tmp_path, rows, scenario="mmlu:subject=law")
    own = next(tmp_path.glob("*"))
    spec = json.loads((own / "run_spec.json").read_text())
    written(
        own / "run_spec.json", {**spec, "name": "mmlu:subject=law,model_deployment=x/y,method=joint,model=acme_new"}
    )
    assert nf.read(tmp_path).datasets == ("mmlu:subject=law,method=joint",)
    (own / "run_spec.json").unlink()
    own.rename(tmp_path / "mmlu:subject=art,model=acme_new_1")
    scores = nf.read(tmp_path)
    assert (scores.systems, scores.datasets) == (("acme/new_1",), ("mmlu:subject=art",))


def test_perturbed_forms_are_metrics_of_the_same_instances(tmp_path: Path) -> None:
    form = {"name": "dialect", "robustness": False, "fairness": True, "computed_on": "perturbed"}
    more = [
        {
            "instance_id": f"id{at}",
            "perturbation": form,
            "train_trial_index": 0,
            "stats": [helm_stat("exact_match", 0.0, perturbation=form)],
        }
        for at in range(2)
    ]
    worst = helm_stat("exact_match", 0.0, perturbation={**form, "computed_on": "worst"})
    averages = [helm_stat("exact_match", 1.0), worst]
    rows = [(f"id{at}", 0, {"exact_match": 1.0}) for at in range(3)]
    scores = nf.read(helm(tmp_path, rows, more=more, stats=averages))
    assert scores.metrics == ("exact_match", "exact_match/dialect")
    assert values(scores, "exact_match") == [1, 1, 1]
    assert values(scores, "exact_match/dialect")[:2] == [0, 0]
    assert math.isnan(values(scores, "exact_match/dialect")[2])
    assert "reports" not in notes(scores)


def test_the_best_of_one_is_no_metric_of_its_own(tmp_path: Path) -> None:
    rows = [(f"id{at}", 0, {"exact_match": 0.0, "exact_match@5": 0.0, "pass@2": 1.0}) for at in range(3)]
    assert nf.read(helm(tmp_path, rows)).metrics == ("exact_match", "pass@2")
    other = [(f"id{at}", 0, {"exact_match": 0.0, "exact_match@5": 1.0}) for at in range(3)]
    assert nf.read(helm(tmp_path / "x", other)).metrics == ("exact_match", "exact_match@5")


def test_averages_are_compared_and_those_without_items_named(tmp_path: Path) -> None:
    averages = [helm_stat("exact_match", 0.9), helm_stat("macro_f1", 0.8), helm_stat("num_instances", 3.0)]
    rows = [(f"id{at}", 0, {"exact_match": 1.0}) for at in range(3)]
    said = notes(nf.read(helm(tmp_path, rows, stats=averages)))
    assert "reports exact_match 0.9" in said
    assert "Only averages of macro_f1 on rivers are logged" in said


def test_splits_are_datasets(tmp_path: Path) -> None:
    more = [{"instance_id": "v1", "train_trial_index": 0, "stats": [helm_stat("exact_match", 0.0, "valid")]}]
    rows = [(f"id{at}", 0, {"exact_match": 1.0}) for at in range(3)]
    assert nf.read(helm(tmp_path, rows, more=more)).datasets == ("rivers [test]", "rivers [valid]")


def test_instances_that_ask_something_else_are_refused(tmp_path: Path) -> None:
    rows = [(f"id{at}", 0, {"exact_match": float(at % 2)}) for at in range(4)]
    helm(tmp_path, rows)
    own = helm(tmp_path, rows, model="acme/old")
    text = (own / "scenario_state.json").read_text()
    (own / "scenario_state.json").write_text(text.replace("long?", "wide?"))
    with pytest.raises(InputError, match="4 of 4 items of rivers have one id"):
        nf.read(tmp_path).pair()


@pytest.mark.parametrize("file", ["stats.json", "run_spec.json", "scenario_state.json"])
def test_other_files_of_a_run_are_refused(file: str, tmp_path: Path) -> None:
    own = helm(tmp_path, [(f"id{at}", 0, {"exact_match": 1.0}) for at in range(3)])
    written(own / "stats.json", [helm_stat("exact_match", 1.0)], 2)
    run = nofluke("read", str(own / file))
    assert run.code == 2
    assert "per_instance_stats.json" in run.err


def test_an_instance_without_the_metric_is_not_scored(tmp_path: Path) -> None:
    rows: list[Any] = [(f"id{at}", 0, {"exact_match": 1.0} if at else {}) for at in range(3)]
    scores = nf.read(helm(tmp_path, rows))
    assert len(scores.item.labels) == 3
    assert "acme/new: 1 not scored" in notes(scores)


def test_a_run_without_metrics_of_instances(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no metric of its instances"):
        nf.read(helm(tmp_path, [("id1", 0, {"logprob": -1.0})]))
