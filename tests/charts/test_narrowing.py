"""A chart for a phone: as narrow as it must be, and all its words still there."""

from __future__ import annotations

import json
from typing import Any

import pytest

import nofluke as nf
from nofluke.charts import chart_names, draw, rendered
from nofluke.charts.picture_files import WIDTH, narrowed

A = [0.61, 0.47, 0.70, 0.52, 0.66, 0.58, 0.71, 0.49, 0.63, 0.55]
B = [0.55, 0.50, 0.52, 0.51, 0.60, 0.50, 0.66, 0.50, 0.58, 0.50]
RESULT = nf.compare(A, B)


def widths(view: dict[str, Any]) -> list[float]:
    parts = [part for name in ("layer", "vconcat", "hconcat") for part in view.get(name, ())]
    own = [view["width"]] if isinstance(view.get("width"), int | float) else []
    return own + [width for part in parts for width in widths(part)]


def words(title: str | list[str]) -> str:
    return " ".join(" ".join([title] if isinstance(title, str) else title).split())


@pytest.mark.parametrize("name", chart_names(RESULT))
def test_a_phone_gets_the_same_chart_narrow(name: str) -> None:
    wide = json.loads(str(rendered(draw(RESULT, name), "json")))
    narrow = json.loads(str(rendered(draw(RESULT, name), "json", narrow=True)))
    assert max(widths(wide) or [0]) <= WIDTH or max(widths(narrow)) <= WIDTH
    assert "hconcat" not in narrow
    assert words(narrow["title"]["text"]) == words(wide["title"]["text"])
    assert max(map(len, narrow["title"]["text"])) <= 34
    assert narrow["config"]["legend"]["orient"] == "bottom"


def test_bars_become_narrow_with_the_picture() -> None:
    chart = {"width": 2 * WIDTH, "layer": [{"mark": {"type": "bar", "size": 10}}, {"mark": "rule"}]}
    found = json.loads(narrowed(json.dumps(chart)))
    assert found["layer"][0]["mark"]["size"] == pytest.approx(5.5)


def test_panels_beside_each_other_stand_below_each_other_on_a_phone() -> None:
    study = nf.studies.multiplicity(datasets=10, repetitions=50)
    narrow = json.loads(str(rendered(draw(study, "k_hat_histogram"), "json", narrow=True)))
    assert narrow["columns"] == 1
    assert narrow["spec"]["width"] == WIDTH
