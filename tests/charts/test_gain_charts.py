"""Pictures of the studies of gains: they are drawn, and show the points and thresholds of the study."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("altair")

from nofluke.charts import chart_names, draw, rendered
from nofluke.studies import by_test_size, domain, gains, similarity
from nofluke.types import Series, Study
from support.pictures import rows_drawn


def systems(n: int = 200, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=n)
    return {f"s{i}": np.round(0.03 * i + difficulty + rng.normal(size=n), 2) for i in range(12)}


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    made = systems()
    groups = {name: "even" if int(name[1:]) % 2 == 0 else "odd" for name in made}
    return {
        "gains": gains(made, groups=groups, overlay={"others": systems(seed=4)}),
        "similarity": similarity(made),
        "test-size": by_test_size(made, sizes=(50, 100, 200)),
        "domain": domain({"x": made, "y": systems(seed=2)}),
    }


@pytest.mark.parametrize(
    ("name", "charts"),
    [
        ("gains", ("gain_scatter",)),
        ("similarity", ("similarity_curve",)),
        ("test-size", ("threshold_by_size", "gain_scatter")),
        ("domain", ("gain_scatter",)),
    ],
)
def test_each_study_has_its_charts_the_most_telling_first(
    studies: dict[str, Study], name: str, charts: tuple[str, ...]
) -> None:
    study = studies[name]
    assert chart_names(study) == charts == study.charts
    for chart in charts:
        picture = rendered(draw(study, chart), "svg")
        assert isinstance(picture, str)
        assert picture.startswith("<svg")
    assert rendered(draw(study), "json") == rendered(draw(study, charts[0]), "json")


def test_the_scatter_shows_points_labels_and_thresholds(studies: dict[str, Study]) -> None:
    study = studies["gains"]
    rows = rows_drawn(study, "gain_scatter")
    points = [row for row in rows if "confidence" in row]
    assert {row["label"] for row in points} == {"same group", "different groups", "others"}
    assert sum(row["label"] == "others" for row in points) == len(study.series["others"].columns["gain"])
    assert all(row["confidence"] == pytest.approx(1 - row["p"], abs=1e-4) for row in points)
    limits = {row["label"]: row["gain"] for row in rows if "confidence" not in row and "label" in row}
    table = study.tables["thresholds"]
    known = dict(zip(table["pairs"], table["threshold"], strict=True))
    assert limits
    assert all(limits[label] == known[label] for label in limits)


def test_a_crowd_is_thinned_and_says_so() -> None:
    rng = np.random.default_rng(0)
    difficulty = rng.normal(size=60)
    many = {f"s{i}": np.round(difficulty + rng.normal(size=60), 2) for i in range(70)}
    specification = str(rendered(draw(gains(many)), "json"))
    assert "points drawn" in specification
    assert specification.count('"confidence":') < 1_300


def test_the_line_of_significance_follows_the_window() -> None:
    for window, confidence in (((0.04, 0.06), 0.95), ((0.005, 0.015), 0.99)):
        study = gains(systems(), window=window)
        assert [row["at"] for row in rows_drawn(study, "gain_scatter") if "at" in row] == [confidence]
        assert f"1 - p = {confidence}" in str(rendered(draw(study), "json"))


def law(study: Study) -> list[dict[str, Any]]:
    return [row for row in rows_drawn(study, "threshold_by_size") if row["kind"] == "square-root law"]


def test_sizes_and_law(studies: dict[str, Study]) -> None:
    rows = law(studies["test-size"])
    assert rows[1]["value"] == pytest.approx(rows[0]["value"] / 2**0.5)


def test_the_law_begins_where_scores_vary() -> None:
    late = {name: np.concatenate((np.zeros(50), values[50:])) for name, values in systems().items()}
    rows = law(by_test_size(late, sizes=(50, 100, 200)))
    assert [row["items"] for row in rows] == [100, 200]
    assert rows[1]["value"] == pytest.approx(rows[0]["value"] / 2**0.5)


def subtitle(study: Study, name: str = "") -> str:
    found = json.loads(str(rendered(draw(study, name), "json")))["title"]["subtitle"]
    return found if isinstance(found, str) else " | ".join(found)


def test_what_is_not_drawn_is_counted() -> None:
    spread = {name: values + (5.0 if name == "s11" else 0.0) for name, values in systems().items()}
    study = gains(spread)
    points = [row for row in rows_drawn(study, "gain_scatter") if "confidence" in row]
    missing = len(study.series["comparisons"].columns["gain"]) - len(points)
    assert max(row["gain"] for row in points) < 4
    assert missing >= 11
    assert f"{missing} comparisons with a gain over" in subtitle(study)


def test_what_is_laid_over_is_drawn_wherever_it_lies() -> None:
    laid = Series("mine", {"gain": np.array([0.01, 9.0]), "p_value": np.array([0.97, 1e-9])}, {})
    study = gains(systems(), overlay={"mine": laid})
    mine = [row for row in rows_drawn(study, "gain_scatter") if row.get("label") == "mine"]
    assert [row["gain"] for row in mine] == [0.01, 9.0]
    picture = json.loads(str(rendered(draw(study), "json")))["layer"][0]["encoding"]
    assert picture["x"]["scale"]["domain"][1] >= 9
    assert picture["y"]["scale"]["domain"][0] <= 0.03


def test_a_size_without_a_threshold_leaves_a_gap(studies: dict[str, Study]) -> None:
    study = studies["test-size"]
    series = study.series["thresholds"]
    without = {**series.columns, "threshold": np.array([0.3, np.nan, 0.1])}
    gap = replace(study, series={**study.series, "thresholds": replace(series, columns=without)})
    rows = [row for row in rows_drawn(gap, "threshold_by_size") if row["kind"] == "usually enough"]
    # The line knows of the size, and has no value there; no point is drawn.
    assert [row["items"] for row in rows if row["value"] is None] == [100]
    picture = json.loads(str(rendered(draw(gap, "threshold_by_size"), "json")))["layer"]
    assert picture[0]["mark"]["invalid"].startswith("break-paths")
    legends = [picture[0]["encoding"][channel]["legend"] for channel in ("color", "strokeDash")]
    assert legends[0] == legends[1]


def test_no_threshold_is_no_upright_line() -> None:
    far = {name: systems()["s0"] + 10 * place for place, name in enumerate("abc")}
    far["a"] = far["a"] + 0.01 * (np.arange(200) % 3)
    study = gains(far)
    assert "no threshold" in subtitle(study)
    assert "upright" not in subtitle(study)
    rows = rows_drawn(study, "gain_scatter")
    assert not [row for row in rows if "label" in row and "confidence" not in row]
