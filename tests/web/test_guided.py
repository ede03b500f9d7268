"""The guided comparison: what is asked is fixed before anything is tested, and nothing typed or sent is lost."""

from __future__ import annotations

import re

import httpx
import pytest

import nofluke as nf
from web.conftest import Server
from web.test_api import TABLE

HTML = {"Accept": "text/html"}
JSON = {"Accept": "application/json"}
QUESTION = ("alternative", "alpha", "margin", "low", "high")


def draft_of(client: httpx.Client, text: str = TABLE) -> str:
    answer = client.post("/compare", files={"file": ("scores.csv", text.encode())}, headers=HTML)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).split("/")[2]


def compared(server: Server) -> list[str]:
    return [job.id for job in server.app.state.context.store.jobs(10_000) if job.action == "compare"]


# the question ----------------------------------------------------------------------------------------------------


def test_the_question_is_asked_with_the_data_and_fixed_in_the_test(client: httpx.Client) -> None:
    draft = draft_of(client)
    data = client.get(f"/compare/{draft}/data", headers=HTML).text
    assert "before you see a result" in data
    test = client.get(f"/compare/{draft}/test", headers=HTML).text
    for name in QUESTION:
        assert f'name="{name}"' in data
        assert f'name="{name}"' not in test
    assert f'href="/compare/{draft}/data">with the data</a>' in test
    client.post(f"/compare/{draft}/data", data={"alternative": "greater", "margin": "0.2"}, headers=HTML)
    test = client.get(f"/compare/{draft}/test", headers=HTML).text
    assert "is new better than old?" in test
    assert "<dd>0.2</dd>" in test


def test_a_test_form_cannot_change_the_question(client: httpx.Client, server: Server) -> None:
    draft = draft_of(client)
    form = {"alternative": "greater", "alpha": "0.5", "margin": "1", "method": "sign"}
    client.post(f"/compare/{draft}/test", data=form, headers=HTML)
    kept = server.app.state.context.store.draft(draft).request
    assert (kept["method"], kept["alternative"], kept["alpha"], kept["margin"]) == ("sign", "two-sided", 0.05, None)


def test_nothing_is_tested_before_the_question_is_fixed(client: httpx.Client, server: Server) -> None:
    before = compared(server)
    draft = draft_of(client, TABLE.replace("q", "own"))  # data of no other test here
    page = client.get(f"/compare/{draft}/data", headers=HTML).text
    assert "60 items" in page
    assert compared(server) == before
    client.post(f"/compare/{draft}/data", data={"alternative": "greater"}, headers=HTML)
    assert compared(server) == before
    report = client.get(f"/compare/{draft}/report.json").json()
    assert len(compared(server)) == len(before) + 1
    # A side chosen beforehand is no second test.
    assert "also_run" not in report["result"]
    assert report["result"]["test"]["alternative"] == "greater"


# what was typed or sent ------------------------------------------------------------------------------------------


def test_a_bad_setting_can_be_put_right_where_it_was_made(client: httpx.Client) -> None:
    draft = draft_of(client)
    asked = {"alternative": "greater", "alpha": "0.05", "margin": "", "unit": "1"}
    for step, name, value in (
        ("data", "margin", "-1"),
        ("data", "alpha", "x"),
        ("data", "alpha", "7"),
        ("data", "unit", "1,5"),
        ("test", "seed", "-3"),
    ):
        form = {**(asked if step == "data" else {"method": "sign"}), name: value}
        answer = client.post(f"/compare/{draft}/{step}", data=form, headers=HTML, follow_redirects=True)
        assert answer.status_code == 422, (name, value)
        assert 'role="alert"' in answer.text
        shown = re.search(rf'<input[^>]* name="{name}"[^>]*value="([^"]*)"', answer.text)
        assert shown is not None
        assert float(shown[1].replace(",", ".")) == float(value.replace(",", ".")) if value != "x" else shown[1] == "x"
        chosen = "greater" if step == "data" else "sign"
        assert f'<option value="{chosen}" selected>' in answer.text
    client.post(f"/compare/{draft}/data", data=asked, headers=HTML)
    answer = client.post(f"/compare/{draft}/test", data={"method": "sign"}, headers=HTML, follow_redirects=True)
    assert answer.status_code == 200


def test_a_form_without_a_field_does_not_wipe_it_and_an_empty_one_is_the_default(
    client: httpx.Client, server: Server
) -> None:
    draft = draft_of(client)
    form = {"column_item": "item", "a": "old", "b": "new", "unit": "2", "clusters": "false", "alpha": "0.2"}
    assert client.post(f"/compare/{draft}/data", data=form, headers=HTML).status_code == 303
    assert client.post(f"/compare/{draft}/data", data={"unit": "3", "alpha": ""}, headers=HTML).status_code == 303
    kept = server.app.state.context.store.draft(draft).request
    assert kept["data"]["columns"] == {"item": "item"}
    assert (kept["a"], kept["b"], kept["unit"], kept["clusters"]) == ("old", "new", 3, False)
    assert kept["alpha"] == 0.05


def test_the_first_form_keeps_files_and_settings_after_an_error(client: httpx.Client) -> None:
    files = [
        ("file", ("x.txt", b"yes\nno\n" * 20)),
        ("file", ("y.txt", b"no\nno\n" * 20)),
        ("gold", ("gold.txt", b"yes\nyes\n" * 20)),
    ]
    form = {"way": "outputs", "score_by": "accuracy", "metric_options": "nothing=1"}
    answer = client.post("/compare", data=form, files=files, headers=HTML)
    assert answer.status_code == 422
    assert 'value="nothing=1"' in answer.text
    assert '<option value="accuracy" selected>' in answer.text
    kept = {name: re.findall(rf'name="kept_{name}" value="([^"]+)"', answer.text) for name in ("files", "gold")}
    assert [len(kept["files"]), len(kept["gold"])] == [2, 1]
    again = {"way": "outputs", "score_by": "accuracy", "kept_files": kept["files"], "kept_gold": kept["gold"]}
    answer = client.post("/compare", data=again, headers=HTML, follow_redirects=True)
    assert answer.status_code == 200
    assert "A = x" in answer.text


def test_a_long_table_can_be_pasted(client: httpx.Client) -> None:
    text = "A,B\n" + "0.123456789,0.23456789\n" * 60_000  # beyond the form parser's own limit of 1 MB
    answer = client.post("/compare", data={"text": text}, files={"none": ("", b"")}, headers=JSON)
    assert answer.status_code == 303


# names of systems ------------------------------------------------------------------------------------------------


def test_every_file_has_a_field_for_the_name_of_its_system(client: httpx.Client) -> None:
    files = [("file", (name, b"1\n0\n1\n1\n" * 10)) for name in ("m.v1.txt", "m.v2.txt")]
    location = client.post("/compare", files=files, headers=HTML).headers["location"]
    page = client.get(location, headers=HTML).text
    assert "A = m.v1" in page
    found = re.findall(r'name="(system_(?!by")[^"]+)"', page)
    assert len(found) == 2
    client.post(location, data={found[0]: "the new one", "stay": "1"}, headers=HTML)
    page = client.get(location, headers=HTML).text
    assert "A = the new one" in page
    assert 'value="the new one"' in page
    client.post(location, data={found[0]: "same", found[1]: "same", "stay": "1"}, headers=HTML)
    answer = client.get(location, headers=HTML)
    assert answer.status_code == 422
    assert f'name="{found[0]}"' in answer.text


# what follows ----------------------------------------------------------------------------------------------------


def test_the_curve_is_of_the_test_that_was_run(client: httpx.Client, server: Server) -> None:
    draft = draft_of(client)
    client.post(f"/compare/{draft}/data", data={"margin": "0.1"}, headers=HTML)
    form = {"method": "wilcoxon", "option_wilcoxon_zeros": "pratt", "option_sign_tie_width": "0.5"}
    client.post(f"/compare/{draft}/test", data=form, headers=HTML)
    store = server.app.state.context.store
    for query, stated in (("", None), ("?difference=0.07", 0.07), ("?difference=0,09", 0.09)):
        assert client.get(f"/compare/{draft}/power{query}", headers=HTML).status_code == 200
        asked = next(job for job in store.jobs() if job.action == "power_curve").request
        assert (asked["method"], asked["options"], asked["difference"]) == ("wilcoxon", {"zeros": "pratt"}, stated)
    for wrong in ("x", "1,500"):
        page = client.get(f"/compare/{draft}/power?difference={wrong}", headers=HTML).text
        assert 'role="alert"' in page
        assert f'value="{wrong}"' in page


def test_the_test_is_shown_with_the_figures_of_its_own_report(client: httpx.Client) -> None:
    import io

    draft = draft_of(client)
    form = {"method": "wilcoxon", "option_wilcoxon_zeros": "pratt"}
    client.post(f"/compare/{draft}/test", data=form, headers=HTML)
    twin = client.get(f"/compare/{draft}/test.json").json()
    expected = nf.test(nf.read(io.StringIO(TABLE)).pair(), "wilcoxon", zeros="pratt")
    assert twin["result"]["test"]["p_value"] == expected.p_value
    page = client.get(f"/compare/{draft}/test", headers=HTML).text
    assert "<option selected>pratt</option>" in page
    for name, value in twin["tested"]["sections"][0]["table"]["rows"]:
        assert name in page
        assert str(value)[:20] in page.replace("&#39;", "'").replace("&lt;", "<")


def test_an_interrupted_comparison_is_tried_again_in_its_place(client: httpx.Client, server: Server) -> None:
    draft, store = draft_of(client), server.app.state.context.store
    client.get(f"/compare/{draft}/analysis", headers=HTML)
    job = store.draft(draft).job
    with store.transaction() as connection:
        connection.execute("UPDATE jobs SET state = 'interrupted', result = NULL WHERE id = ?", (job,))
    page = client.get(f"/compare/{draft}/analysis", headers=HTML).text
    assert "This was interrupted" in page
    answer = client.post(f"/compare/{draft}/analysis", data={"retry": "1"}, headers=HTML, follow_redirects=True)
    assert "What the data look like" in answer.text
    assert store.draft(draft).job == job


@pytest.mark.parametrize("name", ["data", "analysis", "test", "effects", "power", "report"])
def test_twins_of_steps_hold_plain_values(client: httpx.Client, name: str) -> None:
    answer = client.get(f"/compare/{draft_of(client)}/{name}.json")
    assert answer.status_code == 200
    for trace in ("object at 0x", "Example(", "Step(", "Draft(", "Option(", "Format("):
        assert trace not in answer.text
