"""Files, results and steps are called what their users call them; where files lie is told to nobody."""

from __future__ import annotations

import re

import httpx

import nofluke as nf
from nofluke.web.examples import example_scores
from nofluke.web.forms import metric_choices
from web.conftest import Server
from web.test_guided import draft_of
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
    answer = client.post("/compare", data={"score_by": "accuracy"}, files=outputs, headers=HTML)
    page = client.get(answer.headers["location"], headers=HTML).text
    assert str(server.folder) not in page
    assert "two.txt" in page


def test_the_example_of_many_systems_compares_two_of_them(client: httpx.Client) -> None:
    page = client.post("/compare", data={"example": "shared-task"}, headers=HTML, follow_redirects=True)
    assert page.status_code == 200
    assert "A = team A" in page.text
    assert set(re.findall(r"<option[^>]*>(team \w)", page.text)) == set(example_scores("shared-task").systems)


def test_a_result_is_called_by_what_it_is_about(client: httpx.Client) -> None:
    job = compared(client, {"data": {"example": "questions"}})
    assert client.get(f"/api/jobs/{job}").json()["job"]["name"] == "new against baseline"
    page = client.get("/history", headers=HTML).text
    assert "new against baseline</a>" in page
    assert "example questions" in page
    disposition = client.get(f"/results/{job}/report.html").headers["content-disposition"]
    assert disposition == 'attachment; filename="nofluke-new-against-baseline.html"'


def test_what_failed_in_a_guided_comparison_is_no_entry_of_the_history(client: httpx.Client) -> None:
    draft = draft_of(client)
    before = client.get("/history.json").json()["total"]
    client.post(f"/compare/{draft}/data", data={"a": "nobody"}, headers=HTML)
    assert client.get(f"/compare/{draft}/analysis", headers=HTML).status_code == 422
    assert client.get("/history.json").json()["total"] == before
    assert client.get("/api/jobs").json()["total"] == before


def test_steps_tell_what_they_found_but_nothing_ahead(client: httpx.Client) -> None:
    answer = client.post("/compare", data={"example": "questions"}, headers=HTML)
    draft = answer.headers["location"].split("/")[2]
    expected = nf.compare(example_scores("questions").pair("new", "baseline"))

    def hints(step: str) -> dict[str, str]:
        return {one["name"]: one["hint"] for one in client.get(f"/compare/{draft}/{step}.json").json()["steps"]}

    analysis, report = hints("analysis"), hints("report")
    assert analysis["data"] == report["data"] == "800 items"
    assert analysis["test"] == "could it be a fluke?"
    assert report["test"].startswith("p = ")
    assert f"{expected.profile.wins} better" in report["analysis"]


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
    for card in re.findall(r"<section class=\"card wide\">(.*?)</section>", page, re.DOTALL):
        assert re.search("<(p|img|table|pre|ul)", card), card


def test_a_system_that_only_its_file_names_is_called_after_the_file(client: httpx.Client) -> None:
    rows = "".join(f'{{"id": {i}, "acc": {i % 2}, "f1": 0.5}}\n' for i in range(9))
    answer = client.post("/rank", files=[("file", ("llama.jsonl", rows.encode()))], headers=HTML)
    assert "there is one: llama." in answer.text
