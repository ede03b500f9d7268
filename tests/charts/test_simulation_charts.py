"""Pictures of calibration, audit and the papers' simulations: they are drawn, and show what the study says."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

pytest.importorskip("altair")

import nofluke as nf
from nofluke.charts import chart_names, draw, rendered
from nofluke.studies.audit_study import audit
from nofluke.studies.calibration_study import calibration
from nofluke.studies.multiplicity_study import multiplicity
from nofluke.studies.sample_size import sample_size_study
from nofluke.studies.simulated import simulate_scores
from nofluke.studies.synthesis import synthesize, synthesized
from nofluke.types import Study
from support.pictures import rows_drawn


class Majority:
    """Answers what was most frequent in training."""

    def fit(self, _: Any, y: Any) -> None:
        self.answer = max(set(y), key=list(y).count)

    def predict(self, x: Any) -> list[int]:
        return [self.answer] * len(x)


ROWS = ([[0]] * 9, [0, 1, 1, 0, 1, 0, 1, 1, 0])


def studies() -> dict[str, Study]:
    scores = simulate_scores({f"s{i}": i / 20 for i in range(5)}, n=300, kind="continuous")
    return {
        "k_hat_histogram": multiplicity(datasets=30, effects=2, repetitions=300),
        "p_value_by_size": sample_size_study(sizes=[30, 100, 300], iterations=4),
        "calibration_plot": calibration(scores, test_sets=6),
        "training_sizes": synthesized(synthesize({"m": Majority()}, ROWS, ROWS, sizes=[9, 4], systems=3)),
        "audit": audit([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8], ["paired_t", "permutation"], iterations=200),
    }


STUDIES = studies()


@pytest.mark.parametrize("name", STUDIES)
def test_each_study_has_its_chart(name: str) -> None:
    study = STUDIES[name]
    assert chart_names(study) == (name,) == study.charts
    picture = rendered(draw(study), "svg")
    assert isinstance(picture, str)
    assert picture.startswith("<svg")
    assert "NaN" not in picture


def test_the_histogram_marks_what_is_too_much() -> None:
    rows = rows_drawn(STUDIES["k_hat_histogram"], "k_hat_histogram")
    assert {row["claimed"] for row in rows if row["side"] == "at most the truth"} == {0, 1, 2}
    count = {row["claimed"]: row["share"] for row in rows if row["method"] == "Counting"}
    assert sum(count.values()) == pytest.approx(1, abs=0.01)


def test_the_curve_has_every_panel() -> None:
    rows = rows_drawn(STUDIES["p_value_by_size"], "p_value_by_size")
    assert {row["panel"][:3] for row in rows if "panel" in row} == {"(a)", "(b)", "(c)", "(d)"}
    assert all(row["low"] <= row["mean"] <= row["high"] for row in rows if "panel" in row)


def test_the_calibration_shows_the_shares_of_the_table() -> None:
    study = STUDIES["calibration_plot"]
    rows = [row for row in rows_drawn(study, "calibration_plot") if "comparisons" in row]
    table = study.tables["by p-value"]
    shares = [share for share, count in zip(table["share"], table["comparisons"], strict=True) if count]
    assert {row["share"] for row in rows} == set(shares)


def test_the_audit_shows_both_sides() -> None:
    rows = [row for row in rows_drawn(STUDIES["audit"], "audit") if "claim" in row]
    assert {row["claim"] for row in rows} == {"A and B differ", "A is better", "B is better"}
    assert {row["test"] for row in rows} == {"paired_t", "permutation"}


def test_the_audit_names_the_systems() -> None:
    sample = nf.studies.simulate_scores({"tuned": 0.2, "base": 0.0}, n=40, kind="continuous").pair()
    rows = rows_drawn(nf.studies.audit(sample, "paired_t", iterations=100), "audit")
    assert {row["claim"] for row in rows if "claim" in row} == {
        "tuned and base differ",
        "tuned is better",
        "base is better",
    }


def picture(study: Study) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(str(rendered(draw(study), "json")))
    return found


def test_claims_beyond_the_edge_are_told() -> None:
    study = multiplicity("dror", repetitions=4_000)
    rows = rows_drawn(study, "k_hat_histogram")
    last, most = max(row["claimed"] for row in rows), max(study.tables["too many claimed"]["largest k-hat"])
    assert last < most
    said = picture(study)["title"]["subtitle"]
    assert said[1].startswith(f"Not shown, more than {last}: ")
    assert "Fisher in 0." in said[1]
    whole = multiplicity(datasets=3, repetitions=200)
    assert len(picture(whole)["title"]["subtitle"]) == 1


@pytest.mark.parametrize(
    ("alone", "several"),
    [
        (
            audit([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8], "paired_t", iterations=100),
            STUDIES["audit"],
        ),
        (
            sample_size_study([("normal(1,1)", "normal(0,1)", "paired_t")], sizes=[30, 60], iterations=2),
            STUDIES["p_value_by_size"],
        ),
    ],
    ids=["audit", "sample-size"],
)
def test_one_panel_fills_the_picture(alone: Study, several: Study) -> None:
    assert picture(alone)["columns"] == 1
    assert picture(several)["columns"] == 2
    assert picture(alone)["spec"]["width"] > picture(several)["spec"]["width"]


def test_sizes_of_points_are_explained_up_to_the_largest() -> None:
    rows = ["item,dataset,system,score"]
    for name in ("home", "away", "far"):
        rows += [f"{name}{i},{name},s{s},{(i * 7 + s * 3) % 10 / 10 + s / 9}" for i in range(40) for s in range(5)]
    study = calibration(nf.read(io.StringIO("\n".join(rows))), across=True, method="paired_t")
    legend = picture(study)["layer"][2]["encoding"]["size"]["legend"]
    assert legend["values"][-1] == max(study.series["calibration"].columns["comparisons"])
    assert min(legend["values"]) > 0


def test_every_synthesized_system_is_a_point() -> None:
    rows = rows_drawn(STUDIES["training_sizes"], "training_sizes")
    assert [row["size"] for row in rows] == [9, 9, 9, 4, 4, 4]
