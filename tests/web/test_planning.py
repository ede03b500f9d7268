"""Sample-size planning: by the workers, not kept, and given up when nobody waits any more."""

from __future__ import annotations

import httpx
import pytest

import nofluke as nf
from nofluke.web import planning
from nofluke.web.requests import BY_ACTION
from web.conftest import Server

HTML = {"Accept": "text/html"}
# Accuracies this close take the library minutes: the exact power of very many numbers of items.
SLOW = "kind=accuracy&accuracy_a=0.5&accuracy_b=0.4999&disagreement=0.01"


def planned(server: Server) -> list[str]:
    return [job.id for job in server.app.state.context.store.jobs(10_000) if job.action == "sample_size"]


@pytest.mark.parametrize(
    "query",
    [
        *("tests=nan", "tests=inf", "tests=1.5", "tests=-1", "tests=1e999", "alpha=nan", "power=2", "kind=x", "sd=inf"),
        *("alternative=x", "accuracy_a=x", "kind=scores&difference=0", "disagreement=0", "tests=99999999999999999999"),
        *("adjust=bh", "kind=scores&sd=1,500"),
    ],
)
def test_a_plan_of_nonsense_is_answered_in_words(client: httpx.Client, query: str) -> None:
    full = query if "kind" in query else f"kind={'scores' if query.startswith('sd') else 'accuracy'}&{query}"
    answer = client.get(f"/plan.json?{full}")
    assert answer.status_code == 422
    assert client.get(f"/plan?{full}", headers=HTML).status_code == 200


def test_a_plan_is_that_of_the_library_and_is_not_kept(client: httpx.Client, server: Server) -> None:
    before = planned(server)
    found = client.get("/plan.json?kind=scores&difference=0,05&sd=0.3&tests=4&adjust=bonferroni").json()
    expected = nf.sample_size(difference=0.05, sd=0.3, tests=4, adjust="bonferroni")
    assert found["result"]["n"] == expected.n
    assert planned(server) == before


def test_an_empty_field_is_the_default_of_the_library() -> None:
    given = {**planning._DEFAULTS, "alpha": "", "power": "", "tests": "", "adjust": "", "alternative": ""}
    asked = planning.wanted(given)
    for name in ("alpha", "power", "tests", "adjust", "alternative"):
        assert asked[name] == BY_ACTION["sample_size"].model_fields[name].get_default()


def test_a_plan_that_takes_too_long_is_given_up(client: httpx.Client, server: Server) -> None:
    before = planned(server)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(planning, "_LONGEST", 1.0)
        answer = client.get(f"/plan.json?{SLOW}")
    assert answer.status_code == 422
    assert "takes longer" in answer.json()["error"]["message"]
    assert client.get("/plan.json?kind=scores").status_code == 200  # the worker is free again
    assert planned(server) == before


def test_one_who_moves_on_does_not_keep_the_worker(server: Server) -> None:
    with pytest.MonkeyPatch.context() as patched:
        # Who stayed would keep the only worker for ten minutes, and the next would wait in vain for one.
        patched.setattr(planning, "_LONGEST", 600.0)
        with server.client() as client, pytest.raises(httpx.ReadTimeout):
            client.get(f"/plan?{SLOW}", headers={"X-Fragment": "1"}, timeout=0.5)
        with server.client() as client:
            assert client.get("/plan.json?kind=scores", timeout=60).status_code == 200


def test_any_scale_can_be_planned_and_the_curve_goes_through_the_answer(client: httpx.Client) -> None:
    found = client.get("/plan.json?kind=scores&difference=1.5&sd=12").json()
    expected = nf.sample_size(difference=1.5, sd=12)
    curve = {one["n"]: one["power"] for one in found["curve"]}
    assert curve[expected.n] == pytest.approx(expected.power)
    assert list(curve.values()) == sorted(curve.values())
    page = client.get("/plan?kind=scores&difference=1.5&sd=12", headers=HTML).text
    assert '<input id="sd" name="sd" inputmode="decimal"' in page
    assert "<polyline" in page


@pytest.mark.parametrize(("example", "kind"), [("questions", "accuracy"), ("documents", "scores")])
def test_the_next_test_set_is_planned_from_this_one(client: httpx.Client, example: str, kind: str) -> None:
    answer = client.post("/", data={"example": example}, headers=HTML)
    found = client.get(f"{answer.headers['location']}.json").json()
    detectable = found["result"]["detectable"]["difference"]
    asked = dict(httpx.URL(found["plan"]).params)
    assert asked["kind"] == kind
    if kind == "accuracy":
        assert float(asked["accuracy_a"]) - float(asked["accuracy_b"]) == pytest.approx(detectable, abs=1e-3)
        assert float(asked["disagreement"]) == pytest.approx(244 / 800, abs=1e-3)
    else:
        assert float(asked["difference"]) == pytest.approx(detectable, rel=0.01)
        assert float(asked["sd"]) > 0
    assert client.get(f"/plan.json?{httpx.URL(found['plan']).query.decode()}").json()["error"] is None
