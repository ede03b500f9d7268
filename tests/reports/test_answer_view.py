"""Pages speak in one order (verdict, picture, points, notes, details) and say nothing twice."""

from __future__ import annotations

import re
from html import unescape

import pytest

import nofluke as nf
from nofluke.reports.answer_view import answer_view, beyond, first_sentence
from nofluke.reports.build import build
from nofluke.words import answer
from reports.kinds import NAMES, RESULTS, comparison


def words_before_the_figures(page: str) -> str:
    """What a reader sees from the verdict to the table for the paper."""
    shown = page[page.index('<main id="report">') : page.index("The table for the paper")]
    return " ".join(unescape(re.sub(r"<(?:noscript|figure).*?</(?:noscript|figure)>|<[^>]*>", "", shown)).split())


@pytest.mark.parametrize("kind", RESULTS)
def test_nothing_is_said_twice(kind: str) -> None:
    result = RESULTS[kind](NAMES)
    made, shown = answer(result), words_before_the_figures(nf.report(result, "html"))
    assert made is not None
    for text in (made.verdict, *(text for _, text in made.points), *made.notes, *build(result).notes):
        assert shown.count(" ".join(text.split())) == 1, text
    for sentence in build(result).sentences:
        assert all(part in shown for part in beyond((text for _, text in made.points), [sentence])), sentence


@pytest.mark.parametrize("kind", RESULTS)
def test_the_verdict_comes_first_then_its_picture_then_the_points(kind: str) -> None:
    result = RESULTS[kind](NAMES)
    page = nf.report(result, "html")
    verdict = page[page.index('<section class="verdict') :]
    verdict = verdict[: verdict.index("</section>")]
    wanted = ("<h1>", 'class="interval"', "<figure>", "<dl>", "<dt>Note</dt>")
    places = [verdict.index(part) for part in wanted if part in verdict]
    assert places == sorted(places)
    made = answer(result)
    assert made is not None
    if kind in ("Study", "Ranking", "Replication"):
        assert verdict.count("<figure>") == 1
        assert page.count('<div class="light"><div class="chart" data-chart=') == page.count("<figure>")
    labels = [*(label for label, _ in made.points), *("Note" for _ in made.notes)]
    assert re.findall(r"<dt>(.*?)</dt>", verdict) == labels


def test_the_headline_is_one_sentence() -> None:
    result = comparison()
    said = answer_view(result, build(result))
    assert said["headline"] == "new is better than old: +0.149 (95% CI 0.007 to 0.287), p = 0.047."
    assert said["rest"].startswith("new may still be worse by more than 0.05")
    assert f"{said['headline']} {said['rest']}" == said["answer"].verdict


@pytest.mark.parametrize("name", ["v1. final", "Dr. No. 2", "a. b. c"])
def test_a_name_with_a_full_stop_is_not_broken(name: str) -> None:
    result = comparison((name, "old"))
    headline = answer_view(result, build(result))["headline"]
    assert headline == f"{name} is better than old: +0.149 (95% CI 0.007 to 0.287), p = 0.047."
    ranking = nf.rank({name: [9, 8, 9, 7, 9, 8, 9, 9], "x": [1, 2, 1, 3, 2, 1, 2, 1], "y": [1, 2, 2, 3, 1, 1, 2, 2]})
    said = answer_view(ranking, build(ranking))
    assert name in ranking.systems
    assert name in said["headline"] or name not in said["answer"].verdict


def test_an_abbreviation_ends_no_sentence() -> None:
    assert first_sentence("As in Dror et al. 2018. More.") == ("As in Dror et al. 2018.", "More.")
    assert first_sentence("0.57 vs. 0.49.") == ("0.57 vs. 0.49.", "")
    assert first_sentence("No end") == ("No end", "")
