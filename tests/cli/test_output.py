"""The closing line promises pictures only where a page has some, without loading the charts to find out."""

from __future__ import annotations

from nofluke.charts import CHARTS
from nofluke.cli.output import WITHOUT_PICTURES
from nofluke.reports.build import BUILDERS


def test_the_kinds_without_pictures_are_those_that_no_chart_takes() -> None:
    drawn = {kind for method in CHARTS for kind in method.facts["takes"]}
    assert set(BUILDERS) - drawn == WITHOUT_PICTURES
