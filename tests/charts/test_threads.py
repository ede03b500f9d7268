"""Charts drawn by several threads at once are those drawn one after the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import nofluke as nf
from nofluke.charts import draw, rendered
from nofluke.studies import simulate_scores


def test_threads_do_not_mix_charts() -> None:
    results = [
        nf.rank(simulate_scores({f"s{i}": i / 10 for i in range(number)}, n=60, kind="continuous"))
        for number in (4, 6, 9)
    ]
    asked = [(result, name) for result in results for name in ("rank_ranges", "heat_map", "groups")]

    def picture(one: tuple[nf.Ranking, str]) -> str:
        return str(rendered(draw(*one), "json"))

    alone = [picture(one) for one in asked]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(picture, asked * 4)) == alone * 4
