"""Every mark of every chart tells its value in words, once, with the digits of the answer; the others are silent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from charts.test_gain_charts import systems
from charts.test_simulation_charts import STUDIES
from nofluke.charts import chart_names, draw, rendered
from nofluke.registry import CHARTS
from nofluke.studies import by_test_size, gains, similarity
from nofluke.types import Value
from nofluke.words.marks import says
from reports.kinds import NAMES, RESULTS
from support.once import made_once

GUIDES = re.compile("title|axis|legend", re.IGNORECASE)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
MOST_DIGITS = 5
# Points of a crowd say what they are to the pointer alone, and lines of shares have their table.
SILENT = {"gain_scatter", "similarity_curve", "audit"}
A, B = [1.0, 1, 0, 1, 1, 1, 0, 1] * 4, [0.0, 1, 0, 0, 1, 0, 1, 0] * 4


def tasks() -> Value:
    table = {
        "dataset": [f"d{at // 20}" for at in range(60)],
        "item": list(range(60)),
        "new": [float(at % 20 < 18 or at // 20 == 2) for at in range(60)],
        "old": [float(at % 20 < 6 or at // 20 == 2) for at in range(60)],
    }
    return nf.compare(nf.read(pd.DataFrame(table)).pair("new", "old"))


def many() -> Value:
    rng = np.random.default_rng(4)
    base = rng.normal(0, 1, 60)
    return nf.rank({f"s{i}": (base + 0.12 * i + rng.normal(0, 0.5, 60)).round(3).tolist() for i in range(12)})


MADE: dict[str, Callable[[], Value]] = {
    **{kind: (lambda kind=kind: RESULTS[kind](NAMES)) for kind in RESULTS},  # type: ignore[misc]
    **{f"study {name}": (lambda study=study: study) for name, study in STUDIES.items()},  # type: ignore[misc]
    "study gains": lambda: gains(systems()),
    "study similarity": lambda: similarity(systems()),
    "study test-size": lambda: by_test_size(systems(), sizes=(50, 100, 200)),
    "right or wrong": lambda: nf.compare(A, B),
    "one score each": lambda: nf.compare([1.0] * 20, [0.0] * 20),
    "with a posterior": lambda: replace(
        nf.compare(A, B),
        posterior=RESULTS["Posterior"](NAMES),  # type: ignore[arg-type]
    ),
    "beside a baseline": lambda: nf.rank({"a": A, "b": B, "c": B[::-1]}, baseline="a"),
    "signed ranks": lambda: nf.rank({"a": A, "b": B, "c": B[::-1]}, method="sign", adjust="none"),
    "tasks": tasks,
    "many": many,
}
MADE = made_once(MADE)
KINDS = [name for name in MADE if chart_names(MADE[name]())]


def labels(svg: str) -> list[str]:
    """What a screen reader finds in a picture, apart from its axes, legends and titles."""
    return list(_labels(ElementTree.fromstring(svg)))


def _labels(part: ElementTree.Element) -> Iterator[str]:
    if part.get("aria-hidden") == "true" or GUIDES.search(part.get("aria-roledescription") or ""):
        return
    if part.get("aria-label"):
        yield part.get("aria-label") or ""
    for inner in part:
        yield from _labels(inner)


def units(view: Any) -> Iterator[dict[str, Any]]:
    """Every single mark with its encoding."""
    if "mark" in view:
        yield view
    for inner in [part for name in ("layer", "hconcat", "vconcat") for part in view.get(name, ())]:
        yield from units(inner)
    if "spec" in view:
        yield from units(view["spec"])


def digits(number: str) -> int:
    return len(number.replace(",", "").replace(".", "").strip("0"))


def test_every_chart_is_looked_at() -> None:
    assert {name for kind in KINDS for name in chart_names(MADE[kind]())} == set(CHARTS.names())


@pytest.mark.parametrize("kind", KINDS)
def test_every_mark_speaks_in_words_and_once(kind: str) -> None:
    result = MADE[kind]()
    for name in chart_names(result):
        found = labels(str(rendered(draw(result, name), "svg")))
        assert found or name in SILENT, name
        assert len(found) == len(set(found)), name
        for label in found:
            assert ": " not in label.replace("shown: ", ""), label
            assert all(digits(number) <= MOST_DIGITS for number in NUMBER.findall(label)), label
            assert not re.search("nan|null|undefined|None", label), label


@pytest.mark.parametrize("kind", KINDS)
def test_pointer_and_screen_reader_are_told_the_same(kind: str) -> None:
    result = MADE[kind]()
    for name in chart_names(result):
        for unit in units(json.loads(str(rendered(draw(result, name), "json")))):
            mark, encoding = unit["mark"], unit["encoding"]
            assert encoding.get("tooltip", {"field": "says"})["field"] == "says", name
            silent = isinstance(mark, dict) and mark.get("aria") is False
            assert silent or encoding["description"]["field"] == "says", (name, mark)


def test_the_digits_are_those_of_the_answer() -> None:
    compared, ranked = MADE["right or wrong"](), MADE["Ranking"]()
    (told,) = labels(str(rendered(draw(compared, "interval"), "svg")))
    assert told == "mean difference +0.38; 95% CI 0.11 to 0.59"
    assert "+0.38 (95% CI 0.11 to 0.59)" in str(compared)
    first = labels(str(rendered(draw(ranked, "forest"), "svg")))[0]
    assert first == "new; score 0.533; 95% CI 0.345 to 0.722; rank 1 to 3"
    assert re.search(r"1 to 3 +new +0\.533 +0\.345 to 0\.722", str(ranked))


def test_an_interval_of_one_value_is_told_by_its_point() -> None:
    result = MADE["one score each"]()
    assert labels(str(rendered(draw(result, "interval"), "svg")))[0].startswith("mean difference +1")
    bars = labels(str(rendered(draw(result, "histograms"), "svg")))
    assert bars[:3] == ["A; 1; 20 items", "B; 0; 20 items", "A - B; 1; 20 items"]
    assert bars[3].startswith("mean difference +1")
    assert len(bars) == 4


def test_a_cell_says_who_is_better() -> None:
    clear = nf.rank({"good": [0.9, 0.8, 0.95] * 9, "bad": [0.1, 0.3, 0.2] * 9, "worst": [0.0, 0.1, 0.05] * 9})
    cells = labels(str(rendered(draw(clear, "heat_map"), "svg")))
    # Row by row, without the cells of a system and itself: the web page counts on it.
    pairs = [(one, other) for one in clear.systems for other in clear.systems if one != other]
    verdicts = [cell.partition("; ")[0] for cell in cells]
    order = list(clear.systems)
    assert verdicts == [
        f"{one} is {'better' if order.index(one) < order.index(other) else 'worse'} than {other}"
        for one, other in pairs
    ]
    assert re.fullmatch(r"good is better than bad; difference \+0\.\d+; adjusted p = \d\.?\d*e-\d+", cells[0])
    beside = labels(str(rendered(draw(MADE["beside a baseline"](), "heat_map"), "svg")))
    assert any(cell.startswith("b and c; not tested; ") and " p " not in cell for cell in beside)


def test_names_are_text_whatever_is_in_them() -> None:
    nasty = ('; a "quoted" <b>name</b>', "'; alert(1); '")
    for kind in ("Comparison", "Ranking", "Replication", "Agreement"):
        result = RESULTS[kind](nasty)
        told = [label for name in chart_names(result) for label in labels(str(rendered(draw(result, name), "svg")))]
        assert any(nasty[0] in label for label in told), kind


def test_empty_parts_are_left_out() -> None:
    assert says("new", "", "1 item") == "new; 1 item"
