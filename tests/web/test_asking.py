"""Every verb of the library can be asked for, with its own numbers and nothing but its own options."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

import nofluke as nf
from nofluke.verbs.correct import correct_named
from nofluke.verbs.detectable_effect import detected
from nofluke.verbs.power import planned
from support.command_line import nofluke
from web.conftest import Server
from web.test_api import TABLE, files, sent

DATA = {"files": [{"text": TABLE}]}
GOLD, GOOD, POOR = "a b\nc d\ne f\ng h\n", "a b\nc d\ne x\ng h\n", "a x\nc d\ne x\ng y\n"


def asked(client: httpx.Client, action: str, **body: object) -> dict[str, Any]:
    answer = client.post(f"/api/{action}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["result"]
    assert found.pop("ok") is True
    found.pop("text", None)  # the words stand beside the value
    return found


def test_verbs_on_a_pair_give_what_the_library_gives(client: httpx.Client) -> None:
    sample = nf.read(io.StringIO(TABLE)).pair()
    expected = {
        "test": ({"method": "sign"}, nf.test(sample, "sign")),
        "effect": ({"name": "cohens_d"}, nf.effect(sample, name="cohens_d")),
        "recommend": ({"rules": "zhu2020"}, nf.recommend(sample, rules="zhu2020")),
        "describe": ({"normality_alpha": 0.1}, nf.describe(sample, normality_alpha=0.1)),
        "bayes": ({"rope": [-0.1, 0.1]}, nf.bayes(sample, rope=(-0.1, 0.1))),
        "compare": ({"bayes": True, "rope": 0.1}, nf.compare(sample, bayes=True, rope=0.1)),
    }
    for action, (body, value) in expected.items():
        assert asked(client, action, data=DATA, **body) == json.loads(json.dumps(value.to_dict())), action


def test_verbs_on_numbers_say_what_the_numbers_rest_on(client: httpx.Client) -> None:
    for action, body, value in (
        ("power", {"n": 100, "difference": 0.1, "sd": 0.5}, planned("paired_t", n=100, difference=0.1, sd=0.5)),
        ("detectable_effect", {"n": 100, "sd": 0.5}, detected("paired_t", n=100, sd=0.5)),
        ("correct", {"p_values": [0.01, 0.04]}, correct_named([0.01, 0.04])),
    ):
        assert asked(client, action, **body) == json.loads(json.dumps(value.to_dict())), action  # type: ignore[arg-type]
    assert asked(client, "combine", p_values=[0.01, 0.04])["value"] == nf.combine([0.01, 0.04])


def test_tests_of_unmatched_scores_and_of_many_systems(client: httpx.Client) -> None:
    unpaired = nf.test([(i * 7) % 11 / 10 for i in range(60)], [(i * 5) % 9 / 10 for i in range(60)], "mann_whitney")
    assert asked(client, "test", data=DATA, method="mann_whitney")["p_value"] == unpaired.p_value
    curve = asked(client, "power_curve", data=DATA, method="mann_whitney", difference=0.1, sizes=3, iterations=20)
    assert curve["test"] == "mann_whitney"
    three = "item,a,b,c\n" + "".join(f"{i},{i % 3},{i % 4},{i % 5}\n" for i in range(30))
    expected = nf.omnibus(nf.read(io.StringIO(three))).p_value
    assert asked(client, "omnibus", data={"files": [{"text": three}]})["p_value"] == expected


# scores ----------------------------------------------------------------------------------------------------------


def scoring(*outputs: str, **rest: Any) -> dict[str, Any]:
    return {
        "files": [{"text": text, "system": f"s{place}"} for place, text in enumerate(outputs)],
        "gold": [{"text": GOLD}],
        "score_by": "accuracy",
        **rest,
    }


def test_one_system_has_a_score_too(client: httpx.Client) -> None:
    found = asked(client, "score", data=scoring(GOOD))
    assert (found["scores"], found["n"], found["metric"]) == ({"s0": 0.75}, 4, "accuracy")


def test_systems_are_scored_on_the_same_items_or_not_at_all(client: httpx.Client) -> None:
    rows = [f"{i},A,{i % 2}" for i in range(10)] + [f"{i},B,1" for i in range(5)]
    half = "\n".join(["item,system,score", *rows])
    data = {"files": [{"text": half}]}
    refused = client.post("/api/score", json={"data": data})
    assert refused.status_code == 422
    assert "5 have no score for 'B'" in refused.json()["errors"][0]["message"]
    found = asked(client, "score", data=data, missing="drop")
    assert (found["scores"], found["n"]) == ({"A": 0.4, "B": 1.0}, 5)
    assert any(note["facts"].get("dropped") == 5 for note in found["notes"])


def test_the_command_line_writes_the_same_scores(client: httpx.Client, tmp_path: Path) -> None:
    for name, text in (("s0", GOOD), ("s1", POOR), ("gold", GOLD)):
        (tmp_path / f"{name}.txt").write_text(text)
    found = asked(client, "score", data=scoring(GOOD, POOR))
    typed = ["score", "s0.txt", "s1.txt", "--metric", "accuracy", "--gold", "gold.txt", "--format", "json"]
    written = json.loads(nofluke(*typed, cwd=tmp_path).out)
    assert {name: value for name, value in written.items() if name not in ("ok", "run", "text")} == found


def test_scores_of_items_can_be_taken_along_and_go_with_the_job(client: httpx.Client, server: Server) -> None:
    job = client.post("/api/score", json={"data": scoring(GOOD, POOR)}).json()["id"]
    answer = client.get(f"/api/jobs/{job}/items.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    scores = nf.read(io.StringIO(answer.text))
    expected = nf.score("accuracy", {"s0": GOOD.splitlines(), "s1": POOR.splitlines()}, GOLD.splitlines())
    assert nf.compare(scores.pair()).test.p_value == nf.compare(expected.pair()).test.p_value
    assert list(server.folder.joinpath("items").glob(f"{job}*"))
    client.delete(f"/api/jobs/{job}")
    assert client.get(f"/api/jobs/{job}/items.csv").status_code == 404
    assert not list(server.folder.joinpath("items").glob(f"{job}*"))
    other = client.post("/api/combine", json={"p_values": [0.1]}).json()["id"]
    assert client.get(f"/api/jobs/{other}/items.csv").status_code == 404


def test_files_whose_names_begin_alike_are_told_apart(client: httpx.Client) -> None:
    uploads = [{"upload": sent(client, b"1\n0\n1\n", name)} for name in ("m.v1.txt", "m.v2.txt")]
    assert asked(client, "compare", data={"files": uploads})["systems"] == ["m.v1", "m.v2"]


# what is no option -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        {"options": {"progress": 1}},
        {"options": {"a": "x"}},
        {"options": {"seed": 3}},
        {"options": {"nothing": 3}},
        {"data": {"example": "questions", "columns": {"progress": "x"}}},
        {"data": {"example": "questions", "columns": {"source": "x"}}},
    ],
)
def test_a_client_names_options_of_methods_only(client: httpx.Client, body: dict[str, object]) -> None:
    answer = client.post("/api/compare", json={"data": {"example": "questions"}, **body})
    assert answer.status_code == 422, answer.text
    assert "inside" not in answer.json()["errors"][0]["message"]


@pytest.mark.parametrize("name", ["names", "printed", "p_values", "alpha", "nothing"])
def test_a_correction_takes_its_own_options_only(client: httpx.Client, name: str) -> None:
    answer = client.post("/api/correct", json={"p_values": [0.1, 0.2], "options": {name: 1}})
    assert answer.status_code == 422, answer.text


@pytest.mark.parametrize("name", ["cache", "workers", "progress", "higher_is_better", "nothing"])
def test_metric_options_are_those_of_the_metric(client: httpx.Client, name: str) -> None:
    answer = client.post("/api/score", json={"data": scoring(GOOD, metric_options={name: 1})})
    assert answer.status_code == 422, answer.text


def test_half_a_surrogate_pair_is_refused_and_the_next_job_runs(client: httpx.Client) -> None:
    rows = "".join(json.dumps({"item": i, "\ud800": i % 3, "B": i % 2}) + "\n" for i in range(30))
    answer = client.post("/api/compare", json=files(sent(client, rows.encode(), "x.jsonl")))
    assert answer.status_code == 422
    assert "surrogate" in answer.json()["errors"][0]["message"]
    assert client.post("/api/compare", json=files(sent(client))).status_code == 200
