"""What templates rely on is there: names of sections, tables and formats shared with the reports."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

import nofluke as nf
import nofluke.web
from nofluke.reports import FORMATS, SUFFIXES, WRITERS
from nofluke.reports.build import build
from nofluke.verbs.compare import with_other_tests
from nofluke.web.examples import example_scores

TEMPLATES = {path.name: path.read_text() for path in (Path(nofluke.web.__file__).parent / "templates").glob("*.html")}


TASKS = pd.DataFrame({"task": list("xxxyyy"), "item": range(6), "A": [1, 0, 1, 1, 1, 0], "B": [0, 0, 1, 0, 1, 0]})


def test_sections_that_templates_ask_for_exist() -> None:
    sample = example_scores("close-call").pair()
    comparison = with_other_tests(nf.compare(sample), [nf.test(sample, "sign")])
    known = {section.name for section in build(comparison).sections} | {"tasks"}
    assert "tasks" in {section.name for section in build(nf.compare(nf.read(TASKS))).sections}
    hinted = re.search(r"hint = \{(.*?)\}\.get\(section\.name", TEMPLATES["result.html"])
    assert hinted is not None
    asked = {"tasks", *re.findall(r'"(\w+)": ', hinted[1])}
    assert asked == {"scores", "effects", "tasks"}
    assert asked <= known


def test_every_section_of_a_report_is_drawn_in_one_place() -> None:
    for name, text in TEMPLATES.items():
        assert "startswith" not in text, name
        assert ("paragraphs" in text) == (name == "parts.html"), name


def test_lines_can_be_read() -> None:
    long = [(name, line) for name, text in TEMPLATES.items() for line in text.splitlines() if len(line) > 160]
    assert long == []


def test_formats_are_listed_once() -> None:
    assert {one.name for one in FORMATS} == set(WRITERS)
    assert len({one.suffix for one in FORMATS}) == len(FORMATS)
    assert SUFFIXES[".md"] == SUFFIXES[".markdown"] == "markdown"
    assert set(SUFFIXES.values()) == set(WRITERS)
