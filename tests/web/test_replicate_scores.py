"""Scores on several datasets are matched as Python matches them, through the API and through the form."""

from __future__ import annotations

import io
from typing import Any

import httpx
import pytest

import nofluke as nf
from web.conftest import Server
from web.test_api import sent
from web.test_forms import HTML, last_request

LONG = "item,dataset,document,new,old\n" + "".join(
    f"q{at},{dataset},d{at // 3},{(at * step) % 7},{(at * step) % 5}\n"
    for dataset, step in (("de", 1), ("fr", 2), ("it", 3))
    for at in range(24)
)
ONE_EMPTY = LONG.replace("q4,fr,d1,1,3", "q4,fr,d1,1,")
RUNS = "item,dataset,run,new,old\n" + "".join(
    f"q{at},{dataset},{run},{(at * 3 + run) % 7},{(at + run) % 5}\n"
    for dataset in ("de", "fr")
    for run in (1, 2)
    for at in range(20)
)
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "missing": (ONE_EMPTY, {"missing": "drop"}),
    "unit": (LONG.replace("document", "ignored"), {"unit": 3, "unit_statistic": "median", "shuffle_seed": 4}),
    "clusters": (LONG, {"clusters": False}),
    "run": (RUNS, {"run": "2"}),
}
P_TABLE = "dataset,p\nde,0.01\nfr,0.2\n"


def said(found: dict[str, Any]) -> list[Any]:
    return [found["count"], list(found["datasets"]), [test["p_value"] for test in found["tests"]]]


def expected(text: str, asked: dict[str, Any]) -> list[Any]:
    plain, with_it = (nf.replicate(nf.read(io.StringIO(text)), **one).to_dict() for one in ({"missing": "drop"}, asked))
    assert asked == {"missing": "drop"} or said(plain) != said(with_it)
    return said(with_it)


@pytest.mark.parametrize("case", CASES)
def test_the_api_and_the_form_match_items_as_python_does(client: httpx.Client, server: Server, case: str) -> None:
    text, asked = CASES[case]
    answer = client.post("/api/replicate", json={"data": {"files": [{"text": text}]}, **asked})
    assert answer.status_code == 200, answer.text
    assert said(answer.json()["result"]) == expected(text, asked)
    typed = {name: "no" if value is False else str(value) for name, value in asked.items()}
    page = client.post("/replicate", data={"text": text, "holds": "scores", **typed}, headers=HTML)
    assert page.status_code == 303, page.text
    request = last_request(server, "replicate")
    assert {name: request[name] for name in asked} == asked
    twin = client.get(f"{page.headers['location'].replace('/jobs/', '/results/')}.json").json()
    for name, value in asked.items():
        assert f"{name}={value!r}" in twin["report"]["calls"]["Python"]


def test_the_page_has_the_field_that_its_advice_names(client: httpx.Client) -> None:
    page = client.post("/replicate", data={"text": ONE_EMPTY, "holds": "scores"}, headers=HTML)
    assert page.status_code == 422
    assert "leave out&#34; under Items without both scores" in page.text
    field = page.text.partition('<label for="missing">')[2].partition("</label>")[0]
    assert field.startswith("Items without both scores")
    assert '<option value="drop">leave out</option>' in field
    for name in ("run", "unit", "unit_statistic", "shuffle_seed", "clusters"):
        assert page.text.count(f'name="{name}"') == 1


@pytest.mark.parametrize(
    "asked",
    [{"missing": "drop"}, {"unit": 2}, {"shuffle_seed": 1}, {"clusters": False}, {"run": "1"}, {"method": "sign"},
     {"metric": "f1"}],
)  # fmt: skip
@pytest.mark.parametrize("source", ["p_table", "p_values", "published"])
def test_what_is_said_of_scores_is_refused_of_p_values(
    client: httpx.Client, source: str, asked: dict[str, Any]
) -> None:
    data: dict[str, Any] = {
        "p_table": {"upload": sent(client, P_TABLE.encode(), "p.csv")},
        "p_values": {"de": 0.01, "fr": 0.2},
        "published": "pos-tagging",
    }
    assert client.post("/api/replicate", json={source: data[source]}).status_code == 200
    answer = client.post("/api/replicate", json={source: data[source], **asked})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["message"].startswith(f"{next(iter(asked))}: this says how scores are matched")


def test_the_form_of_p_values_sends_nothing_about_scores(client: httpx.Client, server: Server) -> None:
    shown = {"missing": "refuse", "clusters": "yes", "unit": "1", "unit_statistic": "mean", "method": "auto", "run": ""}
    page = client.post("/replicate", data={"text": P_TABLE, "holds": "p-values", **shown}, headers=HTML)
    assert page.status_code == 303, page.text
    assert last_request(server, "replicate")["p_table"]
