"""What planning and curves say where little or nothing can be said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.charts import draw
from nofluke.errors import InputError, MethodError
from nofluke.reports.build import build
from nofluke.reports.build.power_curve import build_power_curve
from nofluke.types import Sample
from nofluke.verbs.detectable_effect import detected, detected_in
from nofluke.verbs.power import planned


def pilot(n: int = 60) -> Sample:
    return as_sample(np.round(np.random.default_rng(1).normal(0.1, 1.0, n), 3), np.zeros(n))


@pytest.mark.parametrize("n", [3, 30])
def test_a_pilot_that_says_nothing_gives_a_true_sentence_for_the_paper(n: int) -> None:
    curve = nf.power_curve(as_sample(np.ones(n) * np.arange(n) if n == 3 else np.ones(n), np.zeros(n)))
    report = build_power_curve(curve)
    for text in (report.short, report.long, report.main.caption if report.main else ""):
        assert "nan" not in text
        assert "simulated" not in text
        assert "cannot" in text
    with pytest.raises(MethodError, match="nothing to draw of this result: it needs two sizes or more") as caught:
        draw(curve)
    assert "cannot say how many items are needed" in caught.value.advice()


def test_nothing_detectable_is_said_in_words() -> None:
    report = build(detected("permutation", n=4, sd=1.0))
    assert "4 items no true difference, however large, would be found with power 0.8" in report.long
    report = build(detected("sign", n_untied=50))
    assert "A would be found better with power 0.8" in report.long
    many = planned("replicate", n=[100, 150], datasets=2, claim=1, difference=[0.2, 0.3], sd=1.0)
    assert "difference of differs" not in build(many).long


def test_one_test_set_is_no_evidence_that_items_are_enough() -> None:
    once = nf.power_curve(pilot(), method="paired_t", difference=1.5, sizes=[40, 80], iterations=1)
    assert once.power[0] == 1
    said = " ".join(str(once).split())
    assert "40 items or fewer may be enough" in said
    assert "not certain" in said
    assert "Fewer than 40 to more than 80 items (95% band of 1 drawn test set per size)." in said
    assert build_power_curve(once).long.startswith("Perhaps 40 items")
    often = nf.power_curve(pilot(), method="paired_t", difference=1.5, sizes=[40, 80], iterations=200)
    assert "40 items or fewer are enough" in str(often)
    assert build_power_curve(often).short.startswith("40 items or fewer for power 0.8")


def test_a_target_that_one_test_set_missed_is_left_open() -> None:
    missed = nf.power_curve(pilot(), method="paired_t", difference=0.02, sizes=[10, 20], iterations=1)
    assert missed.power[-1] == 0
    said = " ".join(str(missed).split())
    assert "Power 0.8 is not reached: 20 items reveal a true gap of 0.02 in fewer than 1 of 100 test sets" in said
    assert "Power 0.8 may be reached all the same: 1 drawn test set per size leaves it between 0.00 and 0.97" in said


@pytest.mark.parametrize(
    ("call", "message", "fix"),
    [
        (lambda: nf.sample_size(difference=1, sd=1, power=0.05), "power = 0.05 is not above the level", "0.8"),
        (lambda: nf.detectable_effect(n=9, sd=1, power=0.01), "power = 0.01 is not above the level", "0.8"),
        (lambda: nf.power_curve(pilot(), difference=1.0, power=0.04), "power = 0.04 is not above the level", "0.8"),
        (
            lambda: nf.power("mcnemar", n=9, difference=0, disagreement=0),
            "disagreement = 0 says that both systems are right on the same items",
            "above 0",
        ),
        (lambda: nf.sample_size(difference=-1, sd=1, margin=0.5), "a true difference of -1", "larger margin"),
        (lambda: nf.power_curve(pilot(), difference=-1.0, margin=0.5), "a true difference of -1", "larger margin"),
        (lambda: nf.power(n=0.0, difference=1, sd=1), "n = 0 is not a number of items", "at least 2"),
        (lambda: detected_in(as_sample([1.0], [0.0])), "what these items could have found cannot be said: one", "plan"),
    ],
)
def test_absurd_questions_are_refused_with_the_reason(call: Any, message: str, fix: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.message.startswith(message)
    assert fix in caught.value.advice()


def test_results_without_charts_name_those_that_have_some() -> None:
    with pytest.raises(MethodError, match="there is no chart of a plan of items and power") as caught:
        draw(nf.sample_size(difference=1, sd=1))
    assert "a comparison of two systems" in caught.value.advice()


def test_the_axis_of_the_chart_counts_what_the_curve_counts() -> None:
    a = np.random.default_rng(2).integers(1, 6, (120, 2))
    sample = as_sample(a[:, 0], a[:, 1], clusters=[str(item // 4) for item in range(120)])
    chart = draw(nf.power_curve(sample, difference=0.5, sizes=[20, 40], iterations=20)).to_json()
    assert '"title": "clusters"' in chart
    assert '"title": "items"' not in chart
