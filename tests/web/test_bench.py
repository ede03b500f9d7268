"""Data are dropped, read, and answered; what was read wrongly, or asked otherwise, is changed beside the answer."""

from __future__ import annotations

import io
import re

import httpx
import numpy as np
import pytest

import nofluke as nf
from nofluke.web.bench import settings_groups
from nofluke.web.forms import settings_fields
from nofluke.words.at_a_glance import at_a_glance
from web.conftest import Server
from web.test_api import TABLE

HTML = {"Accept": "text/html"}
JSON = {"Accept": "application/json"}
LONG = "item,system,score,dataset\n" + "".join(
    f"{part}{i},{who},{(i * step) % 11},{part}\n"
    for part in ("news", "mail")
    for i in range(30)
    for who, step in (("new", 7), ("old", 5))
)


def dropped(client: httpx.Client, text: str = TABLE, name: str = "scores.csv") -> str:
    """Drop a table on the first page; gives the address of what follows."""
    answer = client.post("/", files={"file": (name, text.encode())}, headers=HTML)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def changed(client: httpx.Client, address: str, form: dict[str, object]) -> httpx.Response:
    return client.post(
        address.replace("/results/", "/jobs/") + "/change", data=form, headers=HTML, follow_redirects=True
    )


def result_of(client: httpx.Client, address: str) -> dict[str, object]:
    found: dict[str, object] = client.get(f"{address}.json").json()["result"]
    return found


# what the data are ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (TABLE, "compare"),
        (LONG, "compare"),
        ("item,x,y,z\n" + "".join(f"q{i},{i % 7},{i % 5},{i % 3}\n" for i in range(40)), "rank"),
        ("item,only\n" + "".join(f"q{i},{i % 7}\n" for i in range(40)), "estimate"),
    ],
)
def test_the_question_follows_from_the_data(client: httpx.Client, server: Server, text: str, action: str) -> None:
    address = dropped(client, text)
    assert address.startswith("/results/")
    job = server.app.state.context.store.job(address.rpartition("/")[2])
    assert job.action == action
    scores = nf.read(io.StringIO(text))
    verbs = {"compare": lambda: nf.compare(scores.pair()), "rank": lambda: nf.rank(scores)}
    expected = verbs.get(action, lambda: nf.estimate(scores))()
    page = client.get(address, headers=HTML).text
    claim, line = at_a_glance(expected)
    shown = re.sub(r"<[^>]+>", "", page)
    assert claim.replace("scores.csv", "") in shown or action == "estimate"
    assert line.split(" · ")[0] in shown
    assert "How I read your file" in page


def test_the_verdict_stands_above_everything_with_the_numbers_of_the_library(client: httpx.Client) -> None:
    address = dropped(client)
    page = client.get(address, headers=HTML).text
    expected = nf.compare(nf.read(io.StringIO(TABLE)).pair())
    claim, line = at_a_glance(expected)
    heading = re.search(r"<h1>(.*?)</h1>", page)
    assert heading is not None
    assert re.sub(r"<[^>]+>", "", heading[1]) == claim
    assert f'<p class="line">{line}</p>' in page
    assert result_of(client, address)["test"]["p_value"] == expected.test.p_value  # type: ignore[index]


@pytest.mark.parametrize("method", ["welch_t", "mann_whitney"])
def test_two_independent_groups_are_said_at_a_glance_and_drawn(client: httpx.Client, method: str) -> None:
    answer = changed(client, dropped(client), {"question": "test", "method": method})
    claim, line = at_a_glance(nf.test(nf.read(io.StringIO(TABLE)).unpaired(), method=method))
    heading = re.search(r"<h1>(.*?)</h1>", answer.text)
    assert heading is not None
    assert re.sub(r"<[^>]+>", "", heading[1]) == claim != ""
    assert f'<p class="line">{line}</p>' in answer.text
    assert '<svg class="zero' in answer.text


@pytest.mark.parametrize("text", ["name,note\na,b\nc,d\n", "dataset,p-value\nde,0.01\nfr,0.2\n"])
def test_what_cannot_be_read_shows_the_same_step_with_the_error_above(client: httpx.Client, text: str) -> None:
    address = dropped(client, text)
    assert address.startswith("/jobs/")
    page = client.get(address, headers=HTML).text
    assert 'role="alert"' in page
    assert page.index('role="alert"') < page.index("How I read your file")
    assert 'name="role"' in page
    for other in ("/replicate", "/agree"):
        assert f'action="{other}"' in page


def test_p_values_are_one_click_further(client: httpx.Client) -> None:
    page = client.get(dropped(client, "dataset,p-value\nde,0.001\nfr,0.2\n", "p.csv"), headers=HTML).text
    [kept] = set(re.findall(r'name="kept_files" value="([^"]+)"', page))
    answer = client.post("/replicate", data={"kept_files": kept}, headers=HTML, follow_redirects=True)
    assert answer.status_code == 200
    assert "de" in answer.text
    assert "p.csv · 2 p-values" in answer.text


# how they are read ------------------------------------------------------------------------------------------------


def chips(page: str) -> list[tuple[str, str, str]]:
    """Columns, the roles they were given, and the roles chosen in the page."""
    names = re.findall(r'name="column" value="([^"]*)"', page)
    guessed = re.findall(r'name="guessed" value="([^"]*)"', page)
    boxes = re.findall(r'<select name="role".*?</select>', page, re.DOTALL)
    chosen = [(re.findall(r'value="([^"]*)" selected', box) or [""])[0] for box in boxes]
    return list(zip(names, guessed, chosen, strict=True))


def test_a_wrong_guess_is_mended_in_place(client: httpx.Client, server: Server) -> None:
    store = server.app.state.context.store
    address = dropped(client, LONG)
    page = client.get(address, headers=HTML).text
    found = chips(page)
    assert [role for _, role, _ in found] == [role for _, _, role in found] == ["item", "system", "score", "dataset"]
    names = [name for name, _, _ in found]
    form = {"column": names, "guessed": [role for _, role, _ in found], "role": ["item", "system", "score", "cluster"]}
    answer = changed(client, address, form)
    assert answer.status_code == 200
    job = store.job(answer.url.path.rpartition("/")[2])
    assert job.request["data"]["columns"] == {
        "item": "item",
        "system": "system",
        "score": "score",
        "cluster": "dataset",
    }
    scores = nf.read(
        io.StringIO(LONG), columns={"item": "item", "system": "system", "score": "score", "cluster": "dataset"}
    )
    assert result_of(client, answer.url.path)["clusters"] == nf.compare(scores.pair()).clusters == 2
    # As they are, chips say nothing: the guess of the library stays its own.
    same = {"column": names, "guessed": ["x"] * 4, "role": ["x"] * 4, "direction": ""}
    again = changed(client, address, same)
    assert again.url.path == address


def test_a_file_of_labels_becomes_outputs_without_a_new_upload(client: httpx.Client) -> None:
    table = "item,gold,cnn,lstm\n" + "".join(
        f"{i},{'pn'[i % 2]},{'pn'[i % 3 == 0]},{'pn'[i % 5 == 0]}\n" for i in range(40)
    )
    address = dropped(client, table)
    assert address.startswith("/jobs/")
    answer = changed(client, address, {"score_by": "accuracy", "metric_options": ""})
    assert answer.status_code == 200
    assert result_of(client, answer.url.path)["systems"] == ["cnn", "lstm"]


def test_every_file_has_a_field_for_the_name_of_its_system(client: httpx.Client) -> None:
    files = [("file", (name, b"1\n0\n1\n1\n" * 10)) for name in ("m.v1.txt", "m.v2.txt")]
    location = client.post("/", files=files, headers=HTML).headers["location"]
    page = client.get(location, headers=HTML).text
    found = re.findall(r'name="(system_(?!by")[^"]+)"', page)
    assert len(found) == 2
    answer = changed(client, location, {found[0]: "the new one"})
    assert result_of(client, answer.url.path)["systems"] == ["the new one", "m.v2"]
    assert 'value="the new one"' in answer.text
    wrong = changed(client, location, {found[0]: "same", found[1]: "same"})
    assert 'role="alert"' in wrong.text
    assert f'name="{found[0]}"' in wrong.text


# settings ---------------------------------------------------------------------------------------------------------


def test_settings_are_changed_beside_the_answer_and_every_test_is_told(client: httpx.Client) -> None:
    address = dropped(client, TABLE.replace("q", "told"))
    answer = changed(client, address, {"method": "wilcoxon", "option_wilcoxon_zeros": "pratt", "alpha": "0.1"})
    shown = result_of(client, answer.url.path)
    expected = nf.compare(
        nf.read(io.StringIO(TABLE.replace("q", "told"))).pair(), method="wilcoxon", zeros="pratt", alpha=0.1
    )
    assert shown["test"]["p_value"] == expected.test.p_value  # type: ignore[index]
    assert shown["alpha"] == 0.1
    assert "All tests run on these data" in answer.text
    assert [one["method"] for one in shown["also_run"]] == ["permutation"]  # type: ignore[attr-defined]


def test_a_form_without_a_field_does_not_wipe_it_and_an_empty_one_is_the_default(
    client: httpx.Client, server: Server
) -> None:
    address = dropped(client)
    first = changed(client, address, {"a": "old", "b": "new", "unit": "2", "clusters": "false", "alpha": "0.2"})
    second = changed(client, first.url.path, {"unit": "3", "alpha": ""})
    kept = server.app.state.context.store.job(second.url.path.rpartition("/")[2]).request
    assert (kept["a"], kept["b"], kept["unit"], kept["clusters"]) == ("old", "new", 3, False)
    assert kept["alpha"] == 0.05


@pytest.mark.parametrize(
    ("name", "value"), [("margin", "-1"), ("alpha", "x"), ("alpha", "7"), ("unit", "1,5"), ("seed", "-3")]
)
def test_a_bad_setting_can_be_put_right_where_it_was_made(client: httpx.Client, name: str, value: str) -> None:
    address = dropped(client)
    answer = changed(client, address, {"alternative": "greater", name: value})
    assert 'role="alert"' in answer.text
    shown = re.search(rf'<input[^>]* name="{name}"[^>]*value="([^"]*)"', answer.text)
    assert shown is not None
    assert float(shown[1].replace(",", ".")) == float(value.replace(",", ".")) if value != "x" else shown[1] == "x"
    assert '<option value="greater" selected>' in answer.text


@pytest.mark.parametrize("action", ["compare", "rank", "replicate", "estimate", "gate"])
def test_every_setting_has_a_place(action: str) -> None:
    placed = [field.key for group in settings_groups(action) for field in group.fields]
    assert sorted(placed) == sorted(settings_fields(action))


def test_a_long_table_can_be_pasted(client: httpx.Client) -> None:
    text = "A,B\n" + "0.123456789,0.23456789\n" * 60_000  # beyond the form parser's own limit of 1 MB
    answer = client.post("/", data={"text": text}, files={"none": ("", b"")}, headers=JSON)
    assert answer.status_code == 303


# other questions --------------------------------------------------------------------------------------------------


def test_other_questions_are_asked_of_the_same_data(client: httpx.Client) -> None:
    three = "item,x,y,z\n" + "".join(f"q{i},{i % 7},{i % 5},{i % 3}\n" for i in range(40))
    ranked = dropped(client, three)
    answer = changed(client, ranked, {"question": "compare", "a": "x", "b": "z"})
    expected = nf.compare(nf.read(io.StringIO(three)).pair("x", "z"))
    assert result_of(client, answer.url.path)["test"]["p_value"] == expected.test.p_value  # type: ignore[index]
    for question in ("rank", "score", "estimate", "bayes"):
        found = changed(client, answer.url.path, {"question": question, "system": "x"})
        assert found.status_code == 200, (question, found.text[:400])
        assert 'role="alert"' not in found.text, question


def test_one_system_is_held_to_take_the_place_of_another(client: httpx.Client) -> None:
    address = dropped(client, LONG)
    answer = changed(client, address, {"question": "gate", "baseline": "new", "candidate": "old", "alpha": "0.2"})
    assert answer.status_code == 200
    head, *rows = LONG.splitlines()
    alone = {who: io.StringIO("\n".join([head, *(row for row in rows if f",{who}," in row)])) for who in ("new", "old")}
    expected = nf.gate(alone["new"], alone["old"], alpha=0.2)
    found = result_of(client, answer.url.path)
    shown = [(row["task"], row["adjusted"], row["verdict"]) for row in found["rows"]]  # type: ignore[attr-defined]
    assert shown == [(row.task, row.adjusted, row.verdict) for row in expected.rows]
    assert f"<h1>{at_a_glance(expected)[0]}</h1>" in answer.text
    unnamed = changed(client, answer.url.path, {"baseline": "", "candidate": ""})
    assert re.search(r'name="baseline">\s*<option value="">second named', unnamed.text)
    margin = changed(client, answer.url.path, {"require": "not-worse", "margin": "news=0.5"})
    assert margin.status_code == 200
    assert result_of(client, margin.url.path)["signature"].count("margin:news=0.5") == 1  # type: ignore[attr-defined]
    same = changed(client, answer.url.path, {"candidate": "new"})
    assert "Choose two systems" in same.text


def test_an_effect_size_is_chosen(client: httpx.Client) -> None:
    address = dropped(client)
    answer = changed(client, address, {"question": "effect", "name": "hedges_g", "option_hedges_g_form": "approximate"})
    expected = nf.effect(nf.read(io.StringIO(TABLE)).pair(), "hedges_g", form="approximate")
    assert result_of(client, answer.url.path)["value"] == expected.value
    assert f"<h1>{at_a_glance(expected)[0]}</h1>" in answer.text.replace("&#39;", "'")
    assert "Cliff" not in answer.text.partition('id="name"')[2].partition("</select>")[0]  # of independent groups
    assert "the mean describes them" in client.get(address, headers=HTML).text


def test_items_without_a_score_are_left_out_by_one_button(client: httpx.Client) -> None:
    text = "item,new,old\n" + "".join(f"q{i},{(i * 7) % 11},{(i * 5) % 9 if i % 10 else ''}\n" for i in range(60))
    refused = client.get(dropped(client, text), headers=HTML)
    assert "Leave these items out" in refused.text
    assert "without a score: 6 of old" in refused.text
    answer = changed(client, refused.url.path, {"missing": "drop"})
    expected = nf.compare(nf.read(io.StringIO(text)).pair(missing="drop"))
    assert result_of(client, answer.url.path)["test"]["p_value"] == expected.test.p_value  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "question", "button", "chosen"),
    [
        (re.sub(r"mail2.*\n", "", LONG), {"question": "bayes"}, "Dataset: news", {"dataset": "news"}),
        (
            "item,new,old,document\n" + "".join(f"q{i},{(i * 7) % 11},{(i * 5) % 9},d{i // 4}\n" for i in range(60)),
            {"question": "test", "method": "welch_t"},
            "Test: paired permutation test",
            {"method": "permutation"},
        ),
    ],
)
def test_what_an_error_advises_is_done_by_one_button(
    client: httpx.Client, text: str, question: dict[str, object], button: str, chosen: dict[str, object]
) -> None:
    refused = changed(client, dropped(client, text), question)
    assert 'role="alert"' in refused.text
    assert f"<button>{button}" in refused.text
    answer = changed(client, refused.url.path, chosen)
    assert answer.url.path.startswith("/results/")


def test_the_curve_is_of_the_test_that_was_run(client: httpx.Client, server: Server) -> None:
    address = dropped(client)
    tested = changed(client, address, {"method": "wilcoxon", "option_wilcoxon_zeros": "pratt", "margin": "0.1"})
    answer = changed(client, tested.url.path, {"question": "power_curve", "difference": "0,09"})
    assert answer.status_code == 200
    asked = next(job for job in server.app.state.context.store.jobs() if job.action == "power_curve").request
    assert (asked["method"], asked["options"], asked["difference"]) == ("wilcoxon", {"zeros": "pratt"}, 0.09)
    wrong = changed(client, tested.url.path, {"question": "power_curve", "difference": "1,500"})
    assert 'role="alert"' in wrong.text


@pytest.mark.parametrize("question", ["nothing", "inspect", "", "../x"])
def test_no_question_is_made_up(client: httpx.Client, question: str) -> None:
    assert changed(client, dropped(client), {"question": question}).status_code in (200, 422)
    assert client.post("/jobs/none/change", data={"question": question}, headers=HTML).status_code == 404


# items ------------------------------------------------------------------------------------------------------------


def test_a_question_has_the_methods_of_its_own(client: httpx.Client) -> None:
    table = "item,one,two,three\n" + "".join(f"q{i},{i % 7},{i % 5},{i % 3}\n" for i in range(30))
    for action, body, method, label in (
        ("correct", {"p_values": [0.01, 0.02, 0.4]}, "bonferroni", "Correction"),
        ("omnibus", {"data": {"files": [{"text": table}]}}, "quade", "Test"),
    ):
        job = client.post(f"/api/{action}", json=body).json()["id"]
        page = client.get(f"/results/{job}", headers=HTML).text
        assert f'<label for="method">{label}' in page
        assert "bootstrap" not in page
        answer = client.post(f"/jobs/{job}/change", data={"method": method}, headers=HTML)
        assert client.get(f"{answer.headers['location']}.json").json()["result"]["method"] == method
    assert "test of 3 systems" in client.get(answer.headers["location"], headers=HTML).text


def test_items_are_sorted_searched_and_taken_away(client: httpx.Client) -> None:
    text = "item,new,old,source\n" + "".join(
        f"q{i},{(i * 7) % 11 / 10},{(i * 5) % 9 / 10},text number {i}\n" for i in range(60)
    )
    address = dropped(client, text)
    sample = nf.read(io.StringIO(text)).pair()
    gaps = np.round(sample.scores(0) - sample.scores(1), 9)
    found = client.get(f"{address}/items.json").json()
    assert found["columns"] == ["item", "new", "old", "difference", "source"]
    assert found["total"] == 60
    assert [float(row["difference"]) for row in found["rows"]] == sorted(gaps.tolist(), reverse=True)
    assert {len(row["difference"]) for row in found["rows"]} <= {3, 4}  # differences of decimals are decimals
    chosen = client.get(f"{address}/items.json?low=0.2&high=0.5").json()
    assert chosen["total"] == int(((gaps >= 0.2) & (gaps < 0.5)).sum())
    searched = client.get(f"{address}/items.json?search=NUMBER+17").json()
    assert [row["item"] for row in searched["rows"]] == ["q17"]
    by_name = client.get(f"{address}/items.json?sort=new&down=false").json()
    assert [float(row["new"]) for row in by_name["rows"]] == sorted(sample.scores(0).tolist())
    csv = client.get(f"{address}/items.csv?low=0.2&high=0.5")
    assert csv.headers["content-type"].startswith("text/csv")
    assert len(csv.text.splitlines()) == chosen["total"] + 1
    # Every bar of the picture leads to as many items as it says.
    page = client.get(address, headers=HTML).text
    bars = re.findall(r'href="(/results/[^"]*items\?low=[^"]*)" aria-label="([\d,]+) item', page)
    assert bars
    for link, count in bars:
        assert client.get(link.replace("&amp;", "&").replace("/items?", "/items.json?")).json()["total"] == int(count)


@pytest.mark.parametrize("query", ["low=x", "from=-1", "sort=<script>", "down=perhaps", "search=" + "x" * 600])
def test_odd_questions_about_items_are_answered(client: httpx.Client, query: str) -> None:
    answer = client.get(f"{dropped(client)}/items?{query}", headers=HTML)
    assert answer.status_code in (200, 422)
    assert "<script>" not in answer.text


def test_names_cannot_run_in_a_table_of_items(client: httpx.Client) -> None:
    text = "item,=1+1,old\n" + "".join(f"=q{i},{i % 7},{i % 5}\n" for i in range(30))
    address = dropped(client, text)
    rows = client.get(f"{address}/items.csv").text.splitlines()
    assert rows[0].split(",")[1] == "'=1+1"
    assert all(row.startswith("'=q") for row in rows[1:])
