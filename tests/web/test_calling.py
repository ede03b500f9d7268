"""The calls that a result shows, in Python and in the shell, give its numbers again with the files it offers."""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from nofluke.reports.plain import parsed
from nofluke.reports.provenance import calls_in
from support.command_line import nofluke
from web.test_api import TABLE, sent

LONG = "segment,who,quality,doc\n" + "".join(
    f"s{i},{who},{(i * step) % 11 / 10},d{i // 4}\n" for i in range(60) for who, step in (("the new", 7), ("old", 5))
)
LABELS = {"x": "a b c d\nb c d e\n" * 20, "y": "a b c\nb c d e f\n" * 20, "gold": "a b c d\nb c d f\n" * 20}
GAPS = "item,new,old,older\n" + "".join(f"i{i},{i % 7},{i % 5},{'' if i % 9 == 2 else i % 4}\n" for i in range(40))
NUMBERS = {"x": "1\n0\n1\n1\n0\n" * 5, "y": "0\n0\n1\n0\n1\n" * 5}
RATED = "anna,ben\n" + "low,low\nhigh,low\nmid,mid\nhigh,high\n" * 3
WIDE: dict[str, Any] = {"data": {"files": ["t.csv"]}}

# What is asked, of which uploads (name in the request -> name and content of the file), with what.
Case = tuple[str, dict[str, tuple[str, str]], dict[str, Any]]
CALLED: dict[str, Case] = {
    "columns": (
        "compare",
        {"f": ("my scores.csv", LONG)},
        {
            "data": {
                "files": ["f"],
                "columns": {"item": "segment", "system": "who", "score": "quality", "cluster": "doc"},
                "higher_is_better": False,
            },
            "a": "old",
            "b": "the new",
            "alternative": "less",
            "clusters": False,
            "method": "wilcoxon",
            "options": {"zeros": "pratt"},
        },
    ),
    "outputs": (
        "compare",
        {"x": ("x.txt", LABELS["x"]), "y": ("y.txt", LABELS["y"]), "g": ("gold.txt", LABELS["gold"])},
        {"data": {"files": ["x", "y"], "gold": ["g"], "score_by": "accuracy"}, "unit": 2, "alpha": 0.1},
    ),
    "one name for outputs and gold": (
        "compare",
        {"x": ("a.txt", LABELS["x"]), "y": ("b.txt", LABELS["y"]), "g": ("a.txt", LABELS["gold"])},
        {"data": {"files": ["x", "y"], "gold": ["g"], "score_by": "token_f1"}},
    ),
    "two files": (
        "compare",
        {"x": ("x.txt", NUMBERS["x"]), "y": ("y.txt", NUMBERS["y"])},
        {"data": {"files": ["x", "y"]}},
    ),
    "names that begin alike": (
        "compare",
        {"x": ("m.v1.txt", NUMBERS["x"]), "y": ("m.v2.txt", NUMBERS["y"])},
        {"data": {"files": ["x", "y"]}},
    ),
    "two downloads of one name": (
        "compare",
        {"x": ("scores.txt", NUMBERS["x"]), "y": ("scores.txt", NUMBERS["y"])},
        {"data": {"files": ["x", "y"]}},
    ),
    "pasted twice": (
        "compare",
        {},
        {"data": {"files": [{"text": NUMBERS["x"]}, {"text": NUMBERS["y"]}]}},
    ),
    "named systems": (
        "compare",
        {"x": ("s.txt", NUMBERS["x"]), "y": ("s.txt", NUMBERS["y"])},
        {"data": {"files": [{"upload": "x", "system": "the new"}, {"upload": "y", "system": "old"}]}},
    ),
    "one system beside a number": ("estimate", {"t.csv": ("t.csv", TABLE)}, {**WIDE, "system": "new", "against": 0.5}),
    "a dash in front": ("compare", {"t.csv": ("-x.csv", TABLE)}, WIDE),
    "bayes beside the test": ("compare", {"t.csv": ("t.csv", TABLE)}, {**WIDE, "bayes": True, "rope": [-0.02, 0.03]}),
    "unpaired": ("test", {"t.csv": ("t.csv", TABLE)}, {**WIDE, "method": "mann_whitney", "a": "old", "b": "new"}),
    "one test": ("test", {"t.csv": ("t.csv", TABLE)}, {**WIDE, "method": "sign", "unit": 3, "options": {}}),
    "rank": ("rank", {"t.csv": ("t.csv", TABLE)}, {**WIDE, "adjust": "bonferroni", "unit": 2}),
    "some systems, each pair on its own items": (
        "rank",
        {"t.csv": ("t.csv", GAPS)},
        {**WIDE, "systems": ["new", "older"], "missing": "pairwise"},
    ),
    "curve": ("power_curve", {"t.csv": ("t.csv", TABLE)}, {**WIDE, "difference": 0.1, "sizes": 3, "iterations": 20}),
    "p-values": (
        "replicate",
        {"p": ("p.txt", "dataset A B p\nGerman 81.2 80.1 0.0004\nFrench 79.0 78.2 0.013\nPolish 70.4 70.6 0.6\n")},
        {"p_table": "p", "dependence": "independent", "alpha": 0.1},
    ),
    "published": ("replicate", {}, {"published": "sentiment", "alpha": 0.01}),
    "annotators": (
        "agree",
        {"r": ("r.csv", RATED)},
        {"ratings": "r", "categories": ["low", "mid", "high"], "layout": "wide", "options": {"level": "ordinal"}},
    ),
    "example": ("compare", {}, {"data": {"example": "documents"}}),
    "scores": (
        "score",
        {"x": ("x.txt", LABELS["x"]), "y": ("y.txt", LABELS["y"]), "g": ("gold.txt", LABELS["gold"])},
        {"data": {"files": ["x", "y"], "gold": ["g"], "score_by": "bleu", "metric_options": {"lowercase": True}}},
    ),
    "corrected": ("correct", {}, {"p_values": [0.01, 1e-7, 0.04], "method": "bky", "alpha": 0.1}),
    "size": ("sample_size", {}, {"difference": 0.1, "sd": 0.5, "tests": 3}),
    "power": ("power", {}, {"n": 100, "difference": 0.1, "sd": 0.5, "alternative": "greater"}),
    "detectable": (
        "detectable_effect",
        {},
        {"test": "welch_t", "n": 100, "sd": 0.5, "sd_b": 0.7, "tests": 3, "adjust": "bonferroni"},
    ),
}
# A result is the same when these are; where Python gives a bare number, it is the first of them.
SAME = {
    "correct": ("adjusted", "standing"),
    "power": ("power", "signature"),
    "detectable_effect": ("difference", "by_power", "signature"),
    "score": ("scores", "n", "signature", "metric"),
    "sample_size": ("n", "n_exact", "signature"),
    "power_curve": ("power", "sizes", "signature"),
    "test": ("p_value", "statistic", "signature"),
}
USUAL = ("headline", "signature", "p_values", "value", "posterior", "verdict", "text")


def uploaded(value: object, ids: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {key: ids.get(item, item) if key == "upload" else uploaded(item, ids) for key, item in value.items()}
    if isinstance(value, list):
        return [uploaded(item, ids) for item in value]
    return {"upload": ids[value]} if isinstance(value, str) and value in ids else value


def asked(client: httpx.Client, case: Case) -> tuple[str, dict[str, Any]]:
    action, contents, body = case
    ids = {alias: sent(client, text.encode(), name) for alias, (name, text) in contents.items()}
    answer = client.post(f"/api/{action}", json=uploaded(body, ids), params={"wait": 60})
    assert answer.status_code == 200, answer.text
    return answer.json()["id"], answer.json()["result"]


def words_of(call: str) -> list[str]:
    words = shlex.split(call, comments=True)
    assert words[0] == "nofluke"
    return words[1:]


def in_the_shell(call: str, folder: Path) -> Any:
    run = nofluke(*words_of(call), "--format", "json", cwd=folder)
    assert run.code == 0, run.err
    return json.loads(run.out)


def answer_of(call: str, folder: Path) -> Any:
    scope: dict[str, Any] = {}
    with contextlib.chdir(folder):
        exec(call.replace("print(", "answer = (", 1), scope)
    return scope["answer"]


def in_python(call: str, folder: Path) -> Any:
    answer = answer_of(call, folder)
    plain = answer.to_dict() if hasattr(answer, "to_dict") else answer
    return json.loads(json.dumps(plain.tolist() if hasattr(plain, "tolist") else plain))


def files_of(client: httpx.Client, job: str, folder: Path) -> dict[str, Any]:
    twin: dict[str, Any] = client.get(f"/results/{job}.json").json()
    for entry in twin["inputs"]:
        answer = client.get(entry["path"])
        assert f'filename="{entry["name"]}"' in answer.headers["content-disposition"].replace("%20", " ") or (
            "filename*" in answer.headers["content-disposition"]
        )
        (folder / entry["name"]).write_bytes(answer.content)
    return twin


@pytest.mark.parametrize("case", CALLED)
def test_the_calls_shown_give_the_same_numbers(client: httpx.Client, tmp_path: Path, case: str) -> None:
    action, contents, body = CALLED[case]
    job, expected = asked(client, CALLED[case])
    twin = files_of(client, job, tmp_path)
    calls = twin["report"]["calls"]
    names = SAME.get(action, USUAL)
    for found in (in_the_shell(calls["shell"], tmp_path), in_python(calls["Python"], tmp_path)):
        if isinstance(found, dict):
            # Words name options as their reader gives them; the facts beside them are the same.
            same = [name for name in names if name != "text"]
            assert {name: found.get(name) for name in same} == {name: expected.get(name) for name in same}
        else:
            assert found == expected[names[0]]
    report = json.loads(client.get(f"/results/{job}/report.json").text)
    assert report["run"]["command"] == calls["shell"]
    if contents or "pasted" in case:
        held = len(contents) or len(body["data"]["files"])
        assert len(report["run"]["inputs"]) == held
        assert set(report["run"]["inputs"]) == {entry["name"] for entry in twin["inputs"]}


@pytest.mark.parametrize("case", ["columns", "outputs", "two files", "unpaired", "p-values", "annotators"])
def test_a_report_that_is_taken_away_knows_how_its_data_were_read(
    client: httpx.Client, tmp_path: Path, case: str
) -> None:
    job, _ = asked(client, CALLED[case])
    files_of(client, job, tmp_path)
    value, run = parsed(client.get(f"/results/{job}/report.json").text, "it")
    call = calls_in(value.call, run)["Python"]  # type: ignore[attr-defined]
    found = in_python(call, tmp_path)
    assert found["signature"] == value.signature  # type: ignore[attr-defined]


def test_the_calls_shown_run_in_a_process_of_their_own(client: httpx.Client, tmp_path: Path) -> None:
    job, _ = asked(client, CALLED["columns"])
    calls = files_of(client, job, tmp_path)["report"]["calls"]
    shell = [str(Path(sys.executable).with_name("nofluke")), *words_of(calls["shell"]), "--format", "json"]
    in_json, printed = (
        subprocess.run(words, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True).stdout
        for words in (shell, [sys.executable, "-X", "utf8", "-c", calls["Python"]])
    )
    assert json.loads(in_json)["test"] == in_the_shell(calls["shell"], tmp_path)["test"]
    assert printed == f"{answer_of(calls['Python'], tmp_path)}\n"


@pytest.mark.parametrize(
    ("action", "body", "part"),
    [
        ("describe", {"normality_alpha": 0.1}, "profile"),
        ("recommend", {"rules": "zhu2020"}, "choices"),
        ("bayes", {"rope": 0.05, "seed": 3}, "posterior"),
    ],
)
def test_what_compare_says_among_other_things_is_called_a_part_of_it(
    client: httpx.Client, tmp_path: Path, action: str, body: dict[str, Any], part: str
) -> None:
    job, expected = asked(client, (action, {"t.csv": ("t.csv", TABLE)}, {**WIDE, **body}))
    calls = files_of(client, job, tmp_path)["report"]["calls"]
    assert calls["shell"].endswith("is part of it")
    found = in_the_shell(calls["shell"], tmp_path)[part]
    assert found == {name: value for name, value in expected.items() if name not in ("ok", "type", "schema", "text")}
    assert in_python(calls["Python"], tmp_path) == {
        name: value for name, value in expected.items() if name not in ("ok", "text")
    }


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("gate", WIDE),
        ("gate", {**WIDE, "baseline": "new", "candidate": "old", "require": "not-worse", "margin": ["0.5"]}),
        ("effect", {**WIDE, "name": "cohens_d"}),
        ("estimate", {**WIDE, "system": "new", "interval": "t"}),
        ("bayes", {**WIDE, "method": "correlated_t"}),
        ("omnibus", {"data": {"example": "shared-task"}}),
        ("replicate", {"p_values": {"de": 0.01, "fr": 0.2}}),
    ],
)
def test_what_has_no_command_says_so(client: httpx.Client, tmp_path: Path, action: str, body: dict[str, Any]) -> None:
    job, expected = asked(client, (action, {"t.csv": ("t.csv", TABLE)}, body))
    calls = files_of(client, job, tmp_path)["report"]["calls"]
    assert calls["shell"] == "# only in Python"
    found = in_python(calls["Python"], tmp_path)
    assert [found.get(name) for name in ("signature", "rows")] == [expected.get(name) for name in ("signature", "rows")]
    assert found.get("value", found.get("p_value")) == expected.get("value", expected.get("p_value"))
