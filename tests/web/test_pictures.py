"""Pictures are drawn when somebody looks at them, once; pages draw none, and say in words what each shows."""

from __future__ import annotations

import re

import httpx
import pytest

import nofluke as nf
from web.test_bench import dropped
from web.test_results import compared

HTML = {"Accept": "text/html"}


def test_no_page_draws(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object, **_options: object) -> None:
        raise AssertionError("a page drew a chart")

    monkeypatch.setattr("nofluke.charts.draw", refuse)
    assert client.get(dropped(client), headers=HTML).status_code == 200
    for action, example in (("compare", "questions"), ("rank", "shared-task")):
        job = compared(client, {"data": {"example": example}}, action)
        assert client.get(f"/results/{job}", headers=HTML).status_code == 200


def test_every_picture_of_a_page_says_what_it_shows(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    page = client.get(f"/results/{job}", headers=HTML).text
    told = dict(re.findall(r'<img src="/results/[^"]+/charts/(\w+)\.svg" alt="([^"]+)"', page))
    # The interval is drawn by the page itself, in letters of the page.
    assert {*told, "interval"} == set(client.get(f"/results/{job}.json").json()["charts"])
    assert told["histograms"].startswith("Histograms of new, baseline and new - baseline. new is better than baseline")
    assert re.search(r'<svg class="zero[^>]*aria-label="new is better than baseline', page)


def test_a_picture_is_drawn_once(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], nf.charts.draw
    monkeypatch.setattr("nofluke.charts.draw", lambda result, name: drawn.append(name) or draw(result, name))
    job = compared(client, {"data": {"example": "questions"}})
    first, second = (client.get(f"/results/{job}/charts/interval.svg").text for _ in range(2))
    assert first == second
    assert drawn == ["interval"]


def test_a_phone_gets_a_picture_that_fits_it(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    for name in ("histograms", "differences", "interval", "null_distribution"):
        wide, narrow = (
            float(
                re.findall(r'<svg[^>]* width="([\d.]+)"', client.get(f"/results/{job}/charts/{name}.svg{query}").text)[
                    0
                ]
            )
            for query in ("", "?width=narrow")
        )
        assert narrow < 360 < wide, name
    page = client.get(f"/results/{job}", headers=HTML).text
    assert 'srcset="/results/' in page
    assert 'histograms.svg?width=narrow" media="(max-width: 40rem)"' in page
    # What is taken away is for paper, whatever the screen.
    png = f"/results/{job}/charts/interval.png"
    assert client.get(f"{png}?width=narrow&theme=dark").content == client.get(png).content
