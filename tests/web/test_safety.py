"""Only this machine, only this page, only with the token where one is needed."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import httpx
import pytest

from nofluke.web.app import app_for
from nofluke.web.guard import LOOPBACK, Guard
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
