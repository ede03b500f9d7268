"""Forms of one page: fields come from the registry, empty ones keep the library's defaults, errors lose nothing."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.registry import AGREEMENT, TESTS
from nofluke.web.forms import filled, number_in, option_groups, options_from
from nofluke.web.requests import BY_ACTION, plain
from web.conftest import Server
from web.test_api import TABLE

HTML = {"Accept": "text/html"}
ANNOTATIONS = "anna,ben\n" + "low,low\nhigh,low\nmid,mid\nhigh,high\nlow,mid\n" * 4


# numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("1,5", 1.5), ("0,500", 0.5), ("-0,125", -0.125), ("1500,250", 1500.25), ("1,50", 1.5), ("2", 2.0)],
)
def test_a_comma_is_a_point_where_it_can_be_nothing_else(text: str, value: float) -> None:
    assert number_in(text, float, "x") == value


@pytest.mark.parametrize("text", ["1,500", "-12,000", "+999,999"])
@pytest.mark.parametrize("kind", [int, float])
def test_a_number_that_can_be_read_in_two_ways_is_refused(text: str, kind: type) -> None:
    with pytest.raises(InputError, match="two ways") as caught:
        number_in(text, kind, "x")
    assert caught.value.fix == f"write {text.replace(',', '.')} or {text.replace(',', '')}."


@pytest.mark.parametrize("text", ["x", "1,500,000", "1,2,3", "1.5.2", "--1"])
def test_what_is_no_number_is_said(text: str) -> None:
    with pytest.raises(InputError, match="is not a number"):
        number_in(text, float, "x")


def test_empty_fields_are_left_out() -> None:
    form = {"alpha": " ", "unit": "3", "method": "", "clusters": "false"}
    assert filled(form, "rank") == {"unit": 3, "clusters": False}
    assert filled(form, "rank", ("alpha", "unit")) == {"unit": 3}


# options ---------------------------------------------------------------------------------------------------------


def test_every_option_of_every_method_has_a_field() -> None:
    for registry in (AGREEMENT, TESTS):
        groups = {group.method: {field.option.name for field in group.fields} for group in option_groups(registry)}
        for name, fields in groups.items():
            shared = {"alternative", "delta", "confidence_level", "seed", "low", "high"}
            assert fields == set(registry[name].option_names()) - shared
    assert "chi_square" not in {group.method for group in option_groups(TESTS)}


def test_only_options_of_the_chosen_method_are_read() -> None:
    form = {"option_wilcoxon_zeros": "pratt", "option_wilcoxon_mode": "auto", "option_sign_tie_width": "0,5"}
    assert options_from(form, TESTS, "wilcoxon") == {"zeros": "pratt"}
    assert options_from(form, TESTS, "sign") == {"tie_width": 0.5}
    assert options_from(form, TESTS, "auto") == {}


def last_request(server: Server, action: str) -> dict[str, Any]:
    found: dict[str, Any] = next(job for job in server.app.state.context.store.jobs() if job.action == action).request
    return found


def test_agreement_takes_the_options_of_its_coefficient(client: httpx.Client, server: Server) -> None:
    page = client.get("/agree", headers=HTML).text
    assert 'name="option_cohen_kappa_weights"' in page
    form = {
        "text": ANNOTATIONS,
        "name": "cohen_kappa",
        "categories": "low, mid, high",
        "option_cohen_kappa_weights": "quadratic",
        "option_gwet_ac2_weights": "ordinal",
    }
    answer = client.post("/agree", data=form, headers=HTML)
    assert answer.status_code == 303, answer.text
    asked = last_request(server, "agree")
    assert (asked["name"], asked["options"]) == ("cohen_kappa", {"weights": "quadratic"})
    rows = [line.split(",") for line in ANNOTATIONS.split()[1:]]
    value = nf.agree(rows, "cohen_kappa", categories=["low", "mid", "high"], weights="quadratic").value
    job = answer.headers["location"].rpartition("/")[2]
    assert client.get(f"/api/jobs/{job}/result").json()["estimate"]["value"] == value


def test_ranking_takes_the_options_of_its_test(client: httpx.Client, server: Server) -> None:
    form = {"text": TABLE, "method": "wilcoxon", "option_wilcoxon_zeros": "pratt"}
    assert client.post("/rank", data=form, headers=HTML).status_code == 303
    asked = last_request(server, "rank")
    assert (asked["method"], asked["options"]) == ("wilcoxon", {"zeros": "pratt"})


# defaults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("rank", {"text": TABLE}),
        ("rank", {"text": TABLE, "alpha": "", "unit": "", "adjust": "", "method": "", "missing": "", "clusters": ""}),
        ("replicate", {"published": "sentiment"}),
        ("agree", {"text": ANNOTATIONS}),
        ("agree", {"text": ANNOTATIONS, "name": "", "layout": "", "width": "", "categories": ""}),
    ],
)
def test_an_empty_form_asks_for_the_defaults_of_the_library(
    client: httpx.Client, server: Server, action: str, form: dict[str, str]
) -> None:
    assert client.post(f"/{action}", data=form, headers=HTML).status_code == 303
    asked = last_request(server, action)
    given = {name: asked[name] for name in ("data", "ratings", "published") if asked.get(name)}
    assert asked == plain(BY_ACTION[action].model_validate(given))


# errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/rank", "/replicate", "/agree"])
@pytest.mark.parametrize("wrong", [{}, {"alpha": "1,500", "width": "1,500"}, {"alpha": "7", "width": "-1"}])
def test_settings_and_files_stay_after_an_error(client: httpx.Client, path: str, wrong: dict[str, str]) -> None:
    form = {"alpha": "0.123", "missing": "drop", "sided": "two", "categories": "lo, hi", "holds": "scores", **wrong}
    answer = client.post(path, data=form, files={"file": ("mine.csv", b"a,b\n1,x\n")}, headers=HTML)
    assert answer.status_code == 422
    assert "mine.csv" in answer.text
    shown = {"/agree": "lo, hi"}.get(path, form["alpha"])
    assert f'value="{shown}"' in answer.text
    if path != "/agree" and not wrong:  # the data were read, and are mended where they are shown
        assert 'name="role"' in answer.text
        return
    kept = re.findall(r'name="kept_files" value="([^"]+)"', answer.text)
    again = client.post(path, data={**form, "kept_files": kept}, headers=HTML)
    assert again.status_code == 422
    assert "Still here: mine.csv" in again.text


def test_a_file_that_is_too_large_is_said_on_the_form(client: httpx.Client) -> None:
    for path in ("/compare", "/rank"):
        answer = client.post(path, files={"file": ("big.csv", b"1,2\n" * 1_000_000)}, headers=HTML)
        assert answer.status_code in (413, 422)
        assert 'role="alert"' in answer.text


def test_a_pasted_table_comes_back_as_it_was_typed(client: httpx.Client) -> None:
    answer = client.post("/agree", data={"text": "item,anna\r\n1,yes\r\n2,no"}, headers=HTML)
    assert answer.status_code == 422
    assert ">item,anna\n1,yes\n2,no</textarea>" in answer.text.replace("\r\n", "\n")
    assert "\ufffd" not in answer.text
