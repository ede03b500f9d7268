"""What would change nothing is refused with the reason: in Python, in the shell, by the API and on the pages alike."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import httpx
import pytest

import nofluke as nf
from nofluke.errors import InputError
from support.command_line import nofluke
from web.test_forms import HTML

SCORES = "item,new,old,third\n" + "".join(f"q{at},{at * 3 % 7},{at * 2 % 5},{at % 4}\n" for at in range(30))
PAIR = {"a": "new", "b": "old"}
ITEM = "every unit is a single item"
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("compare", {"shuffle_seed": 3}, "shuffle_seed", ITEM),
    ("compare", {"unit_statistic": "median"}, "unit_statistic", ITEM),
    ("compare", {"low": 0}, "low", "the range of possible scores has two ends"),
    ("compare", {"high": 9}, "high", "the range of possible scores has two ends"),
    ("rank", {"shuffle_seed": 3}, "shuffle_seed", ITEM),
    ("rank", {"unit_statistic": "median"}, "unit_statistic", ITEM),
    ("rank", {"n_resamples": 199}, "n_resamples", "only the correction max_t draws flips"),
    ("rank", {"n_resamples": 199, "adjust": "bh"}, "n_resamples", "only the correction max_t draws flips"),
    ("rank", {"exact": "all", "method": "sign"}, "exact", "sign has one way to its p-values"),
]
# What the library takes anyway, said aloud, and what is used.
TAKEN: list[tuple[str, dict[str, Any]]] = [
    ("compare", {"unit": 1, "unit_statistic": "mean"}),
    ("compare", {"unit": 2, "unit_statistic": "median", "shuffle_seed": 3}),
    ("compare", {"low": 0, "high": 9}),
    ("compare", {"low": 0, "high": 9, "margin": 0.5}),
    ("rank", {"n_resamples": 9_999, "adjust": "holm", "exact": "near", "method": "sign"}),
    ("rank", {"n_resamples": 199, "adjust": "max_t"}),
    ("rank", {"exact": "all", "method": "wilcoxon"}),
    ("rank", {"exact": "all"}),
]
ALIGNING = ("unit", "unit_statistic", "shuffle_seed")


def in_python(action: str, asked: dict[str, Any]) -> Any:
    scores = nf.read(io.StringIO(SCORES))
    if action == "rank":
        return nf.rank(scores, **asked)
    aligning = {name: value for name, value in asked.items() if name in ALIGNING}
    rest = {name: value for name, value in asked.items() if name not in ALIGNING}
    return nf.compare(scores.pair(**PAIR, **aligning), **rest)


def typed(action: str, asked: dict[str, Any], folder: Path) -> Any:
    (folder / "scores.csv").write_text(SCORES)
    named = {**(PAIR if action == "compare" else {}), **asked}
    words = [word for name, value in named.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    return nofluke(action, str(folder / "scores.csv"), "-q", *words)


def requested(client: httpx.Client, action: str, asked: dict[str, Any]) -> httpx.Response:
    named = {**(PAIR if action == "compare" else {}), **asked}
    return client.post(f"/api/{action}", json={"data": {"files": [{"text": SCORES}]}, **named})


@pytest.mark.parametrize(("action", "asked", "name", "why"), CASES)
def test_what_would_change_nothing_is_refused(
    client: httpx.Client, tmp_path: Path, action: str, asked: dict[str, Any], name: str, why: str
) -> None:
    message = f"{name} would change nothing here: {why}."
    with pytest.raises(InputError) as caught:
        in_python(action, asked)
    assert caught.value.message == message
    answer = requested(client, action, asked)
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["message"] == message
    run = typed(action, asked, tmp_path)
    assert run.code == 2
    assert f"--{name.replace('_', '-')} would change nothing here: {why}." in run.err
    if action == "rank":
        page = client.post("/rank", data={"text": SCORES, **{k: str(v) for k, v in asked.items()}}, headers=HTML)
        assert page.status_code == 422
        assert message[0].upper() + message[1:] in page.text


@pytest.mark.parametrize(("action", "asked"), TAKEN)
def test_what_is_used_or_is_so_anyway_is_taken(
    client: httpx.Client, tmp_path: Path, action: str, asked: dict[str, Any]
) -> None:
    in_python(action, asked)
    answer = requested(client, action, asked)
    assert answer.status_code == 200, answer.text
    run = typed(action, asked, tmp_path)
    assert run.code == 0, run.err


def test_units_of_an_unpaired_test_are_refused(client: httpx.Client) -> None:
    asked = {**PAIR, "data": {"files": [{"text": SCORES}]}, "method": "welch_t"}
    assert client.post("/api/test", json=asked).status_code == 200
    answer = client.post("/api/test", json={**asked, "unit": 2})
    assert answer.status_code == 422
    assert "unit would change nothing here: the test is unpaired" in answer.json()["errors"][0]["message"]
