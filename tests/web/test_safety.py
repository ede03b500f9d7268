"""Only this machine, only this page, only with the token where one is needed."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from nofluke.web.app import app_for
from nofluke.web.guard import LOOPBACK, Guard
from nofluke.web.safety import HEADERS, POLICY, REPORT_HEADERS
from web.conftest import Server, running


def test_a_foreign_host_is_refused(client: httpx.Client) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_another_page_cannot_act(client: httpx.Client, origin: str) -> None:
    answer = client.post("/api/compare", json={"data": {"example": "questions"}}, headers={"Origin": origin})
    assert answer.status_code == 403


def test_the_own_page_can_act(client: httpx.Client, server: Server) -> None:
    body = {"data": {"example": "questions"}}
    assert client.post("/api/compare", json=body, headers={"Origin": server.address}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/compare", "/history", "/docs", "/static/app.js", "/api/jobs", "/nothing"])
def test_every_answer_forbids_foreign_and_inline_scripts(client: httpx.Client, path: str) -> None:
    policy = client.get(path).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "data:" not in policy


NASTY = """</script><script>alert(1)</script>'"><img src=x onerror=alert(2)>"""
IN_A_ROOM_OF_ITS_OWN = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


def opened_from_a_file(client: httpx.Client) -> str:
    """A result that somebody sent, whose systems have names that would be glad to be run."""
    job = client.post("/api/compare", json={"data": {"example": "questions"}}).json()["id"]
    found = client.get(f"/results/{job}/report.json").json()
    shared = json.dumps(found).replace('"baseline"', json.dumps(NASTY))
    taken = client.post("/api/results", files={"file": ("theirs.json", shared.encode())})
    assert taken.status_code == 201, taken.text
    return str(taken.json()["id"])


def test_a_report_is_read_in_a_room_of_its_own(client: httpx.Client) -> None:
    path = f"/results/{opened_from_a_file(client)}/report"
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "content-disposition" not in answer.headers
    assert answer.headers.get_list("Content-Security-Policy") == [IN_A_ROOM_OF_ITS_OWN]
    assert "allow-same-origin" not in IN_A_ROOM_OF_ITS_OWN
    # A page with a sandbox and an opener of its own origin would be refused by browsers that follow the standard.
    kept = {**HEADERS, **REPORT_HEADERS, "Cross-Origin-Opener-Policy": "unsafe-none"}
    assert {name: answer.headers[name] for name in kept} == kept
    assert client.head(path).headers["Content-Security-Policy"] == IN_A_ROOM_OF_ITS_OWN
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.request(method, path).status_code == 405
        assert client.request(method, path, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get(path, headers={"Host": "evil.example"}).status_code == 421


def test_names_in_a_report_that_is_read_here_are_text(client: httpx.Client) -> None:
    page = client.get(f"/results/{opened_from_a_file(client)}/report").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in page
    # Even if one got through: the page allows its own scripts alone, by what they hold, and no text becomes one.
    policy = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    assert len(policy) == 1
    own = re.findall(r'<script type="module">(.*?)</script>', page, flags=re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in own]
    assert policy[0].split("script-src ")[1].split(";")[0].split() == [f"'sha256-{one}'" for one in digests]
    assert "unsafe-eval" not in page.partition("<main")[0]


def test_only_a_report_that_is_read_here_may_run_what_it_brings(client: httpx.Client, server: Server) -> None:
    job = opened_from_a_file(client)
    rooms: list[Any] = [getattr(one, "original_router", None) for one in server.app.routes]
    paths = [route.path for room in rooms if room is not None for route in room.routes]
    others = [path for path in paths if not path.endswith("/report")]
    assert len(others) == len(paths) - 1
    assert len(others) > 40
    filled = {"identifier": job, "suffix": "html", "kind": "svg", "name": "histograms", "action": "compare"}
    for path in others:
        answer = client.get(re.sub(r"{(\w+).*?}", lambda one: filled.get(one[1], "x"), path))
        assert answer.headers["Content-Security-Policy"] == POLICY, path
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin", path


@pytest.mark.parametrize(("path", "status"), [("nobody", 404), ("../results", 404), ("%3Cscript%3E", 404)])
def test_no_report_is_a_page_like_all_others(client: httpx.Client, path: str, status: int) -> None:
    answer = client.get(f"/results/{path}/report", headers={"Accept": "text/html"})
    assert answer.status_code == status
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "<script>" not in answer.text
    number = client.post("/api/combine", json={"p_values": [0.01, 0.04]}).json()["id"]
    none = client.get(f"/results/{number}/report", headers={"Accept": "text/html"})
    assert none.status_code == 404
    assert "This answer has no report" in none.text
    assert none.headers["Content-Security-Policy"] == POLICY


def test_a_token_is_asked_for_and_becomes_a_cookie(tmp_path: Path) -> None:
    for found in running(tmp_path, guard=Guard(LOOPBACK, "secret")):
        with found.client() as client:
            assert client.get("/").status_code == 401
            assert client.get("/?token=wrong").status_code == 401
            assert client.get("/", headers={"Authorization": "Bearer secret"}).status_code == 200
            welcome = client.get("/?token=%20secret&theme=dark")
            assert welcome.status_code == 303
            assert welcome.headers["location"].endswith("/?theme=dark")
            assert "default-src 'none'" in welcome.headers["Content-Security-Policy"]
            assert client.get("/").status_code == 200


def test_two_servers_on_one_machine_do_not_share_a_cookie(tmp_path: Path) -> None:
    for one in running(tmp_path / "one", guard=Guard(LOOPBACK, "first")):
        for other in running(tmp_path / "other", guard=Guard(LOOPBACK, "second")):
            with httpx.Client(trust_env=False) as browser:
                assert browser.get(f"{one.address}/?token=first").status_code == 303
                assert browser.get(f"{other.address}/?token=second").status_code == 303
                assert browser.get(f"{one.address}/").status_code == 200
                assert browser.get(f"{other.address}/").status_code == 200


def test_a_browser_without_the_token_gets_a_page_that_asks_for_it(tmp_path: Path) -> None:
    page_wanted = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for found in running(tmp_path, guard=Guard(LOOPBACK, "secret")):
        with found.client(headers=page_wanted) as client:
            asked = client.get("/history?from=3%22%3E%3Cscript%3E")
            assert asked.status_code == 401
            assert asked.headers["content-type"].startswith("text/html")
            assert '<form method="get"' in asked.text
            assert 'name="token"' in asked.text
            assert "secret" not in asked.text
            assert "<script>" not in asked.text
            assert "unsafe" not in asked.headers["Content-Security-Policy"]
            assert client.get("/static/app.css").status_code == 200
            assert "is not the token" in client.get("/?token=wrong").text
            for path in ("/", "/compare", "/jobs/x/change", "/history/delete"):
                assert client.post(path, data={"example": "questions"}).status_code == 401
            assert client.get("/results/x/items").status_code == 401
            assert client.get("/results/x/report").status_code == 401
            for path in ("/api/jobs", "/history.json"):
                said = client.get(path)
                assert said.status_code == 401
                assert said.json()["errors"][0]["fix"]
            assert client.get("/history?token=secret", follow_redirects=True).status_code == 200


def test_only_beyond_this_machine_a_token_is_made(tmp_path: Path) -> None:
    app, address = app_for("127.0.0.1", 1, str(tmp_path), 1)
    assert "token" not in address
    app.state.store.close()
    app, address = app_for("0.0.0.0", 1, str(tmp_path), 1)
    app.state.store.close()
    assert "token=" in address
    assert "0.0.0.0" not in address  # nobody can open that


@pytest.mark.parametrize(
    "origin", ["http://[", "http://127.0.0.1:1", "null", "http://localhost", "file://", "http://x"]
)
def test_a_foreign_or_broken_origin_cannot_act(client: httpx.Client, origin: str) -> None:
    answer = client.post("/api/correct", json={"p_values": [0.1]}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert client.get("/", headers={"Origin": origin}).status_code == 200


def test_with_a_token_any_name_of_the_machine_will_do_and_none_without_it(tmp_path: Path) -> None:
    for found in running(tmp_path, guard=Guard(LOOPBACK | {"box"}, "secret")):
        with found.client(headers={"Authorization": "Bearer secret"}) as client:
            for host in ("192.0.2.7:80", "BOX:80", "[2001:db8::1]:80", "box.lab.example:80"):
                assert client.get("/", headers={"Host": host}).status_code == 200
        with found.client() as stranger:
            assert stranger.get("/", headers={"Host": "evil.example"}).status_code == 401


def raw(server: Server, text: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", int(server.address.rpartition(":")[2])), timeout=60) as connection:
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
