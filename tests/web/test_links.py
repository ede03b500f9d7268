"""The address of a call opens a page whose form, with the same files, gives the same result."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest

from nofluke.call import in_url
from nofluke.reports.plain import parsed
from nofluke.types import Call, Origin
from reports.test_same_again import COMMANDS, ran, told
from reports.test_same_again import folder as folder

MORE = [
    "compare long.tsv --weights items --metric f1 --a third --b 'old \"x\" $HOME' --no-clusters",
    "rank 'my scores.csv' --lower-is-better --family pairs --exact all --method wilcoxon --zeros pratt",
    "replicate '<0.001' 0.04 0.3 --dependence positive --alpha 0.1",
    "agree labels.csv --columns annotator=ann,comment --coefficient cohen_kappa --weights none --input-format csv",
    "power plan --accuracy-a 0.9 --accuracy-b 0.85 --disagreement 0.12 --power 0.9",
    "power plan --accuracy-a 0.9 --accuracy-b 0.85 --disagreement 0.12 --margin 0.02 --alternative greater",
    "power plan --difference 0.02 --sd 0.4 --run-sd 0.01",
    "power plan --accuracy-a 0.9 --accuracy-b 0.85 --disagreement 0.12 --run-sd 0.01 --answer-sd 0.1 --n-runs 12",
]
# What no form has a place for: other questions, columns to be ignored, several metrics, tables that are one dataset
# each, the name of what a formula computes.
NOT_ASKED = (
    "test ",
    "correct ",
    "power detect",
    "power curve",
    "score ",
    "study ",
    "--n ",
    "ignore=",
    "replicate de.csv",
)
NOT_ASKED += ("--formula", "--metric f1,", "--metric bleu,", "--against", "--test replicate")
ASKED = [one for one in (*COMMANDS, *MORE) if not any(part in one for part in NOT_ASKED) and " < " not in one]


class Forms(HTMLParser):
    """The forms of a page: what each would send, and where to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, Any]]] = []
        self._select = self._area = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self.forms.append((given.get("action", ""), {}))
        elif tag == "input" and name and given.get("type") != "file":
            if name == "linked":
                self.forms[-1][1].setdefault(name, []).append(given["value"])
            elif given.get("type") != "radio" or "checked" in given:
                self.forms[-1][1][name] = given.get("value", "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            sent = self.forms[-1][1]
            if self._select not in sent or "selected" in given:
                sent[self._select] = given.get("value", "")
                self._text = "value" not in given
        elif tag == "textarea":
            self._area, self.forms[-1][1][name] = name, ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1][1][self._area] += data
        elif self._select and getattr(self, "_text", False):
            self.forms[-1][1][self._select] = data.strip()
            self._text = False

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        if tag == "textarea":
            self._area = ""


def sent(client: httpx.Client, address: str) -> tuple[str, dict[str, str]]:
    """What the page behind an address would send if nothing were changed in it."""
    page = client.get(address)
    assert page.status_code == 200, page.text[:500]
    return next(form for form in Forms(page.text).forms if form[0] == address.partition("?")[0])


def answered(client: httpx.Client, address: str) -> dict[str, Any]:
    """Open the page, choose the files that it names, and send it as it stands."""
    if address.startswith("/plan"):
        return client.get(address.replace("/plan?", "/plan.json?")).json()["result"]
    action, form = sent(client, address)
    query = httpx.URL(address).params
    named = [] if "example" in query else [("file", "files"), ("gold", "gold")]
    chosen = [
        (field, (name.rpartition("=")[2], Path(name.rpartition("=")[2]).read_bytes()))
        for field, part in named
        for name in query.get_list(part)
    ]
    done = client.post(action, data=form, files=chosen or None, follow_redirects=True)
    assert done.status_code == 200, done.text[:3000]
    return client.get(f"/api/jobs/{done.url.path.rpartition('/')[2]}/result").json()


def facts(data: Any) -> Any:
    """A result without its words, its place and how it was called."""
    left_out = ("ok", "type", "schema", "text", "run", "call", "signature", "notes", "source", "also_run")
    if isinstance(data, dict):
        return {name: facts(value) for name, value in data.items() if name not in left_out}
    return [facts(value) for value in data] if isinstance(data, list) else data


def address_of(command: str) -> tuple[str, str]:
    """What a command prints, and the address of the page that asks the same."""
    text = ran(command)
    result, run = parsed(text, "it")
    return text, in_url(replace(result.call, origin=run.source))  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ASKED)
def test_the_address_of_a_command_gives_its_result(folder: Path, client: httpx.Client, command: str) -> None:
    assert folder.exists()
    text, address = address_of(command)
    assert address
    assert facts(answered(client, address)) == facts(told(text))


@pytest.mark.parametrize("command", [one for one in COMMANDS if any(part in one for part in NOT_ASKED)])
def test_what_no_form_can_ask_has_no_address(folder: Path, command: str) -> None:
    assert folder.exists()
    assert address_of(command)[1] == ""


def test_p_values_that_were_typed_stand_in_the_address(client: httpx.Client) -> None:
    named = Origin("p_values", systems=("de", "fr"), given=("0.001", "0.3"))
    for origin in (named, replace(named, systems=())):
        found = answered(client, in_url(Call("replicate", {"alpha": 0.1}, "p_values", origin=origin)))
        assert (found["count"], found["alpha"]) == (1, 0.1)
    assert found["datasets"] != ["de", "fr"]


def test_a_page_says_which_files_its_link_was_made_for(client: httpx.Client) -> None:
    for path in ("rank", "agree", "replicate", "compare"):
        said = client.get(f"/{path}?files=my+%3Cscores%3E.csv&alpha=0.1").text
        assert "This link was made for my &lt;scores&gt;.csv." in said
        assert "This link was made" not in client.get(f"/{path}").text


@pytest.mark.parametrize(("action", "example"), [("compare", "close-call"), ("rank", "shared-task")])
def test_the_page_of_a_result_links_to_its_form(client: httpx.Client, action: str, example: str) -> None:
    asked = {"data": {"example": example}, "alpha": 0.1, "method": "wilcoxon", "options": {"zeros": "pratt"}}
    done = client.post(f"/api/{action}", json=asked).json()
    page = client.get(f"/results/{done['id']}", headers={"Accept": "text/html"}).text
    [address] = re.findall(r'href="(/[^"]*)">The form with these settings', page)
    query = httpx.URL(unescape(address)).params
    assert query["example"] == example
    assert query["zeros"] == "pratt"
    again = client.get(unescape(address)).text
    assert f"This link is about the example\n{example}." in again
    assert facts(answered(client, unescape(address))) == facts(done["result"])
