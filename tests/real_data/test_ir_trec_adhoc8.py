"""TREC-8 ad hoc: 129 runs on 50 topics, read from tables and from per-query files as trec_eval writes them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nofluke as nf
from nofluke.verbs.score import system_scores

NAME = "ir_trec_adhoc8"
FILES = {"adhoc8_ap": "map", "adhoc8_p10": "P_10", "adhoc8_rr": "recip_rank"}
SCIPY = {"mode": "normal", "snap": False}


@pytest.mark.parametrize("name", FILES)
def test_means_of_all_runs(name: str, data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]) -> None:
    facts = expected(NAME)["files"][name]
    means = system_scores(nf.read(data(NAME) / f"{name}.csv"))
    assert len(means) == facts["n_runs"]
    ordered = sorted(means, key=lambda run: -means[run])
    assert {run: means[run] for run in facts["best5"]} == pytest.approx(facts["best5"], abs=5e-7)
    assert sorted(means[run] for run in ordered[:5]) == pytest.approx(sorted(facts["best5"].values()), abs=5e-7)
    assert {ordered[-1]: means[ordered[-1]]} == pytest.approx(facts["worst"], abs=5e-7)
    assert sum(means.values()) / len(means) == pytest.approx(facts["mean_of_means"], rel=1e-9)


@pytest.mark.parametrize("name", FILES)
def test_one_sided_tests_of_the_pair(
    name: str, data: Callable[[str], Path], expected: Callable[[str], dict[str, Any]]
) -> None:
    sample = nf.read(data(NAME) / f"{name}.csv").pair("run126", "run125")
    facts = expected(NAME)["files"][name]["run126_vs_run125"]
    assert sample.n == expected(NAME)["files"][name]["n_topics"]
    ranks = nf.test(sample, "wilcoxon", alternative="greater", continuity=True, **SCIPY)
    key = "wilcoxon_asymptotic_continuity_greater_p (R wilcox.test default with ties/zeros)"
    assert ranks.p_value == pytest.approx(facts[key], rel=1e-9)
    signs = nf.test(sample, "sign", alternative="greater")
    assert signs.p_value == pytest.approx(facts["sign_binomtest_greater_p"], rel=1e-9)
    # SciPy prints the smaller of the two rank sums, ours is that of the items on which A is better.
    mirrored = nf.read(data(NAME) / f"{name}.csv").pair("run125", "run126")
    sums = [nf.test(one, "wilcoxon", **SCIPY).statistic for one in (sample, mirrored)]
    assert min(sums) == facts["wilcoxon_scipy_default_two_sided_W_p"][0]


@pytest.mark.parametrize("order", ["trec_eval", "ir_measures"])
def test_per_query_files_say_the_same(order: str, data: Callable[[str], Path], tmp_path: Path) -> None:
    rows: dict[str, list[str]] = {"run126": [], "run125": []}
    for name, measure in FILES.items():
        with (data(NAME) / f"{name}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                topic = row["topic"]
                for run, lines in rows.items():
                    cells = (f"{measure:22}", topic) if order == "trec_eval" else (topic, measure)
                    lines.append("\t".join((*cells, row[run])))
    for run, lines in rows.items():
        (tmp_path / f"{run}.eval").write_text("\n".join(lines) + "\n")
    scores = nf.read({run: tmp_path / f"{run}.eval" for run in rows})
    assert {source.format for source in scores.sources} == {"trec"}
    for name, measure in FILES.items():
        ours = nf.compare(scores.pair("run126", "run125", metric=measure))
        table = nf.compare(nf.read(data(NAME) / f"{name}.csv").pair("run126", "run125"))
        assert ours.test.p_value == table.test.p_value
        assert ours.scores == table.scores
