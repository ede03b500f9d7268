"""The API gives the library's numbers, in the library's words, and one shape for every error."""

from __future__ import annotations

import gzip
import io
import json

import httpx
import pytest

import nofluke as nf
from nofluke.words.comparison import verdict_text
from web.conftest import Server

TABLE = "item,new,old\n" + "".join(f"q{i},{(i * 7) % 11 / 10},{(i * 5) % 9 / 10}\n" for i in range(60))


def sent(client: httpx.Client, content: bytes = TABLE.encode(), name: str = "scores.csv") -> str:
    answer = client.post("/api/uploads", files={"file": (name, content)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["upload"]["id"])


def files(upload: str) -> dict[str, object]:
    return {"data": {"files": [{"upload": upload}]}}


def test_compare_gives_the_numbers_of_the_library(client: httpx.Client) -> None:
    answer = client.post("/api/compare", json=files(sent(client)))
    assert answer.status_code == 200
    expected = nf.compare(nf.read(io.StringIO(TABLE)).pair())
    found = answer.json()["result"]
    assert found["test"]["p_value"] == expected.test.p_value
    assert found["text"]["verdict"] == verdict_text(expected)
    assert found["signature"] == expected.signature


def test_options_go_by_the_names_of_the_library(client: httpx.Client) -> None:
    wanted = {**files(sent(client)), "method": "wilcoxon", "alternative": "greater", "options": {"zeros": "pratt"}}
    found = client.post("/api/compare", json=wanted).json()["result"]["test"]
    expected = nf.test(nf.read(io.StringIO(TABLE)).pair(), "wilcoxon", alternative="greater", zeros="pratt")
    assert found["p_value"] == expected.p_value
    assert found["signature"] == expected.signature


def test_text_can_be_sent_along(client: httpx.Client) -> None:
    answer = client.post("/api/compare", json={"data": {"files": [{"text": TABLE}]}})
    assert answer.json()["result"]["n"] == 60


def test_an_error_names_the_file_as_the_user_does_and_the_line(client: httpx.Client) -> None:
    upload = sent(client, b"a,b\n1,2\n3,x\n", "my scores.csv")
    answer = client.post("/api/compare", json=files(upload))
    assert answer.status_code == 422
    error = answer.json()["errors"][0]
    assert error["where"].startswith("my scores.csv line 3")
    assert "'x' is not a number" in error["message"]
    assert error["fix"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/compare", {"data": {"files": [{"upload": "../../etc/passwd"}]}}, 422),
        ("POST", "/api/compare", {"data": {"files": []}}, 422),
        ("POST", "/api/compare", {"data": {"files": []}, "alfa": 0.05}, 422),
        ("POST", "/api/compare", {"data": {"example": "questions"}, "alpha": 2}, 422),
        ("POST", "/api/compare", {"data": {"example": "nothing"}}, 422),
        ("POST", "/api/compare", {"data": {"example": "questions"}, "method": "wilcoxn"}, 422),
        ("POST", "/api/compare", [], 422),
        ("GET", "/api/jobs/none", None, 404),
        ("GET", "/api/jobs/none/result", None, 404),
        ("POST", "/api/jobs/none/cancel", None, 404),
        ("GET", "/api/nothing", None, 404),
        ("DELETE", "/api/compare", None, 405),
    ],
)
def test_every_error_has_the_one_shape(client: httpx.Client, method: str, path: str, body: object, status: int) -> None:
    answer = client.request(method, path, json=body)
    assert answer.status_code == status
    said = answer.json()
    assert said["ok"] is False
    assert set(said["errors"][0]) == {"message", "where", "fix"}
    assert said["errors"][0]["message"]


def test_a_broken_body_is_a_request_that_cannot_be_read(client: httpx.Client) -> None:
    answer = client.post("/api/compare", content=b"{nonsense", headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["ok"] is False


def test_files_that_are_too_large_are_refused_and_leave_nothing(client: httpx.Client, server: object) -> None:
    before = {path.name for path in server.folder.joinpath("uploads").iterdir()}  # type: ignore[attr-defined]
    answer = client.post("/api/uploads", files={"file": ("big.csv", b"1,2\n" * 1_000_000)})
    assert answer.status_code == 413
    assert "larger than" in answer.json()["errors"][0]["message"]
    assert {path.name for path in server.folder.joinpath("uploads").iterdir()} == before  # type: ignore[attr-defined]


def test_a_zip_bomb_is_stopped_while_it_unpacks(client: httpx.Client) -> None:
    upload = sent(client, gzip.compress(b"0" * 20_000_000), "bomb.csv.gz")
    answer = client.post("/api/compare", json=files(upload))
    assert answer.status_code == 422
    assert "unpacks to more than" in answer.json()["errors"][0]["message"]


def test_a_cut_off_gzip_file_is_said_to_be_damaged(client: httpx.Client) -> None:
    """At once where its beginning shows it, else when it is read."""
    cut = gzip.compress(TABLE.encode())[:-20]
    refused = client.post("/api/uploads", files={"file": ("cut.csv.gz", cut)})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["message"] == "the gzip file ends too early."
    lines = "".join(f"q{i},{(i * 7919) % 10007},{(i * 104729) % 10009}\n" for i in range(100_000))
    upload = sent(client, gzip.compress(("item,a,b\n" + lines).encode())[:-20], "long.csv.gz")
    error = client.post("/api/compare", json=files(upload)).json()["errors"][0]
    assert error["message"] == "the gzip file ends too early."
    assert error["where"] == "long.csv.gz"


def test_history_renames_and_deletes(client: httpx.Client) -> None:
    job = client.post("/api/compare", json={"data": {"example": "questions"}}).json()["id"]
    assert client.patch(f"/api/jobs/{job}", json={"name": "mine"}).json()["job"]["name"] == "mine"
    assert "mine" in client.get("/history").text
    assert client.delete(f"/api/jobs/{job}").json() == {"ok": True}
    assert client.get(f"/api/jobs/{job}").status_code == 404


def test_a_result_can_be_shared_as_a_file(client: httpx.Client) -> None:
    job = client.post("/api/compare", json={"data": {"example": "questions"}}).json()["id"]
    shared = client.get(f"/results/{job}/report.json")
    taken = client.post("/history", files={"file": ("result.json", shared.content)})
    assert taken.status_code == 303
    again = client.get(taken.headers["location"] + ".json").json()["result"]
    assert again["test"]["p_value"] == json.loads(shared.text)["test"]["p_value"]
    assert client.post("/history", files={"file": ("x.json", b'{"type": "Nothing"}')}).status_code == 422


def test_the_description_names_every_action_and_the_shape_of_errors(client: httpx.Client) -> None:
    from nofluke.web.requests import BY_ACTION

    described = client.get("/api/openapi.json").json()
    paths = described["paths"]
    assert {
        "/api/results",
        "/results/{identifier}/report",
        "/results/{identifier}/report.{suffix}",
        "/results/{identifier}/charts/{name}.{kind}",
    } <= set(paths)
    assert {f"/api/{action}" for action in BY_ACTION} <= set(paths)
    for methods in paths.values():
        for operation in methods.values():
            refused = operation["responses"]["4XX"]["content"]["application/json"]["schema"]
            assert refused["$ref"].endswith("/Refused")
    assert set(described["components"]["schemas"]["Problem"]["properties"]) == {"message", "where", "fix"}


def test_the_page_of_the_api_explains_every_field(client: httpx.Client, server: Server) -> None:
    from nofluke.web.requests import BY_ACTION, Data, File

    page = client.get("/docs", headers={"Accept": "text/html"}).text
    assert all(f"/api/{action}" in page for action in BY_ACTION)
    for model in (Data, File, *BY_ACTION.values()):
        assert all(f"<code>{name}</code>" in page for name in model.model_fields), model
    assert "<code>wait</code>" in page
    assert f"curl -s {server.address}/api/compare" in page
    for name in ("Data", "File", "Refused", "Problem"):
        assert page.count(f'id="{name}"') == 1
        assert f'href="#{name}"' in page


def test_head_is_answered_like_get_without_the_body(client: httpx.Client) -> None:
    for path in ("/", "/history", "/api/jobs", "/static/app.css"):
        answer = client.head(path, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.content) == (200, b""), path
        assert answer.headers["content-length"] != "0"


def test_one_systems_score_is_asked_with_its_part_of_the_data(client: httpx.Client) -> None:
    table = "item,system,seed,score\n" + "".join(
        f"q{i},{name},{seed},{(i * 7 + seed * shift) % 10 / 10}\n"
        for name, shift in (("new", 3), ("old", 1))
        for i in range(20)
        for seed in (1, 2, 3)
    )
    data = {"files": [{"upload": sent(client, table.encode())}]}
    wanted = {"data": data, "system": "new", "against": 0.2, "runs": "crossed"}
    found = client.post("/api/estimate", json=wanted).json()["result"]
    assert (found["type"], found["runs"], found["verdict"]) == ("SystemScore", 3, "better")
    compared = client.post("/api/compare", json={"data": data, "a": "new", "b": "old", "runs": "crossed"})
    assert compared.json()["result"]["test"]["method"] == "crossed_runs"
