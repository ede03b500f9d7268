"""What plans and power curves say: the answers of every command, in every situation, as they are printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.power.curves import fields, rule
from nofluke.inference.power.designs import DESIGNS
from nofluke.registry import ABOUT
from nofluke.types import Sample, Value, note
from nofluke.types.load import PLANS, from_dict
from nofluke.verbs.detectable_effect import detected, detected_in
from nofluke.verbs.power import planned
from nofluke.words import answer, planning, short
from nofluke.words.layout import WIDTH, as_lines
from nofluke.words.notes import power as sayings
from support.command_line import nofluke
from support.snapshots import check_snapshot

# Words of the house that no user should have to learn.
JARGON = ("separated", "spread from", "wished", "such test sets", "oriented", "hangs on", "say as much as", " alpha")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"q{i},d{i // 4},{(i * 7 % 13) / 10},{(i * 5 % 11) / 10}" for i in range(60)]
    (tmp_path / "pilot.csv").write_text("item,doc,new,old\n" + "\n".join(rows) + "\n")
    (tmp_path / "same.csv").write_text("item,new,old\n" + "".join(f"q{i},{i % 2},{i % 2}\n" for i in range(50)))
    return tmp_path


PILOT = ("pilot.csv", "--columns", "ignore=doc")
CLUSTERS = ("pilot.csv", "--columns", "cluster=doc")
ANSWERS: dict[str, tuple[str, ...]] = {
    "plan_mean": ("plan", "--difference", "0.02", "--sd", "0.2"),
    "plan_runs": ("plan", "--difference", "0.03", "--sd", "0.3", "--run-sd", "0.01", "--answer-sd", "0.3", "--tests",
                  "5"),
    "plan_accuracy": ("plan", "--accuracy-a", "0.9", "--accuracy-b", "0.88", "--disagreement", "0.1"),
    "plan_sign": ("plan", "--test", "sign", "--prob-a-better", "0.7"),
    "plan_margin": ("plan", "--sd", "0.2", "--margin", "0.01", "--tests", "5", "--design-effect", "2"),
    "plan_tango": ("plan", "--accuracy-a", "0.9", "--accuracy-b", "0.9", "--disagreement", "0.1", "--margin", "0.02"),
    "plan_one_sided": ("plan", "--difference", "-0.05", "--sd", "0.2", "--alternative", "less"),
    "plan_unpaired": ("plan", "--test", "welch_t", "--difference", "0.05", "--sd", "0.2", "--sd-b", "0.3"),
    "plan_replicate": ("plan", "--test", "replicate", "--datasets", "6", "--claim", "4", "--difference", "0.2",
                       "--sd", "1"),
    "power_accuracy": ("plan", "--accuracy-a", "0.9", "--accuracy-b", "0.88", "--disagreement", "0.1", "--n", "1000"),
    "power_wilcoxon": ("plan", "--test", "wilcoxon", "--difference", "0.5", "--sd", "1", "--n", "8"),
    "power_never": ("plan", "--test", "sign", "--prob-a-better", "0.7", "--n", "4"),
    "power_of_nothing": ("plan", "--difference", "0", "--sd", "1", "--n", "50"),
    "power_replicate": ("plan", "--test", "replicate", "--datasets", "3", "--claim", "2", "--n", "100,150,200",
                        "--difference", "0.2,0.2,0.1", "--sd", "1"),
    "detect_mean": ("detect", "--n", "100", "--sd", "1"),
    "detect_sign": ("detect", "--n", "100", "--test", "sign"),
    "detect_margin": ("detect", "--n", "500", "--disagreement", "0.1", "--margin", "0.02"),
    "detect_nothing": ("detect", "--n", "4", "--test", "sign"),
    "detect_few_disagreements": ("detect", "--n", "100", "--disagreement", "0.02"),
    "detect_in_file": ("detect", *PILOT),
    "detect_in_clusters": ("detect", *CLUSTERS),
    "curve": ("curve", *PILOT, "--difference", "0.1"),
    "curve_nothing_stated": ("curve", *PILOT, "--alternative", "greater"),
    "curve_observed": ("curve", *PILOT, "--difference", "observed", "--method", "wilcoxon"),
    "curve_not_reached": ("curve", *PILOT, "--difference", "0.01", "--up-to", "300"),
    "curve_margin": ("curve", *PILOT, "--margin", "0.1", "--low", "0", "--high", "1.5"),
    "curve_formula": ("curve", *PILOT, "--difference", "0.1", "--method", "paired_t", "--form", "normal"),
    "curve_sign": ("curve", *PILOT, "--difference", "0.1", "--method", "sign", "--tests", "4"),
    "curve_clusters": ("curve", *CLUSTERS, "--difference", "0.1"),
    "curve_without_spread": ("curve", "same.csv"),
    "curve_plain": ("curve", *PILOT, "--difference", "0.1", "--plain"),
    "curve_quiet": ("curve", *PILOT, "--difference", "0.1", "-q"),
    "curve_details": ("curve", *PILOT, "--difference", "0.1", "--sizes", "4", "--details"),
    "plan_details": ("plan", "--difference", "0.02", "--sd", "0.2", "--details"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_on_a_pipe(name: str, folder: Path) -> None:
    run = nofluke("power", *ANSWERS[name], cwd=folder)
    assert run.code == 0, run.err
    if not name.endswith("_details"):
        lines = run.out.rstrip("\n").split("\n")
        assert len(lines) <= 15
        assert all(len(line) <= WIDTH for line in lines)
        assert not [word for word in JARGON if word in run.out]
    check_snapshot(f"power/{name}", run.out)


def test_a_narrow_window_gets_one_fact_a_line() -> None:
    lines = as_lines(answer(detected("paired_t", n=100, sd=1)), 40)  # type: ignore[arg-type]
    assert all(len(line) <= 40 for line in lines)
    check_snapshot("power/detect_narrow", "\n".join(lines) + "\n")


def test_the_picture_of_a_curve_shows_the_target_in_characters_of_every_terminal() -> None:
    made = answer(nf.power_curve(pilot(), difference=0.4, sizes=5, iterations=100))
    assert made is not None
    assert made.table is not None
    assert {bar.null for bar in made.table.bars if bar is not None} == {0.8}
    lines = as_lines(made, glyphs=False)
    assert "\n".join(lines).isascii()
    assert any("[" in line and "|" in line for line in lines)


def pilot(n: int = 60, **given: Any) -> Sample:
    a = np.round(np.random.default_rng(1).normal(0.1, 1.0, n), 3)
    return as_sample(a, np.zeros(n), names=("new", "old"), **given)


def same_systems(n: int) -> Sample:
    return as_sample(np.ones(n), np.ones(n), names=("new", "old"))


CURVE: dict[str, Any] = {"sizes": 4, "iterations": 20}
VALUES: dict[str, Callable[[], Value]] = {
    "size": lambda: nf.sample_size(difference=0.02, sd=0.2, tests=3, adjust="bonferroni", design_effect=1.5),
    "size_accuracy": lambda: nf.sample_size("mcnemar", p10=0.1, p01=0.05),
    "size_replicate": lambda: nf.sample_size("replicate", datasets=3, claim=2, difference=[0.2, 0.3, 0.2], sd=1.0),
    "power_margin": lambda: planned("tango", n=200, difference=0.0, disagreement=0.1, margin=0.03),
    "power_replicate": lambda: planned("replicate", n=list(range(100, 120)), datasets=20, claim=5, difference=0.2,
                                       sd=1.0),
    "power_never": lambda: planned("sign", n_untied=4, prob_a_better=0.9),
    "detect": lambda: detected("mcnemar", n=500, disagreement=0.1),
    "detect_less": lambda: detected("permutation", n=80, sd=1.0, alternative="less"),
    "detect_nothing": lambda: detected("permutation", n=4, sd=1.0),
    "detect_in": lambda: detected_in(pilot(clusters=[str(i // 4) for i in range(60)])),
    "curve": lambda: nf.power_curve(pilot(), difference=0.4, **CURVE),
    "curve_scenarios": lambda: nf.power_curve(pilot(), **CURVE),
    "curve_observed": lambda: nf.power_curve(pilot(), difference="observed", **CURVE),
    "curve_margin": lambda: nf.power_curve(pilot(), margin=0.4, **CURVE),
    "curve_few": lambda: nf.power_curve([1, 2, 3, 4, 5], [2, 2.5, 1, 4.5, 6], **CURVE),
    "curve_same": lambda: nf.power_curve(same_systems(30)),
    "curve_tiny": lambda: nf.power_curve(same_systems(3)),
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_words_are_made_of_the_value_alone(kind: str) -> None:
    result = VALUES[kind]()
    back = from_dict(json.loads(json.dumps(result.to_dict())))
    assert str(back) == str(result)
    for form in ("text", "markdown", "latex"):
        assert nf.report(back, form) == nf.report(result, form)
    assert not [name for name in ("headline", "sentences") if hasattr(result, name)]


# Schema 1


# What each of the three types of plans had alone, by what a plan of today was asked.
ALONE = {
    "n": ("SampleSize", {"n_exact", "target", "half", "power"}),
    "power": ("PlannedPower", {"sizes", "reason", "power"}),
    "difference": ("DetectableEffect", {"threshold", "target", "by_power", "standard_error", "design_effect", "reason",
        "systems", "n_items"}),
}  # fmt: skip


def of_three_types(stored: dict[str, Any]) -> dict[str, Any]:
    """A plan as it was stored when there were three types of them; anything else as it is."""
    if stored["type"] != "PowerPlan":
        return stored
    kind, own = ALONE[stored["asked"]]
    others = {"asked"}.union(*(alone for _, alone in ALONE.values())) - own
    return {name: value for name, value in stored.items() if name not in others} | {"type": kind}


@pytest.mark.parametrize("name", [name for name in VALUES if not name.startswith("curve")])
def test_a_plan_of_one_of_three_types_is_read(name: str) -> None:
    plan = VALUES[name]()
    stored = of_three_types(plan.to_dict())
    assert stored["type"] in PLANS
    assert json.dumps(from_dict(stored).to_dict()) == json.dumps(plan.to_dict())


def as_schema_1(result: Value, headline: str, **changed: Any) -> dict[str, Any]:
    """The dictionary that was stored: sentences, notes as text, no terms."""
    stored = json.loads(json.dumps(result.to_dict()))
    new = ("terms", "half", "bound", "reason", "sizes", "systems", "n_items", "standard_error", "size_by_formula")
    keep = ("systems", "sizes") if stored["type"] == "PowerCurve" else ("standard_error",)
    fields = {name: value for name, value in of_three_types(stored).items() if name not in new or name in keep}
    fields.pop("computed", None)
    return {**fields, "schema": 1, "headline": headline, "assumptions": ["items are like these"], "notes": ["a note"],
            **changed}  # fmt: skip


def test_a_plan_of_schema_1_is_read_with_its_terms() -> None:
    size = nf.sample_size(difference=0.02, sd=0.2, tests=3)
    said = ["The power with so many items is 0.8003.", f"Half that difference would need {size.half:,} items."]
    back: Any = from_dict(as_schema_1(size, "1,049 items are needed.", sentences=said))
    assert (back.n, back.half, back.terms) == (size.n, size.half, size.terms)
    assert [str(one) for one in (*back.assumptions, *back.notes)] == ["items are like these", "a note"]
    assert str(back).splitlines()[0] == str(size).splitlines()[0]


def test_other_plans_of_schema_1_are_read() -> None:
    many: Any = VALUES["power_replicate"]()
    said = ["Counted as nf.replicate does.", "So many different datasets leave a lower bound: at least k of them."]
    back: Any = from_dict(as_schema_1(many, "With 100 to 119 items", sentences=said, label="replicability"))
    assert (back.sizes, back.bound, back.terms) == (many.sizes, True, many.terms)
    found: Any = VALUES["detect_in"]()
    said = ["Smaller true differences would often be missed: where new and old are not separated, that does not make "
            "them equal."]  # fmt: skip
    back = from_dict(as_schema_1(found, "With 15 clusters", sentences=said))
    assert (back.systems, back.n_items) == (("new", "old"), 60)
    assert answer(back).verdict == answer(found).verdict  # type: ignore[union-attr]


def test_a_curve_of_schema_1_is_read() -> None:
    curve: Any = VALUES["curve"]()
    stored = as_schema_1(curve, "about 90 items are needed", sentences=[], inner="p-values: exact")
    back: Any = from_dict(stored)
    assert str(back.computed) == "p-values: exact"
    assert (back.n_items, back.tests) == (60, 1)
    assert answer(back).verdict == answer(curve).verdict  # type: ignore[union-attr]
    same: Any = VALUES["curve_same"]()
    headline = "This pilot cannot say how many items are needed: new and old score the same on all 30 items."
    back = from_dict(as_schema_1(same, headline, sentences=[], inner="nothing was drawn"))
    assert str(back.reason) == "New and old score the same on all 30 items."


# Codes and facts


def test_every_assumption_of_a_design_and_every_rule_of_a_curve_has_its_sentence() -> None:
    codes = {code for design in DESIGNS.values() for code in design.assumptions}
    assert codes <= {f"power.{what}" for what in sayings.POWER}
    hows = [rule.EXACT, rule.SADDLEPOINT, rule.NORMAL, rule.TANGENT, rule.THE_TEST, rule.THE_TEST_OR_SILENT]
    for how in (*hows, rule.FORMULA):
        assert str(fields.how_computed(rule.Rule(np.sum, how), None))
    assert "39 swaps" in str(fields.how_computed(rule.Rule(np.sum, rule.SWAPS, draws=39), None))
    assert set(sayings.ABOUT) == set(ABOUT) - {"mean"}
    assert all("mean score" in str(note("power.other_question", about=about)) for about in sayings.ABOUT)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("test", ["permutation", "sign", "wilcoxon"])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
def test_the_reason_of_a_power_of_none_is_true(test: str, alternative: str, n: int) -> None:
    """Against the test itself, run on items that all point the same way."""
    effect = {"n_untied": n} if test == "sign" else {"n": n, "sd": 1.0}
    found = detected(test, **effect, alternative=alternative)
    smallest = nf.test(np.arange(1.0, n + 1), np.zeros(n), test, alternative=alternative).p_value
    assert (found.reason is not None) == (smallest > 0.05) == bool(np.isnan(found.difference))
    if found.reason is not None:
        assert found.reason["least"] == pytest.approx(smallest)
        assert f"no p-value is below {smallest:.3g}" in str(answer(found).verdict)  # type: ignore[union-attr]


@pytest.mark.parametrize("power", [0.0004, 0.0049, 0.0051, 0.1, 0.5, 0.5444, 0.8, 0.9949, 0.995, 0.9951, 0.99999])
def test_how_often_is_never_said_as_none_or_all(power: float) -> None:
    said = planning.often(power)
    assert not said.startswith(("0 of", "100 of 100", "10 of 10 "))
    number, base = said.removeprefix("more than ").removeprefix("fewer than ").replace(",", "").split(" of ")
    assert abs(int(number) / int(base.split()[0]) - power) <= 0.01


def test_a_pilot_that_finds_nothing_draws_no_curve_of_an_unknown_difference() -> None:
    """Five items have no significant permutation test, so without a stated difference there is none to draw for."""
    curve: Any = nf.power_curve([1, 2, 3, 4, 5], [2, 2.5, 1, 4.5, 6])
    assert (len(curve.sizes), curve.reason.code) == (0, "power.pilot_reveals_nothing")
    assert "nan" not in nf.report(curve, "text")
    assert "These 5 items reveal no gap, however large, in 8 of 10 test sets" in str(curve).replace("\n", " ")
    assert len(nf.power_curve([1, 2, 3, 4, 5], [2, 2.5, 1, 4.5, 6], difference=1.0, iterations=20).sizes) > 1
    six: Any = nf.power_curve([1, 2, 3, 4, 5, 6], [2, 2.5, 1, 4.5, 6, 3], iterations=20)
    assert six.reason is None
    assert six.scenarios


def test_gaps_are_never_negative_and_name_whom_they_favour() -> None:
    rng = np.random.default_rng(3)
    worse, better = (rng.normal(mean, 1, 80).round(2) for mean in (0.0, 0.8))
    table = short(nf.power_curve(as_sample(worse, better), **CURVE)).split("\n\n")[1]
    assert "-0" not in table
    low, high = (next(line for line in table.splitlines() if end in line) for end in ("lower end", "upper end"))
    assert "B better" in low
    assert "B better" in high
    assert float(low.split()[-2]) < float(high.split()[-2])


def test_mcnemar_is_named_where_compare_names_it() -> None:
    rng = np.random.default_rng(3)
    right = as_sample(rng.integers(0, 2, 80), rng.integers(0, 2, 80))
    assert nf.compare(right).test.method == "mcnemar"
    assert "McNemar's" in short(detected_in(right))
    graded = as_sample(rng.normal(0, 1, 80).round(2), rng.normal(0, 1, 80).round(2))
    assert "McNemar" not in short(detected_in(graded))
