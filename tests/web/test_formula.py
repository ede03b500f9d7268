"""Tables of counts are scored by a formula on the pages and by the API as by the library."""

from __future__ import annotations

import html
import io

import httpx
import pytest

import nofluke as nf

FORMULA = "2*tp/(2*tp+fp+fn)"
NEW, OLD = (
    "item,tp,fp,fn\n" + "".join(f"q{i},{i % 4},{(i + shift) % 3},{(i * shift) % 2}\n" for i in range(40))
    for shift in (0, 1)
)


def uploaded(client: httpx.Client) -> list[dict[str, str]]:
    sent = {"new.csv": NEW, "old.csv": OLD}
    return [
        {"upload": client.post("/api/uploads", files={"file": (name, text)}).json()["upload"]["id"]}
        for name, text in sent.items()
    ]


def expected(**reading: object) -> nf.Comparison:
    tables = {"new": io.StringIO(NEW), "old": io.StringIO(OLD)}
    return nf.compare(nf.from_statistics(tables, FORMULA, **reading).pair("new", "old"))


@pytest.mark.parametrize("higher_is_better", [None, False])
def test_the_api_scores_counts_by_a_formula(client: httpx.Client, higher_is_better: bool | None) -> None:
    data = {"files": uploaded(client), "formula": FORMULA, "higher_is_better": higher_is_better}
    answer = client.post("/api/compare", json={"data": data})
    assert answer.status_code == 200, answer.text
    made = expected(higher_is_better=higher_is_better)
    assert answer.json()["result"]["test"]["p_value"] == made.test.p_value
    assert answer.json()["result"]["verdict"] == made.verdict


def test_the_page_of_a_comparison_asks_for_a_formula(client: httpx.Client) -> None:
    assert 'name="formula"' in client.get("/compare").text
    sent = {"formula": FORMULA}
    files = [("file", ("new.csv", NEW)), ("file", ("old.csv", OLD))]
    answer = client.post("/compare", data=sent, files=files, headers={"Accept": "text/html"}, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    shown = html.unescape(answer.text)
    assert f"--formula '{FORMULA}'" in shown
    assert f"nf.from_statistics({{'new': 'new.csv', 'old': 'old.csv'}}, '{FORMULA}')" in shown


def test_a_ranking_takes_a_formula(client: httpx.Client) -> None:
    files = [("file", ("new.csv", NEW)), ("file", ("old.csv", OLD))]
    answer = client.post("/rank", data={"formula": FORMULA}, files=files, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    assert "new" in answer.text


def test_a_formula_and_a_metric_are_one_too_many(client: httpx.Client) -> None:
    data = {"files": uploaded(client), "formula": FORMULA, "score_by": "accuracy"}
    answer = client.post("/api/compare", json={"data": data})
    assert answer.status_code == 422
    assert "give one of them" in answer.json()["errors"][0]["fix"]


@pytest.mark.parametrize("formula", ["__import__('os')", "tp +", "no_such_column/n", "9**9**9**9"])
def test_what_is_no_formula_is_refused(client: httpx.Client, formula: str) -> None:
    answer = client.post("/api/compare", json={"data": {"files": uploaded(client), "formula": formula}})
    assert answer.status_code == 422
