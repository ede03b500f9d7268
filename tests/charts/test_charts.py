"""Every chart of every kind of result draws, says what it shows, and keeps names as text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.charts import chart_names, draw, rendered, save
from nofluke.charts.drawing import distinct
from nofluke.charts.refusing import KINDS
from nofluke.charts.theme import COLOURS, PALETTES, darkened
from nofluke.errors import InputError, MethodError
from nofluke.registry import CHARTS
from nofluke.studies import simulate_scores
from nofluke.types import Ranking, Replication, Value
from reports.kinds import NAMES, RESULTS, type_of

NASTY = ("<script>alert(1)</script>", "a_b&c%")
# The charts of studies are tried on the studies that have them.
DRAWN = [
    (kind, name)
    for kind in RESULTS
    if kind != "Study"
    for name in CHARTS.names()
    if kind in CHARTS[name].facts["takes"]
]


TASKS = pd.DataFrame(
    {"task": ["x"] * 6 + ["y"] * 4, "item": range(10), "A": [0.9, 0.8] * 5, "B": [0.1, 0.3, 0.2, 0.1, 0.4] * 2}
)


def made(kind: str, names: tuple[str, str] = NAMES) -> Value:
    return RESULTS[kind](names)


@pytest.mark.parametrize(("kind", "name"), DRAWN)
def test_a_chart_draws_and_describes_itself(kind: str, name: str) -> None:
    result = made(kind)
    if (kind, name) == ("Comparison", "posterior"):
        result = replace(result, posterior=made("Posterior"))  # type: ignore[type-var]
    if (kind, name) == ("Comparison", "forest"):
        result = nf.compare(nf.read(TASKS))
    chart = draw(result, name)
    specification = json.loads(chart.to_json())
    assert len(specification["description"]) > 20
    assert specification["title"]["text"]
    svg = str(rendered(chart, "svg"))
    assert svg.startswith("<svg")
    assert len(re.findall(r"<path|<rect|<line|<circle", svg)) > 3


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in DRAWN}))
def test_names_are_text_in_every_chart(kind: str) -> None:
    result = made(kind, NASTY)
    for name in chart_names(result):
        svg = str(rendered(draw(result, name), "svg"))
        assert "<script>" not in svg


def test_every_chart_is_drawn_of_some_result() -> None:
    shown = {name for kind in RESULTS for name in chart_names(made(kind))}
    studies = {method.name for method in CHARTS if method.facts["takes"] == ("Study",)}
    assert shown | studies == set(CHARTS.names())


def test_all_colours_have_a_dark_counterpart() -> None:
    specification = draw(made("Comparison"), "histograms").to_json()
    used = set(re.findall(r'"(#[0-9a-f]{6})"', specification))
    assert used <= set(COLOURS.values())
    dark = darkened(specification)
    assert not set(COLOURS.values()) - set(PALETTES["dark"].values()) & set(re.findall(r'"(#[0-9a-f]{6})"', dark))


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html", "json"])
def test_a_chart_is_saved_by_the_ending_of_its_file(tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"picture.{ending}"
    save(draw(made("Comparison")), target)
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!", "json": b"{"}[ending]
    assert target.read_bytes().lstrip().lower().startswith(begins.lower())


def test_wrong_names_are_answered_with_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no chart 'histogramm'") as caught:
        draw(made("Comparison"), "histogramm")
    assert "'histograms'" in caught.value.advice()
    with pytest.raises(MethodError, match="there is no chart of a description of two systems' scores"):
        draw(made("Profile"))
    with pytest.raises(InputError, match="there is no picture format 'gif'"):
        save(draw(made("Comparison")), tmp_path / "picture.gif")


def test_a_chart_that_does_not_fit_says_why_and_names_no_class() -> None:
    with pytest.raises(MethodError, match="'groups' does not fit this result: it needs 2 to 60 systems") as caught:
        draw(many_systems(61), "groups")
    assert "heat_map" in caught.value.advice()
    with pytest.raises(MethodError, match="'heat_map' shows a ranking of systems; this is a comparison of two systems"):
        draw(made("Comparison"), "heat_map")
    with pytest.raises(MethodError, match="there is no chart of a single test") as caught:
        draw(made("TestResult"), "interval")
    assert "a comparison of two systems" in caught.value.advice()
    with pytest.raises(MethodError, match="'null_distribution' does not fit this result: it needs a permutation test"):
        draw(nf.compare([1, 2, 3, 4], [0, 1, 3, 2], method="sign"), "null_distribution")


@pytest.mark.parametrize("kind", sorted(set(map(type_of, RESULTS))))
def test_every_kind_of_result_has_words_for_people(kind: str) -> None:
    assert KINDS[kind].startswith(("a ", "an ", "the "))
    assert not re.search(r"[a-z][A-Z]", KINDS[kind])


def many_systems(count: int) -> Ranking:
    scores = simulate_scores({f"system {i:03d}": 0.02 * i for i in range(count)}, n=120, kind="continuous", seed=1)
    return nf.rank(scores, method="paired_t")


@pytest.mark.parametrize("systems", [60, pytest.param(150, marks=pytest.mark.slow)])
def test_a_heat_map_of_many_systems_shows_every_pair_and_name(systems: int) -> None:
    result = many_systems(systems)
    chart = draw(result, "heat_map")
    rows = next(iter(json.loads(chart.to_json())["data"].values()))
    assert len(rows) == systems * (systems - 1)
    better = sum(row["state"] == "row better" for row in rows)
    assert better == int(np.count_nonzero(result.better))
    svg = str(rendered(chart, "svg"))
    assert all(f">system {i:03d}<" in svg for i in range(systems))


def test_a_forest_of_81_datasets_names_each() -> None:
    rng = np.random.default_rng(3)
    data = {f"dataset {i}": tuple(rng.normal(0.1 * (i % 3), 1, (2, 40)).round(2).tolist()) for i in range(81)}
    result = nf.replicate(data)
    assert isinstance(result, Replication)
    svg = str(rendered(draw(result, "forest"), "svg"))
    assert all(f">dataset {i}<" in svg for i in range(81))


def test_shortened_names_stay_distinct() -> None:
    names = [f"{'x' * 60}{i}" for i in range(12)]
    assert len(set(distinct(names))) == 12
    assert distinct(["a" * 80, "a" * 80 + "b" * 3])[0] != distinct(["a" * 80, "a" * 80 + "b" * 3])[1]


def test_the_curve_of_chance_is_a_probability() -> None:
    drawn = nf.compare([1, 1, 0, 1, 1, 1, 0, 1] * 4, [0, 1, 0, 0, 1, 0, 1, 0] * 4).distribution
    assert drawn is not None
    assert drawn.atoms
    assert drawn.density.sum() == pytest.approx(1, abs=1e-3)
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 300)).round(3)
    smooth = nf.compare(a, b).distribution
    assert smooth is not None
    assert not smooth.atoms
    assert np.trapezoid(smooth.density, smooth.grid) == pytest.approx(1, abs=2e-3)
    variance = np.trapezoid(smooth.density * smooth.grid**2, smooth.grid)
    assert variance == pytest.approx(np.sum((a - b) ** 2) / 300**2, rel=0.01)


def test_the_legend_of_datasets_does_not_count_their_average() -> None:
    table = {
        "dataset": [f"d{at // 20}" for at in range(60)],
        "item": list(range(60)),
        "new": [float(at % 20 < 18 or at // 20 == 2) for at in range(60)],
        "old": [float(at % 20 < 6 or at // 20 == 2) for at in range(60)],
    }
    result = nf.compare(nf.read(pd.DataFrame(table)).pair("new", "old"))
    assert (result.verdict, result.average.better) == ("better", 2)  # type: ignore[union-attr]
    legend = json.dumps(draw(result, "forest").to_dict())
    counts = re.findall(r"\? '(\d+)'", legend)
    assert sum(map(int, counts[: len(counts) // legend.count("labelExpr")])) == 3
