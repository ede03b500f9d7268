"""Columns of ratings are named on the page, through the API, in the shell and in Python alike."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import httpx

import nofluke as nf
from support.command_line import nofluke
from web.conftest import Server
from web.test_api import sent
from web.test_forms import HTML, last_request

TEXT = "what,who,said,when\n" + "".join(f"{i // 2},{'xy'[i % 2]},{(i // 3) % 2},{i}\n" for i in range(24))
COLUMNS = {"item": "what", "annotator": "who", "label": "said"}


def test_columns_of_ratings_are_named_everywhere(client: httpx.Client, server: Server, tmp_path: Path) -> None:
    ratings = nf.read_ratings(io.StringIO(TEXT), columns=COLUMNS)
    assert ratings.annotators == ("x", "y")
    expected = nf.agree(ratings).value
    upload = sent(client, TEXT.encode(), "r.csv")
    answer = client.post("/api/agree", json={"ratings": {"upload": upload}, "columns": COLUMNS})
    assert answer.status_code == 200, answer.text
    assert answer.json()["result"]["estimate"]["value"] == expected
    (tmp_path / "r.csv").write_text(TEXT)
    named = ",".join(f"{role}={column}" for role, column in COLUMNS.items())
    run = nofluke("agree", str(tmp_path / "r.csv"), "--columns", named, "--format", "json")
    assert json.loads(run.out)["estimate"]["value"] == expected
    fields = {f"column_{role}": column for role, column in COLUMNS.items()}
    assert client.post("/agree", data={"text": TEXT, **fields}, headers=HTML).status_code == 303
    assert last_request(server, "agree")["columns"] == COLUMNS


def chips_in(page: str) -> list[str]:
    """What each column was taken for."""
    return re.findall(r'name="guessed" value="([^"]*)"', page)


def read_this_way(client: httpx.Client, address: str, columns: list[str], roles: list[str], guessed: list[str]) -> str:
    """Change the chips of a table's columns; gives the page that follows."""
    form = {"column": columns, "role": roles, "guessed": guessed}
    answer = client.post(f"{address.replace('/results/', '/jobs/')}/change", data=form, headers=HTML)
    return str(answer.headers["location"])


def test_how_annotations_were_read_is_told_and_changed_beside_the_answer(client: httpx.Client) -> None:
    # More annotators than a line names.
    names = [f"rater {n}" for n in range(10)]
    rows = "".join(",".join([f"q{i}", *("yn"[(i * i + n) % 3 % 2] for n in range(10))]) + "\n" for i in range(30))
    text = f"{','.join(['item', *names])}\n{rows}"
    given = client.post("/agree", files={"file": ("labels.csv", text.encode())}, headers=HTML, follow_redirects=True)
    guessed = ["item", *["annotator"] * 10]
    assert "How I read your file" in given.text
    assert "labels.csv · 30 items, 10 annotators, 2 labels" in given.text
    assert chips_in(given.text) == guessed
    fewer = ["item", *["annotator"] * 9, "ignore"]
    address = read_this_way(client, given.url.path, ["item", *names], fewer, guessed)
    expected = nf.agree(nf.read_ratings(io.StringIO(text), columns={"ignore": "rater 9"})).value
    assert client.get(f"{address}.json").json()["result"]["estimate"]["value"] == expected
    # What cannot be read is put right at the same place.
    wrong = read_this_way(client, address, ["item", *names], ["ignore", "label", *["annotator"] * 9], fewer)
    page = client.get(wrong, headers=HTML).text
    assert 'role="alert"' in page
    assert chips_in(page)[:3] == ["ignore", "label", "annotator"]


def test_how_p_values_were_read_is_told_and_changed_beside_the_answer(client: httpx.Client) -> None:
    text = "set,new,old,p,q\n" + "".join(f"d{i},{80 + i},79,0.0{i + 1},0.3\n" for i in range(5))
    given = client.post("/replicate", data={"text": text}, headers=HTML, follow_redirects=True)
    assert "5 p-values (scores of A = new, of B = old); not used: q" in given.text
    assert chips_in(given.text) == ["dataset", "score", "score", "p_value", ""]
    columns, roles = ["set", "new", "old", "p", "q"], ["dataset", "score", "score", "", "p_value"]
    address = read_this_way(client, given.url.path, columns, roles, chips_in(given.text))
    assert set(client.get(f"{address}.json").json()["result"]["p_values"]) == {0.3}


def test_the_settings_of_agreement_ask_for_words_that_mean_missing(client: httpx.Client) -> None:
    given = client.post("/agree", data={"text": TEXT, **{f"column_{k}": v for k, v in COLUMNS.items()}}, headers=HTML)
    page = client.get(given.headers["location"], headers=HTML, follow_redirects=True).text
    assert re.search(r'<input id="missing" name="missing" value="">', page)
    assert "Items without both scores" not in page
