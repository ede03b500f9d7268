"""What a notebook shows of a result."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
# None of them runs, fetches or leads anywhere.
ALLOWED = {
    *{"class", "style", "role", "aria-label", "width", "height", "viewbox", "fill", "stroke", "stroke-width"},
    *{"stroke-dasharray", "x1", "x2", "y1", "y2", "cx", "cy", "r"},
}


class Checker(HTMLParser):
    """Collects the tags that a browser would see, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.seen.append(tag)
        if tag not in ("br", "line", "circle"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(html: str) -> list[str]:
    checker = Checker()
    checker.feed(html)
    assert not checker.open
    return checker.seen


def test_a_comparison_is_shown_with_verdict_table_and_picture() -> None:
    result = nf.compare([0.9, 0.8, 0.7, 0.9, 0.6, 0.8] * 5, [0.5, 0.6, 0.7, 0.4, 0.5, 0.6] * 5)
    shown = result._repr_mimebundle_()
    assert shown["text/plain"] == str(result)
    assert {"table", "svg", "p"} <= set(tags(shown["text/html"]))
    assert shown["text/html"].index("is better than") < shown["text/html"].index("<table")


def test_figures_stay_whole_and_pages_leave_the_table_alone() -> None:
    shown = nf.compare([0.9, 0.8, 0.7, 0.9, 0.6, 0.8] * 5, [0.5, 0.6, 0.7, 0.4, 0.5, 0.6] * 5)._repr_html_()
    assert "95%\u00a0CI" in shown
    assert "p\u00a0=\u00a0" in shown
    assert "<table style" not in shown  # themes of pages style what has no class


class Sanitised(HTMLParser):
    """What is left where pages let no pictures, styles and attributes through, as GitHub's; others leave more."""

    GONE = ("svg", "style", "script")

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0
        self.text = ""
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside += tag in self.GONE
        self.attributes |= {name for name, _ in attrs}
        self.text += " " if tag in ("p", "td", "th", "tr", "br", "sup") else ""

    def handle_endtag(self, tag: str) -> None:
        self.inside -= tag in self.GONE

    def handle_data(self, data: str) -> None:
        self.text += "" if self.inside else data


SCORES = {f"s{at}": [((at + 2) * k * 7) % 11 / 10 for k in range(30)] for at in range(4)}
SHOWN = {
    "compare": lambda: nf.compare(SCORES["s1"], SCORES["s2"]),
    "bayes": lambda: nf.bayes(SCORES["s1"], SCORES["s2"]),
    "test": lambda: nf.test(SCORES["s1"], SCORES["s2"], "sign"),
    "effect": lambda: nf.effect(SCORES["s1"], SCORES["s2"], "cohens_d"),
    "rank": lambda: nf.rank(SCORES),
    "replicate": lambda: nf.replicate([0.001, 0.02, 0.3, 0.04]),
    "agree": lambda: nf.agree([["x", "x"], ["y", "x"], ["y", "y"], ["x", "x"]] * 5, "cohen_kappa"),
    "plan": lambda: nf.sample_size(difference=0.02, sd=0.2),
    "study": lambda: nf.studies.gains(nf.read(EXAMPLES / "leaderboard.csv")),
    "scores": lambda: nf.read(EXAMPLES / "leaderboard.csv"),
}


@pytest.mark.parametrize("kind", SHOWN)
def test_all_words_are_left_where_pictures_styles_and_scripts_are_not_shown(kind: str) -> None:
    """JupyterLab leaves SVG out of what others ran, GitHub also every attribute; VS Code and Colab show all."""
    result = SHOWN[kind]()
    shown = result._repr_html_()
    left = Sanitised()
    left.feed(shown)
    assert left.attributes <= ALLOWED
    assert not {"style", "script", "link", "img", "iframe", "a"} & set(tags(shown))
    drawn = re.compile(r"[├┤─│·●|┄]+")
    words = [word for word in drawn.sub(" ", str(result)).split() if word not in ("0",)]
    found = left.text.replace("\u00a0", " ").split()
    assert [word for word in words if word not in found] == []


@settings(deadline=None, max_examples=30)
@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_names_are_never_markup(a: str, b: str) -> None:
    if a == b:
        return
    ranking = nf.rank({f"<b>{a}": [1, 2, 3, 4], f"<b>{b}": [2, 2, 3, 5]})
    assert "b" not in tags(ranking._repr_html_())


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_hold_what_csv_holds(library: str) -> None:
    ranking = nf.rank({"A": [3, 4, 5, 4, 4, 5], "B": [1, 2, 1, 0, 2, 1], "C": [1, 1, 1, 1, 1, 1]})
    frame = ranking.to_frame(library)
    first, *rows = nf.report(ranking, "csv").splitlines()
    assert list(frame.schema.names if library == "pyarrow" else frame.columns) == first.split(",")
    assert len(frame) == len(rows)
    assert [str(name) for name in frame["system"]] == [row.split(",")[0] for row in rows]


def test_frames_of_other_libraries_are_refused() -> None:
    with pytest.raises(nf.InputError, match="pandas"):
        nf.test([1, 1, 1], [0, 0, 1]).to_frame("panda")
