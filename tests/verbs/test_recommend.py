"""The rule tables: complete, cited, and the paper's procedure by name."""

from __future__ import annotations

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError
from nofluke.inference.recommend.default import RULES
from nofluke.inference.recommend.rules import RANK, facts_of
from nofluke.registry import TESTS
from nofluke.types import note
from support.runs import with_runs


def test_every_rule_is_about_a_registered_test_and_cited() -> None:
    for rule in RULES:
        assert rule.method in TESTS
        assert rule.verdict in RANK
        assert any(character.isdigit() for character in rule.citation)
        assert rule.reason
        assert rule.when


@pytest.mark.parametrize(
    "sample",
    [
        as_sample([1, 0, 1], [0, 0, 1]),
        as_sample([1], [0]),
        as_sample(np.arange(60) % 7, np.arange(60) % 5),
        as_sample([0.1, 0.2], [0.2, 0.1]),
        as_sample([1, 0, 1, 1], [0, 0, 1, 0], clusters=list("xxyy")),
        as_sample(np.arange(120) % 7, np.arange(120) % 5, clusters=np.arange(120) // 2),
        with_runs(np.arange(24).reshape(8, 3) % 7.0, np.arange(24).reshape(8, 3) % 5.0),
    ],
    ids=["binary", "one item", "ratings", "two items", "few clusters", "many clusters", "runs"],
)
def test_every_test_is_judged_once_for_any_data(sample: nf.Sample) -> None:
    choices = nf.recommend(sample)
    # Tests of training runs, and of averages alone, are spoken of where there are any.
    wanted = [method.name for method in TESTS if sample.runs is not None or not method.facts["runs"]]
    wanted = [name for name in wanted if sample.runs is not None or name not in ("mover", "stratified_t")]
    assert sorted(choice.method for choice in choices) == sorted(wanted)
    assert choices[0].verdict == "preferred"
    assert sum(choice.verdict == "preferred" for choice in choices) == 1


def test_the_preferred_test_runs() -> None:
    for a, b in (([1, 0, 1], [0, 0, 1]), ([1], [0]), ([0.5, 0.2], [0.1, 0.1])):
        assert 0 < nf.compare(a, b).test.p_value <= 1


def test_zero_one_scores_prefer_mcnemar() -> None:
    choices = nf.recommend([1, 0, 1, 1], [0, 0, 1, 0])
    assert choices.preferred == "mcnemar"
    assert choices.verdict("tango") == "allowed"
    assert choices.verdict("no such test") == ""


def test_facts_do_not_depend_on_who_is_better() -> None:
    a, b = [0.3, 0.7, 0.5], [0.2, 0.9, 0.5]
    assert facts_of(as_sample(a, b)) == facts_of(as_sample([0.2, 0.7, 0.5], [0.3, 0.9, 0.5]))


@pytest.mark.parametrize(
    ("differences", "preferred", "inappropriate"),
    [
        (np.random.default_rng(0).normal(0, 1, 60), "paired_t", set()),
        (np.random.default_rng(1).standard_t(2, 400).clip(-30, 30), "wilcoxon", {"paired_t"}),
        (np.random.default_rng(2).exponential(1, 200), "sign", {"paired_t", "wilcoxon", "permutation", "bootstrap"}),
    ],
    ids=["normal", "symmetric", "skewed"],
)
def test_the_papers_procedure(differences: np.ndarray, preferred: str, inappropriate: set[str]) -> None:
    if preferred == "wilcoxon":
        differences = np.concatenate([differences, -differences])
    choices = nf.recommend(differences, np.zeros(len(differences)), rules="zhu2020")
    assert choices.preferred == preferred
    assert {c.method for c in choices if c.verdict == "inappropriate"} == inappropriate
    assert choices.notes == (note("choice.looked_first"),)
    result = nf.compare(differences, np.zeros(len(differences)), rules="zhu2020")
    assert result.test.method == preferred
    assert note("choice.looked_first") in result.notes
    assert "rise from 5% to 7.9%" in " ".join(str(result).split())
    # A test that was named beforehand is chosen by nobody's look at the data.
    named = nf.compare(differences, np.zeros(len(differences)), rules="zhu2020", method="sign")
    assert note("choice.looked_first") not in named.notes
    assert "false alarms" not in " ".join(nf.report(named, "text").split()).casefold()


def test_unknown_rules_and_clusters_are_refused() -> None:
    with pytest.raises(InputError, match="there is no set of rules 'zhu'"):
        nf.recommend([1, 2], [1, 1], rules="zhu")
    with pytest.raises(MethodError, match="come in clusters"):
        nf.recommend(as_sample([1, 0], [0, 0], clusters=["x", "y"]), rules="zhu2020")
