"""Charts fit into a page of any width, and their menu has a name."""

from __future__ import annotations

import nofluke as nf
from reports.kinds import NAMES, RESULTS


def test_charts_shrink_with_the_page() -> None:
    page = nf.report(RESULTS["Ranking"](NAMES), "html")
    assert ".chart svg { max-width: 100%; height: auto }" in page
    assert "width: max-content" not in page


def test_the_menu_of_a_chart_can_be_read_aloud() -> None:
    assert '"aria-label", "Save this chart"' in nf.report(RESULTS["Ranking"](NAMES), "html")
