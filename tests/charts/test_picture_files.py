"""The colours, letters and bytes of finished pictures."""

from __future__ import annotations

import re

import pytest

from nofluke.charts import chart_names, draw, picture_files, rendered
from nofluke.charts.picture_files import missing_characters
from nofluke.charts.theme import COLOURS, PALETTES
from reports.kinds import NAMES, RESULTS

_COLOUR = re.compile(r'(?:fill|stroke)="(#[0-9a-fA-F]{6}|[a-z]+)"')


@pytest.mark.parametrize("kind", [kind for kind in RESULTS if kind != "Study"])
def test_every_mark_has_a_colour_of_the_palette_light_and_dark(kind: str) -> None:
    result = RESULTS[kind](NAMES)
    for name in chart_names(result):
        chart = draw(result, name)
        for palette, dark in (("light", False), ("dark", True)):
            used = set(_COLOUR.findall(str(rendered(chart, "svg", dark=dark)))) - {"none", "transparent"}
            assert used <= set(PALETTES[palette].values()), (name, palette)


def test_letters_that_no_font_has_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_characters(draw(RESULTS["Comparison"](("Müller → Łódź", "старый")))) == ""
    # Fonts differ from computer to computer: here every font lacks one letter.
    monkeypatch.setattr(
        picture_files, "_drawn", lambda letter: b"box" if letter in picture_files._PRIVATE + "系" else letter.encode()
    )
    assert missing_characters(draw(RESULTS["Comparison"](("系統", "e\u0301")))) == "系"


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_same_chart_has_the_same_bytes(ending: str) -> None:
    chart = draw(RESULTS["Comparison"](NAMES), "histograms")
    assert rendered(chart, ending) == rendered(chart, ending)


def test_dark_pictures_have_dark_paper() -> None:
    chart = draw(RESULTS["Comparison"](NAMES))
    assert PALETTES["dark"]["paper"] in str(rendered(chart, "svg", dark=True))
    assert COLOURS["paper"] in str(rendered(chart, "svg"))
