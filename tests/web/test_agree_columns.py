"""Columns of ratings are named on the page, through the API, in the shell and in Python alike."""

from __future__ import annotations

import io
import json
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
