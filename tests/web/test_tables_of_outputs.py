"""A table of outputs and gold goes through the pages: its systems are found, and what was read is shown."""

from __future__ import annotations

import html
import re

import httpx

import nofluke as nf

TABLE = "item,gold,cnn,lstm\n" + "".join(
    f"{i},{'pn'[i % 2]},{'pn'[i % 3 == 0]},{'pn'[i % 5 == 0]}\n" for i in range(40)
)


def plain(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_a_table_with_gold_needs_no_other_file(client: httpx.Client) -> None:
    sent = {"way": "outputs", "score_by": "accuracy"}
    answer = client.post("/compare", data=sent, files={"file": ("all.csv", TABLE)}, follow_redirects=True)
    assert answer.status_code == 200
    for _ in range(50):
        if "cnn" in answer.text:
            break
        answer = client.get(str(answer.url))
    shown = plain(answer.text)
    assert "cnn" in shown
    assert "lstm" in shown


def test_rank_takes_a_table_with_gold(client: httpx.Client, tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "all.csv").write_text(TABLE)
    upload = client.post("/api/uploads", files={"file": ("all.csv", TABLE)}).json()["upload"]["id"]
    request = {"data": {"files": [{"upload": upload}], "score_by": "accuracy", "columns": {"output": "cnn,lstm"}}}
    found = client.post("/api/rank", json=request).json()["result"]
    expected = nf.rank(nf.score("accuracy", tmp_path / "all.csv"))
    assert found["systems"] == list(expected.systems)


def test_what_was_read_is_inspected(client: httpx.Client) -> None:
    upload = client.post("/api/uploads", files={"file": ("all.csv", TABLE)}).json()["upload"]["id"]
    request = {"data": {"files": [{"upload": upload}], "score_by": "accuracy"}}
    found = client.post("/api/inspect", json=request).json()["result"]
    assert found["mapping"] == {"item": "item", "gold": "gold", "output": "cnn, lstm"}
    assert found["systems"] == ["cnn", "lstm"]
    assert found["problem"] == {}


def refused(client: httpx.Client, data: dict[str, object], action: str = "compare") -> str:
    answer = client.post(f"/api/{action}", json={"data": data})
    assert answer.status_code == 422, answer.text
    fix = str(answer.json()["errors"][0]["fix"])
    assert "nf.s" not in fix
    assert "scores." not in fix
    return fix


def test_a_request_is_told_how_it_has_outputs_scored(client: httpx.Client) -> None:
    assert "data.score_by='accuracy'" in refused(client, {"files": [{"text": TABLE}]})
    files = [{"text": TABLE}]
    assert client.post("/api/compare", json={"data": {"files": files, "score_by": "accuracy"}}).status_code == 200
    labels = "item,cnn,lstm\n" + "".join(f"{i},{'pn'[i % 3 == 0]},{'pn'[i % 5 == 0]}\n" for i in range(40))
    for text in (labels, "yes\nno\n" * 20):
        fix = refused(client, {"files": [{"text": text}]})
        assert "data.score_by=NAME" in fix
        assert "data.gold" in fix


def test_a_request_is_told_how_systems_are_named(client: httpx.Client) -> None:
    three = "item,x,y,z\n" + "".join(f"{i},{i % 3},{i % 4},{i % 5}\n" for i in range(20))
    assert "a=NAME, b=NAME" in refused(client, {"files": [{"text": three}]})


def test_the_page_names_its_own_fields(client: httpx.Client) -> None:
    sent = {"text": TABLE, "holds": "scores"}
    answer = client.post("/replicate", data=sent, headers={"Accept": "text/html"})
    assert answer.status_code == 422
    assert "data.score_by" not in answer.text
    assert "outputs and gold answers" in answer.text


def test_gold_answers_without_a_metric_are_not_passed_over(client: httpx.Client) -> None:
    gold = "item,gold\n" + "".join(f"{i},{i % 2}\n" for i in range(12))
    files = [
        {"text": "item,output\n" + "".join(f"{i},{i % k % 2}\n" for i in range(12)), "system": f"s{k}"} for k in (3, 5)
    ]
    for action in ("compare", "rank", "test"):
        assert "score_by" in refused(client, {"files": files, "gold": [{"text": gold}]}, action)
    assert "score_by" in refused(client, {"files": [{"text": TABLE}], "metric_options": {"lowercase": True}})
