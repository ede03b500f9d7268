"""What a chart shows is true: colours, words, axes and the ends of scales."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.charts import draw, rendered
from nofluke.charts.drawing import whole_numbers
from nofluke.types import Replication, Value
from reports.kinds import NAMES, RESULTS


def specification(result: Value, name: str) -> dict[str, Any]:
    return dict(json.loads(draw(result, name).to_json()))


def rows_of(result: Value, name: str) -> list[dict[str, Any]]:
    """All rows of data in a chart."""
    return [row for rows in _values(specification(result, name)) for row in rows]


def _values(part: Any) -> list[Any]:
    if isinstance(part, list):
        return [found for one in part for found in _values(one)]
    if not isinstance(part, dict):
        return []
    own = [part["values"]] if isinstance(part.get("values"), list) and part["values"] else []
    own = own if own and isinstance(own[0][0], dict) else []
    return own + [found for one in part.values() for found in _values(one)]


def words(result: Value, name: str) -> str:
    title = specification(result, name)["title"]
    return json.dumps([title["text"], title.get("subtitle", "")], ensure_ascii=False)


def datasets(**means: float) -> Replication:
    rng = np.random.default_rng(5)
    noise = np.repeat(rng.normal(0, 0.1, 20).round(3), 2) * np.tile([1, -1], 20)
    found = nf.replicate({name: ((mean + noise).tolist(), [0.0] * 40) for name, mean in means.items()})
    assert isinstance(found, Replication)
    return found


def test_a_dataset_is_red_only_where_the_other_system_is_shown_to_be_better() -> None:
    result = datasets(up=0.5, down=-0.5, open=-0.01)
    states = {row["name"]: row["state"] for row in rows_of(result, "forest") if "state" in row}
    assert states == {"up": "shown: A better", "down": "shown: B better", "open": "open"}
    svg = str(rendered(draw(result, "forest"), "svg"))
    assert all(f">{label}<" in svg for label in ("shown: A better (1)", "shown: B better (1)", "open (1)"))
    said = words(result, "forest")
    assert "against the claim" not in said
    assert "other way" not in svg


def test_a_one_sided_analysis_has_no_state_for_the_side_it_did_not_test() -> None:
    found = nf.replicate(
        {"de": 0.001, "fr": 0.9}, scores_a=[0.6, 0.4], scores_b=[0.5, 0.6], alternative="greater", a="A", b="B"
    )
    assert isinstance(found, Replication)
    states = {row["state"] for row in rows_of(found, "forest") if "state" in row}
    assert states <= {"shown: A better", "open"}
    assert "shown: B better" not in str(rendered(draw(found, "forest"), "svg"))


def test_a_count_of_none_is_said_in_words() -> None:
    found = nf.replicate({"de": 0.5, "fr": 0.9}, alternative="greater", a="new", b="old")
    assert "On no dataset is new shown to be better" in words(found, "partial_conjunction")


def test_small_p_values_are_marked_as_below_the_axis() -> None:
    result = datasets(one=0.5, two=0.4, three=0.0)
    rows = [row for row in rows_of(result, "partial_conjunction") if "below" in row]
    clipped = [row for row in rows if row["exact"] < 1e-12]
    assert clipped
    assert all(row["below"] and row["p"] == 1e-12 for row in clipped)
    assert not any(row["below"] for row in rows if row["exact"] >= 1e-12)
    assert "triangles: below 1e-12" in words(result, "partial_conjunction")
    assert "triangles" not in words(RESULTS["Replication"](NAMES), "partial_conjunction")


def test_the_curve_counts_from_one_to_all_datasets_in_both_directions() -> None:
    result = datasets(**{f"d{i}": 0.5 - 0.02 * i for i in range(24)})
    drawn = specification(result, "partial_conjunction")
    assert len(drawn["hconcat"]) == 2
    axes = [
        layer["encoding"]["x"] for panel in drawn["hconcat"] for layer in panel["layer"] if "x" in layer["encoding"]
    ]
    assert all(axis["axis"]["values"][0] == 1 and axis["axis"]["values"][-1] == 24 for axis in axes)
    assert {row["claim"] for row in rows_of(result, "partial_conjunction") if "claim" in row} == {
        "A better",
        "B better",
    }
    said = words(result, "partial_conjunction")
    assert f"A on at least {result.count}" in said
    svg = str(rendered(draw(result, "partial_conjunction"), "svg"))
    assert not re.search(r">0\.0+1<", svg), "powers of ten have one style"


@pytest.mark.parametrize(("low", "high"), [(1, 1), (1, 2), (1, 13), (1, 150), (0, 7), (3, 1000)])
def test_ticks_of_counts_are_whole_distinct_and_few(low: int, high: int) -> None:
    ticks = whole_numbers(low, high)
    assert ticks == sorted(set(ticks))
    assert (ticks[0], ticks[-1]) == (low, high)
    assert len(ticks) <= 12


def test_ranks_of_two_systems_have_two_ticks() -> None:
    svg = str(rendered(draw(nf.rank({"a": [1, 2, 3, 4], "b": [2, 1, 3, 5]}), "rank_ranges"), "svg"))
    assert [svg.count(f">{rank}<") for rank in (1, 2, 3)] == [1, 1, 0]


def test_groups_do_not_stretch_the_axis_to_scores_that_cannot_be() -> None:
    rng = np.random.default_rng(2)
    result = nf.rank({f"s{i}": rng.uniform(0, 100, 30).round(1).tolist() for i in range(9)} | {"zero": [0.0] * 30})
    assert any(len(group) > 1 for group in result.groups)
    svg = str(rendered(draw(result, "groups"), "svg"))
    assert not re.search(r">[-−]\d", svg)


def test_groups_that_overlap_have_bars_of_their_own() -> None:
    rng = np.random.default_rng(4)
    base = rng.normal(0, 1, 60)
    result = nf.rank({f"s{i}": (base + 0.12 * i + rng.normal(0, 0.5, 60)).round(3).tolist() for i in range(12)})
    bars = [row for row in rows_of(result, "groups") if "first" in row]
    order = list(result.systems)
    for one in bars:
        for other in bars:
            if one is not other and one["beyond"] == other["beyond"]:
                apart = order.index(one["last"]) < order.index(other["first"])
                assert apart or order.index(other["last"]) < order.index(one["first"])
    assert len(bars) > 1


def test_constant_scores_and_a_single_item_are_seen() -> None:
    for result in (nf.compare([1.0] * 20, [0.0] * 20), nf.compare([1.0], [0.0])):
        bars = [row for row in rows_of(result, "histograms") if "count" in row]
        assert all(row["low"] < row["high"] for row in bars)
        assert [row["says"].split("; ")[1] for row in bars] == ["1", "0", "1"]
    assert "1 item;" in words(nf.compare([1.0], [0.0]), "histograms")


def test_the_marks_of_the_histograms_are_explained() -> None:
    said = words(RESULTS["Comparison"](NAMES), "histograms")
    assert "dashed, no difference; dot and line, the mean difference and its 95% CI" in said


def test_a_title_has_the_digits_of_the_text() -> None:
    result = RESULTS["Comparison"](NAMES)
    title = specification(result, "interval")["title"]["text"]
    shown = re.findall(r"-?\d+\.\d+", title)
    assert shown
    assert all(number in str(result) for number in shown)


def test_long_names_leave_room_for_the_picture() -> None:
    result = RESULTS["Comparison"](("x" * 200, "y" * 200))
    svg = str(rendered(draw(result, "differences"), "svg"))
    height = re.search(r'height="(\d+)"', svg)
    assert height is not None
    assert int(height.group(1)) < 380


def test_parts_of_a_posterior_touch_and_its_region_is_named() -> None:
    result = RESULTS["Posterior"](NAMES)
    parts: dict[str, list[float]] = {}
    for row in rows_of(result, "posterior"):
        if "density" in row:
            parts.setdefault(row["part"], []).append(row["x"])
    assert max(parts["old better"]) == min(parts["practically equivalent"]) == -0.05
    assert max(parts["practically equivalent"]) == min(parts["new better"]) == 0.05
    assert "practically equivalent: -0.05 to 0.05" in draw(result, "posterior").to_json()


def test_a_curve_without_a_stated_difference_repeats_the_size_of_the_text() -> None:
    result = nf.power_curve(_pilot(), sizes=4, iterations=20)
    title = specification(result, "power_curve")["title"]["text"]
    assert "60 items like these reveal it with power 0.8" in title


def _pilot() -> Any:
    from nofluke.align import as_sample

    return as_sample(np.random.default_rng(1).normal(0.1, 1.0, 60).round(3), np.zeros(60))


def test_colour_is_described_the_same_on_light_and_dark_paper() -> None:
    said = words(RESULTS["Ranking"](NAMES), "heat_map")
    assert "darker" not in said
    assert "the stronger the colour, the smaller p" in said


def test_a_legend_does_not_deny_the_title() -> None:
    study = nf.studies.audit(_pilot(), iterations=100)
    assert "falsely claimed" in str(rendered(draw(study, "audit"), "svg"))


def test_tasks_are_drawn_as_their_winner_sees_them() -> None:
    """The same picture, whichever system was named first: in green, right of zero, by winner minus loser."""
    table = "item,dataset,old,new\n" + "".join(
        f"{place},{name},{place % 3 / 2},{(place % 3 + 2) / 4}\n" for name in ("sums", "rivers") for place in range(60)
    )
    scores = nf.read(io.StringIO(table))
    one, other = (
        [row for row in rows_of(nf.compare(scores.pair(*names)), "forest") if "state" in row]
        for names in (("old", "new"), ("new", "old"))
    )
    assert one == other
    assert all(row["value"] > 0 and row["state"] == "shown: new better" for row in one)
