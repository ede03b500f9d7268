"""What a notebook shows of a chart."""

from __future__ import annotations

import base64
import copy
import pickle
import sys

import altair
import pytest

import nofluke as nf
from nofluke.charts import rendered

RESULT = nf.compare([1, 0, 1, 1, 0.5, 1], [0, 0, 1, 0, 0, 1])


@pytest.mark.parametrize("name", ["interval", "histograms"])
def test_a_picture_needs_no_network_and_no_script(name: str) -> None:
    chart = RESULT.chart(name)
    found, about = chart._repr_mimebundle_(include=None, exclude=None)
    assert set(found) == {"image/svg+xml", "image/png", "text/plain"}
    assert "<script" not in found["image/svg+xml"]
    assert found["text/plain"] == chart.to_dict()["description"]
    # The PNG is twice as sharp as the page, and as wide as the SVG on it.
    png = base64.b64decode(found["image/png"])
    assert png.startswith(b"\x89PNG")
    assert f'width="{about["image/png"]["width"]}"' in found["image/svg+xml"]


def test_a_chart_that_was_restyled_copied_or_kept_shows_itself_so_too() -> None:
    chart = RESULT.chart("interval")
    assert isinstance(chart, altair.LayerChart)
    for other in (chart.properties(width=200), copy.deepcopy(chart), pickle.loads(pickle.dumps(chart))):
        assert "image/svg+xml" in other._repr_mimebundle_()[0]
    kept = pickle.loads(pickle.dumps(chart))
    assert rendered(kept, "svg") == rendered(chart, "svg")


def test_a_renderer_that_was_chosen_is_used() -> None:
    chart = RESULT.chart("interval")
    with altair.renderers.enable("json"):
        assert "application/json" in chart._repr_mimebundle_()[0]


def test_without_what_draws_it_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = RESULT.chart("interval")
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    found, _ = chart._repr_mimebundle_()
    assert set(found) == {"text/plain"}
    assert "nofluke[charts]" in found["text/plain"]
