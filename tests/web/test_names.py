"""Files, results and steps are called what their users call them; where files lie is told to nobody."""

from __future__ import annotations

import re

import httpx

import nofluke as nf
from nofluke.web.examples import example_scores
from nofluke.web.forms import metric_choices
from web.conftest import Server
from web.test_bench import changed, dropped
from web.test_results import compared

HTML = {"Accept": "text/html"}
P_VALUES = "German 0.0004\nFrench 0.013\nPolish 0.6\n"


def test_no_page_or_report_says_where_an_upload_lies(client: httpx.Client, server: Server) -> None:
    job = compared(client, {"p_table": {"text": P_VALUES}}, "replicate")
    paths = [f"/results/{job}.json", f"/api/jobs/{job}/result"]
    paths += [f"/results/{job}/report.{suffix}" for suffix in ("html", "md", "tex", "txt", "csv", "json")]
    for path in paths:
        found = client.get(path)
        assert found.status_code == 200
        assert str(server.folder) not in found.text, path
    assert "pasted.txt" in client.get(f"/results/{job}/report.txt").text


def test_an_error_about_two_files_names_both_by_their_names(client: httpx.Client, server: Server) -> None:
    outputs = [
        ("file", ("one.txt", b"a\nb\na\n")),
        ("file", ("two.txt", b"a\nb\n")),
        ("gold", ("gold.txt", b"a\nb\nb\n")),
    ]
    page = client.post("/", data={"score_by": "accuracy"}, files=outputs, headers=HTML, follow_redirects=True).text
    assert str(server.folder) not in page
    assert "two.txt" in page


def test_the_example_of_many_systems_compares_two_of_them(client: httpx.Client) -> None:
    page = client.post("/compare", data={"example": "shared-task"}, headers=HTML, follow_redirects=True)
    assert page.status_code == 200
    assert client.get(f"{page.url.path}.json").json()["result"]["systems"] == ["team A", "team B"]
    assert set(re.findall(r"<option[^>]*>(team \w)", page.text)) == set(example_scores("shared-task").systems)


def test_a_result_is_called_by_what_it_is_about(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    assert client.get(f"/api/jobs/{job}").json()["job"]["name"] == "new against baseline"
    page = client.get("/history", headers=HTML).text
    assert "new against baseline</a>" in page
    assert "example questions" in page
    disposition = client.get(f"/results/{job}/report.html").headers["content-disposition"]
    assert disposition == 'attachment; filename="nofluke-new-against-baseline.html"'


def test_what_failed_is_kept_apart_and_goes_when_it_is_put_right(client: httpx.Client) -> None:
    address = dropped(client)
    before = client.get("/history.json").json()
    failed = changed(client, address, {"a": "nobody"})
    assert 'role="alert"' in failed.text
    now = client.get("/history.json").json()
    assert (now["total"], now["failures"]) == (before["total"], before["failures"] + 1)
    apart = client.get("/history.json?failed=true").json()["jobs"][0]
    assert failed.url.path == f"/jobs/{apart['id']}"
    changed(client, failed.url.path, {"a": "new"})
    assert client.get("/history.json").json()["failures"] == before["failures"]


def test_folds_say_what_they_hold(client: httpx.Client) -> None:
    page = client.post("/", data={"example": "questions"}, headers=HTML, follow_redirects=True)
    expected = nf.compare(example_scores("questions").pair("new", "baseline"))
    assert f"{expected.profile.wins} better, {expected.profile.losses} worse" in page.text


def test_metrics_begin_with_what_most_people_use() -> None:
    found = metric_choices()
    assert list(found)[:2] == ["Classification", "Translation"]
    labels = {name: label for metrics in found.values() for name, label in metrics}
    assert (labels["exact_match"], labels["chrf"]) == ("Exact match", "chrF")


def test_a_ranking_of_very_many_systems_has_no_empty_card(client: httpx.Client) -> None:
    names = [f"s{i}" for i in range(130)]
    rows = (",".join(str((i * 7 + j * j) % 13) for j in range(130)) for i in range(20))
    table = "\n".join([",".join(names), *rows])
    job = compared(client, {"data": {"files": [{"text": table}]}}, "rank")
    page = client.get(f"/results/{job}", headers=HTML).text
    for card in re.findall(
        r"<(?:section class=\"card wide\"|details class=\"card fold\"[^>]*)>(.*?)</(?:section|details)>",
        page,
        re.DOTALL,
    ):
        assert re.search("<(p|img|table|pre|ul|form)", card), card


def test_a_system_that_only_its_file_names_is_called_after_the_file(client: httpx.Client) -> None:
    rows = "".join(f'{{"id": {i}, "acc": {i % 2}, "f1": 0.5}}\n' for i in range(9))
    answer = client.post("/rank", files=[("file", ("llama.jsonl", rows.encode()))], headers=HTML)
    assert "there is one: llama." in answer.text
