"""What once went wrong: every case here was a crash, a dead end or a number that could not be had again."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import shlex
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.web.jobs import Jobs
from nofluke.web.safety import LOOPBACK, Guard, Limits
from nofluke.web.serving import app_for
from nofluke.web.store import Store
from web.conftest import Server, running
from web.test_api import TABLE, files, sent

HTML = {"Accept": "text/html"}
JSON = {"Accept": "application/json"}


# surrogates and shared files -------------------------------------------------------------------------------------


def test_half_a_surrogate_pair_is_refused_and_the_next_job_runs(client: httpx.Client) -> None:
    rows = "".join(json.dumps({"item": i, "\ud800": i % 3, "B": i % 2}) + "\n" for i in range(30))
    answer = client.post("/api/compare", json=files(sent(client, rows.encode(), "x.jsonl")))
    assert answer.status_code == 422
    assert "surrogate" in answer.json()["errors"][0]["message"]
    assert client.post("/api/compare", json=files(sent(client))).status_code == 200


def test_an_answer_that_cannot_be_kept_fails_its_job_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from web.test_jobs import request

    store = Store(tmp_path)
    jobs = Jobs(store, workers=1)
    jobs.start()
    keep = store.finish
    monkeypatch.setattr(store, "finish", lambda *_: "\ud800".encode())
    broken = jobs.wait(jobs.submit("compare", request()).id, 60)
    monkeypatch.setattr(store, "finish", keep)
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    jobs.stop()
    store.close()
    assert broken is not None
    assert broken.state == "failed"
    assert after is not None
    assert after.state == "done"


def test_a_made_up_shared_file_is_refused_and_not_kept(client: httpx.Client) -> None:
    job = client.post("/api/compare", json={"data": {"example": "questions"}}).json()["id"]
    good = client.get(f"/results/{job}/report.json").json()
    before = client.get("/api/jobs").json()["total"]
    made_up = [b"[]", b"null", b'"\\ud800"', b"[" * 50_000, b"\xff", json.dumps({**good, "effects": {}}).encode()]
    made_up.append(json.dumps({**good, "choices": None}).encode())
    for content in made_up:
        assert client.post("/history", files={"file": ("x.json", content)}).status_code == 422, content[:40]
    assert client.get("/api/jobs").json()["total"] == before
    odd = json.dumps({**good, "headline": "half \ud800"}).encode()
    taken = client.post("/history", files={"file": ("\ud7ff.json", odd)})
    assert taken.status_code in (303, 422)
    if taken.status_code == 303:
        assert client.get(taken.headers["location"]).status_code == 200


# queries and headers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        *("tests=nan", "tests=inf", "tests=1.5", "tests=-1", "tests=1e999", "alpha=nan", "power=2", "kind=x", "sd=inf"),
        *("alternative=x", "accuracy_a=x", "kind=scores&difference=0", "disagreement=0", "tests=99999999999999999999"),
    ],
)
def test_a_plan_of_nonsense_is_answered_in_words(client: httpx.Client, query: str) -> None:
    full = query if "kind" in query else f"kind={'scores' if query.startswith('sd') else 'accuracy'}&{query}"
    answer = client.get(f"/plan.json?{full}")
    assert answer.status_code == 422
    assert client.get(f"/plan?{full}", headers=HTML).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://[", "http://127.0.0.1:1", "null", "http://localhost", "file://", "http://x"]
)
def test_a_foreign_or_broken_origin_cannot_act(client: httpx.Client, origin: str) -> None:
    answer = client.post("/api/correct", json={"p_values": [0.1]}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert client.get("/", headers={"Origin": origin}).status_code == 200


def test_with_a_token_any_address_of_the_machine_will_do(tmp_path: Path) -> None:
    for found in running(tmp_path, guard=Guard(LOOPBACK | {"box"}, "secret")):
        with found.client(headers={"Authorization": "Bearer secret"}) as client:
            for host in ("192.0.2.7:80", "BOX:80", "[2001:db8::1]:80"):
                assert client.get("/", headers={"Host": host}).status_code == 200
            assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


def raw(server: Server, text: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2])), timeout=20) as connection:
        with contextlib.suppress(OSError):  # the server may close before it has read everything
            connection.sendall(text)
        found = b""
        with contextlib.suppress(OSError):
            while block := connection.recv(65_536):
                found += block
        return found


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "//etc/passwd"])
def test_no_raw_path_leads_out(server: Server, path: str) -> None:
    found = raw(server, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    assert found.split(b" ")[1] == b"404"
    assert b"import" not in found


def test_a_body_without_end_is_stopped(tmp_path: Path) -> None:
    limits = Limits(body_bytes=100_000, upload_bytes=200_000)
    for found in running(tmp_path, limits=limits):
        with found.client() as client:
            assert client.post("/api/compare", content=b"x" * 200_000).status_code == 413

            def endless() -> object:
                for _ in range(50):
                    yield b" " * 10_000

            headers = {"Content-Type": "application/json"}
            answer = client.post("/api/compare", content=endless(), headers=headers)  # type: ignore[arg-type]
            assert answer.status_code == 413
            assert "larger than" in answer.json()["errors"][0]["message"]
            assert client.post("/history", files={"file": ("x", b"x" * 400_000)}).status_code == 413
            assert client.get("/").status_code == 200


def test_a_long_table_can_be_pasted(client: httpx.Client) -> None:
    text = "A,B\n" + "0.123456789,0.23456789\n" * 60_000  # beyond the form parser's own limit of 1 MB
    answer = client.post("/compare", data={"text": text}, files={"none": ("", b"")}, headers=JSON)
    assert answer.status_code == 303


# options and limits ----------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("name", ["cache", "workers", "progress", "higher_is_better", "nothing"])
def test_metric_options_are_those_of_the_metric(client: httpx.Client, name: str) -> None:
    data = {"files": [{"text": "a\nb\n", "system": "x"}], "gold": [{"text": "a\nb\n"}], "score_by": "accuracy"}
    answer = client.post("/api/score", json={"data": {**data, "metric_options": {name: 1}}})
    assert answer.status_code == 422, answer.text


def test_limits_reach_the_workers_and_every_file(tmp_path: Path) -> None:
    import gzip

    for found in running(tmp_path, limits=Limits(rows=40, expanded_bytes=50_000)):
        with found.client() as client:
            answer = client.post("/api/compare", json=files(sent(client)))
            assert "more than this server takes" in answer.json()["errors"][0]["message"]
            bomb = {"upload": sent(client, gzip.compress(b"0" * 200_000), "bomb.gz")}
            small = {"text": "a\nb\n", "system": "x"}
            gold = {"data": {"files": [small], "gold": [bomb], "score_by": "accuracy"}}
            for action, body in (
                ("replicate", {"p_table": bomb}),
                ("agree", {"ratings": bomb}),
                ("compare", gold),
            ):
                said = client.post(f"/api/{action}", json=body).json()["errors"][0]
                assert "unpacks to more than" in said["message"], (action, said)
                assert said["where"].startswith("bomb.gz")


def test_a_parquet_file_is_measured_before_it_is_read(tmp_path: Path) -> None:
    import duckdb

    table = tmp_path / "wide.parquet"
    duckdb.execute(f"COPY (SELECT range AS item, 1 AS A, 0 AS B FROM range(100000)) TO '{table}' (FORMAT parquet)")
    for limits, said in (
        (Limits(rows=1_000), "100,000 rows"),
        (Limits(expanded_bytes=1_000), "unpacks to more than"),
    ):
        for found in running(tmp_path / said[:4], limits=limits):
            with found.client() as client:
                upload = sent(client, table.read_bytes(), "wide.parquet")
                error = client.post("/api/compare", json=files(upload)).json()["errors"][0]
                assert said in error["message"]


# the data folder -------------------------------------------------------------------------------------------------


def test_two_servers_cannot_share_a_folder(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(InputError, match="another nofluke server"):
        app_for("127.0.0.1", 1, str(tmp_path), 1)
    store.close()
    Store(tmp_path).close()


def test_the_folder_is_the_users_own(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    Store(folder).close()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_damaged_database_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "app.db").write_bytes(b"this is no database at all, " * 100)
    with pytest.raises(InputError, match="database"):
        app_for("127.0.0.1", 1, str(tmp_path), 1)
    place = tmp_path / "file"
    place.write_text("x")
    with pytest.raises(InputError):
        app_for("127.0.0.1", 1, str(place / "below"), 1)


def test_a_database_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / "app.db")
    old.execute("CREATE TABLE drafts (id TEXT PRIMARY KEY, action TEXT, request TEXT, job TEXT, created REAL)")
    old.execute("INSERT INTO drafts VALUES ('x', 'compare', '{}', '', 1.0)")
    old.commit()
    old.close()
    store = Store(tmp_path)
    found = store.draft("x")
    store.close()
    assert found is not None
    assert found.step == ""


def test_deleting_a_result_deletes_what_only_it_used(client: httpx.Client, server: Server) -> None:
    upload = sent(client)
    first = client.post("/api/compare", json=files(upload)).json()["id"]
    second = client.post("/api/compare", json={**files(upload), "alpha": 0.1}).json()["id"]
    client.post("/api/inspect", json=files(upload))
    path = server.folder / "uploads" / upload
    client.delete(f"/api/jobs/{first}")
    assert path.exists()
    client.delete(f"/api/jobs/{second}")
    assert not path.exists()


def test_at_start_what_nothing_uses_is_tidied_away(tmp_path: Path) -> None:
    store = Store(tmp_path)
    kept, gone = store.add_upload("kept", "a", 1, ""), store.add_upload("gone", "b", 1, "")
    for upload in (kept, gone):
        store.path_of(upload.id).write_text("x")
    store._connection.execute("UPDATE uploads SET created = 0")
    store.add_job("compare", {"data": {"files": [{"upload": "kept"}]}})
    looked = store.add_job("inspect", {"data": {"files": [{"upload": "gone"}]}})
    store.tidy()
    assert (store.upload("gone"), store.job(looked.id)) == (None, None)
    assert not store.path_of("gone").exists()
    assert store.path_of("kept").exists()
    store.close()


# cancel and retry ------------------------------------------------------------------------------------------------


def test_an_attempt_that_was_cancelled_is_not_heard_any_more(tmp_path: Path) -> None:
    store = Store(tmp_path)
    job = store.add_job("compare", {})
    first = store.begin(job.id)
    assert store.cancel(job.id) == first
    assert store.requeue(job.id)
    second = store.begin(job.id)
    assert second == first + 1
    store.progress(job.id, first, 5, 10)
    store.finish(job.id, first, "{}", "late")
    store.stop(job.id, first, "interrupted")
    found = store.job(job.id)
    assert found is not None
    assert (found.state, found.done, found.headline) == ("running", 0, "")
    store.finish(job.id, second, "{}", "right")
    assert store.result(job.id) == "{}"
    assert store.cancel(job.id) is None
    assert not store.requeue(job.id)
    store.close()


def test_cancel_and_retry_again_and_again_end_well(tmp_path: Path) -> None:
    from web.test_jobs import request, slow

    store = Store(tmp_path)
    jobs = Jobs(store, workers=1)
    jobs.start()
    job = jobs.submit("compare", slow())
    for pause in (0.0, 0.01, 0.5, 0.0):
        time.sleep(pause)
        jobs.cancel(job.id)
        assert jobs.retry(job.id)
    jobs.cancel(job.id)
    after = jobs.wait(jobs.submit("compare", request()).id, 60)
    ended = store.job(job.id)
    jobs.stop()
    store.close()
    assert ended is not None
    assert ended.state == "cancelled"
    assert after is not None
    assert after.state == "done"


def test_many_who_wait_do_not_keep_others_waiting(server: Server) -> None:
    async def scene() -> float:
        async with httpx.AsyncClient(base_url=server.address, timeout=60, trust_env=False) as client:
            body = {
                "data": {"example": "questions"},
                "method": "permutation",
                "options": {"monte_carlo": 50_000_000},
            }
            waiting = [
                asyncio.create_task(client.post("/api/compare?wait=4", json={**body, "seed": i})) for i in range(40)
            ]
            await asyncio.sleep(1)
            began = time.monotonic()
            assert (await client.get("/history", headers=HTML)).status_code == 200
            took = time.monotonic() - began
            for answer in await asyncio.gather(*waiting):
                assert answer.status_code == 202
                await client.delete(f"/api/jobs/{answer.json()['job']['id']}")
            return took

    assert asyncio.run(scene()) < 2


# guided ----------------------------------------------------------------------------------------------------------


def draft_of(client: httpx.Client, text: str = TABLE) -> str:
    answer = client.post("/compare", files={"file": ("scores.csv", text.encode())}, headers=HTML)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).split("/")[2]


def test_a_bad_setting_can_be_put_right_where_it_was_made(client: httpx.Client) -> None:
    draft = draft_of(client)
    client.get(f"/compare/{draft}/test", headers=HTML)
    for wrong in ({"margin": "-1"}, {"alpha": "x"}, {"alpha": "7"}, {"seed": "-3"}):
        sent_form = {"method": "sign", "alternative": "greater", "alpha": "0.05", "margin": "", "seed": "0", **wrong}
        answer = client.post(f"/compare/{draft}/test", data=sent_form, headers=HTML, follow_redirects=True)
        assert answer.status_code == 422
        (name, value), page = next(iter(wrong.items())), answer.text
        assert 'role="alert"' in page
        assert f'name="{name}"' in page
        assert f'value="{value}"' in page or float(value) == -1
        assert '<option value="sign" selected>' in page
    again = {"method": "sign", "margin": "", "alpha": "0.05", "seed": "0"}
    answer = client.post(f"/compare/{draft}/test", data=again, headers=HTML, follow_redirects=True)
    assert answer.status_code == 200


def test_a_form_without_a_field_does_not_wipe_it(client: httpx.Client, server: Server) -> None:
    draft = draft_of(client)
    form = {"column_item": "item", "a": "old", "b": "new", "unit": "2", "clusters": "no"}
    assert client.post(f"/compare/{draft}/data", data=form, headers=HTML).status_code == 303
    assert client.post(f"/compare/{draft}/data", data={"unit": "3"}, headers=HTML).status_code == 303
    kept = server.app.state.context.store.draft(draft).request
    assert kept["data"]["columns"] == {"item": "item"}
    assert (kept["a"], kept["b"], kept["unit"], kept["clusters"]) == ("old", "new", 3, False)


@pytest.mark.parametrize("path", ["/rank", "/replicate", "/agree"])
def test_settings_and_files_stay_after_an_error(client: httpx.Client, path: str) -> None:
    form = {"alpha": "0.123", "missing": "drop", "sided": "two", "categories": "lo, hi", "holds": "scores"}
    answer = client.post(path, data=form, files={"file": ("mine.csv", b"a,b\n1,x\n")}, headers=HTML)
    assert answer.status_code == 422
    assert "Still here: mine.csv" in answer.text
    shown = {"/agree": "lo, hi"}.get(path, "0.123")
    assert f'value="{shown}"' in answer.text


def test_the_curve_is_of_the_test_that_was_run(client: httpx.Client, server: Server) -> None:
    draft = draft_of(client)
    form = {"method": "wilcoxon", "fields_of": "wilcoxon", "option_zeros": "pratt", "margin": "0.1", "alpha": "0.05"}
    client.post(f"/compare/{draft}/test", data=form, headers=HTML)
    store = server.app.state.context.store
    for query, stated in (("", None), ("?difference=0.07", 0.07)):
        assert client.get(f"/compare/{draft}/power{query}", headers=HTML).status_code == 200
        asked = next(job for job in store.jobs() if job.action == "power_curve").request
        assert (asked["method"], asked["options"], asked["difference"]) == ("wilcoxon", {"zeros": "pratt"}, stated)
    assert "is not a number" in client.get(f"/compare/{draft}/power?difference=x", headers=HTML).text


# calls -----------------------------------------------------------------------------------------------------------


LONG = "segment,who,quality,doc\n" + "".join(
    f"s{i},{who},{(i * step) % 11 / 10},d{i // 4}\n" for i in range(60) for who, step in (("the new", 7), ("old", 5))
)
CALLED = {
    "columns": (
        "compare",
        {"my scores.csv": LONG},
        {
            "data": {
                "files": ["my scores.csv"],
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
        {"x.txt": "a b c d\nb c d e\n" * 20, "y.txt": "a b c\nb c d e f\n" * 20, "gold.txt": "a b c d\nb c d f\n" * 20},
        {
            "data": {"files": ["x.txt", "y.txt"], "gold": ["gold.txt"], "score_by": "accuracy"},
            "unit": 2,
            "alpha": 0.1,
        },
    ),
    "two files": (
        "compare",
        {"x.txt": "1\n0\n1\n1\n0\n" * 5, "y.txt": "0\n0\n1\n0\n1\n" * 5},
        {"data": {"files": ["x.txt", "y.txt"]}},
    ),
    "rank": ("rank", {"t.csv": TABLE}, {"data": {"files": ["t.csv"]}, "adjust": "bonferroni", "unit": 2}),
    "p-values": (
        "replicate",
        {"p.txt": "dataset A B p\nGerman 81.2 80.1 0.0004\nFrench 79.0 78.2 0.013\nPolish 70.4 70.6 0.6\n"},
        {"p_table": "p.txt", "dependence": "independent", "alpha": 0.1},
    ),
    "published": ("replicate", {}, {"published": "sentiment", "alpha": 0.01}),
    "annotators": (
        "agree",
        {"r.csv": "anna,ben\n" + "low,low\nhigh,low\nmid,mid\nhigh,high\n" * 3},
        {"ratings": "r.csv", "categories": ["low", "mid", "high"], "options": {"level": "ordinal"}},
    ),
    "example": ("compare", {}, {"data": {"example": "documents"}}),
}


def uploaded(value: object, ids: dict[str, str]) -> object:
    if isinstance(value, dict):
        return {key: uploaded(item, ids) for key, item in value.items()}
    if isinstance(value, list):
        return [uploaded(item, ids) for item in value]
    return {"upload": ids[value]} if isinstance(value, str) and value in ids else value


@pytest.mark.parametrize("case", CALLED)
def test_the_calls_shown_give_the_same_numbers(client: httpx.Client, tmp_path: Path, case: str) -> None:
    action, contents, body = CALLED[case]
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    ids = {name: sent(client, text.encode(), name) for name, text in contents.items()}
    answer = client.post(f"/api/{action}", json=uploaded(body, ids), params={"wait": 60})
    assert answer.status_code == 200, answer.text
    job, expected = answer.json()["id"], answer.json()["result"]
    twin = client.get(f"/results/{job}.json").json()
    for entry in twin["inputs"]:
        (tmp_path / entry["name"]).write_bytes(client.get(entry["path"]).content)
    calls = twin["report"]["calls"]
    environment = {**os.environ, "NOFLUKE_CACHE": "off"}
    words = [str(Path(sys.executable).with_name("nofluke")), *shlex.split(calls["shell"])[1:], "--format", "json"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, (calls["shell"], ran.stderr)
    found = json.loads(ran.stdout)
    told = calls["Python"].replace("print(", "answer = (", 1) + "\nimport json; print(json.dumps(answer.to_dict()))"
    python = subprocess.run(
        [sys.executable, "-c", told], cwd=tmp_path, capture_output=True, text=True, env=environment, check=False
    )
    assert python.returncode == 0, (calls["Python"], python.stderr)
    for one in (found, json.loads(python.stdout)):
        assert one["headline"] == expected["headline"]
        for name in ("signature", "p_values", "value"):
            assert one.get(name) == expected.get(name), name
    if contents:
        report = json.loads(client.get(f"/results/{job}/report.json").text)
        assert set(report["run"]["inputs"]) == set(contents)
        assert report["run"]["command"] == calls["shell"]


# twins and history -----------------------------------------------------------------------------------------------


def test_twins_hold_plain_values(client: httpx.Client) -> None:
    draft = draft_of(client)
    steps = [f"/compare/{draft}/{name}.json" for name in ("data", "analysis", "test", "effects", "power", "report")]
    for path in ["/index.json", "/compare.json", "/rank.json", "/replicate.json", "/agree.json", *steps]:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "object at 0x" not in answer.text
        assert "Example(" not in answer.text
        assert "Step(" not in answer.text
        assert "Draft(" not in answer.text
        assert "Option(" not in answer.text


def test_a_redirect_of_a_twin_is_a_twin(client: httpx.Client) -> None:
    job = client.post("/api/compare", json={"data": {"example": "questions"}}).json()["id"]
    assert client.get(f"/jobs/{job}.json").headers["location"].endswith(f"/results/{job}.json")


def test_history_pages_through_everything_and_shows_when(client: httpx.Client, server: Server) -> None:
    store = server.app.state.context.store
    made = [store.add_job("shared", {}, f"entry {i}") for i in range(105)]
    looked = store.add_job("inspect", {})
    first, second = client.get("/history.json").json(), client.get("/history.json?from=100").json()
    page = client.get("/history", headers=HTML).text
    for job in (*made, looked):
        store.delete(job.id)
    assert len(first["jobs"]) == 100
    names = [job["name"] for job in (*first["jobs"], *second["jobs"])]
    assert {f"entry {i}" for i in range(105)} <= set(names)
    assert "inspect" not in {job["action"] for job in first["jobs"]}
    assert "Older" in page
    assert time.strftime("%Y-%m-%d") in page


# every verb ------------------------------------------------------------------------------------------------------


def test_the_smaller_verbs_give_the_numbers_of_the_library(client: httpx.Client) -> None:
    sample = nf.read(io.StringIO(TABLE)).pair()
    data = {"files": [{"text": TABLE}]}

    def asked(action: str, **body: object) -> dict[str, object]:
        answer = client.post(f"/api/{action}", json=body)
        assert answer.status_code == 200, answer.text
        found: dict[str, object] = answer.json()["result"]
        return found

    assert asked("test", data=data, method="sign")["p_value"] == nf.test(sample, "sign").p_value
    unpaired = nf.test([(i * 7) % 11 / 10 for i in range(60)], [(i * 5) % 9 / 10 for i in range(60)], "mann_whitney")
    assert asked("test", data=data, method="mann_whitney")["p_value"] == unpaired.p_value
    assert asked("effect", data=data, name="cohens_d")["value"] == nf.effect(sample, name="cohens_d").value
    assert asked("recommend", data=data)["rows"] == nf.recommend(sample).to_dict()["rows"]
    assert asked("describe", data=data)["n"] == nf.describe(sample).to_dict()["n"]
    assert asked("power", n=100, difference=0.1, sd=0.5)["value"] == nf.power(n=100, difference=0.1, sd=0.5)
    assert asked("detectable_effect", n=100, sd=0.5)["value"] == nf.detectable_effect(n=100, sd=0.5)
    assert asked("correct", p_values=[0.01, 0.04])["values"] == [0.02, 0.04]
    assert asked("combine", p_values=[0.01, 0.04])["value"] == nf.combine([0.01, 0.04])
    three = "item,a,b,c\n" + "".join(f"{i},{i % 3},{i % 4},{i % 5}\n" for i in range(30))
    expected = nf.omnibus(nf.read(io.StringIO(three))).p_value
    assert asked("omnibus", data={"files": [{"text": three}]})["p_value"] == expected
    assert asked("score", data=data)["scores"] == {"new": sample.score(0), "old": sample.score(1)}
    job = client.post("/api/power", json={"n": 100, "difference": 0.1, "sd": 0.5}).json()["id"]
    assert client.get(f"/results/{job}", headers=HTML).status_code == 200
