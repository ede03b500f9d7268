"""Only this machine, only this page, only with the token where one is needed."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from nofluke.web.safety import LOOPBACK, Guard
from nofluke.web.serving import app_for
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


def test_a_token_is_asked_for_and_becomes_a_cookie(tmp_path: Path) -> None:
    for found in running(tmp_path, guard=Guard(LOOPBACK, "secret")):
        with found.client() as client:
            assert client.get("/").status_code == 401
            assert client.get("/?token=wrong").status_code == 401
            assert client.get("/", headers={"Authorization": "Bearer secret"}).status_code == 200
            assert client.get("/?token=secret").status_code == 303
            assert client.get("/").status_code == 200


def test_only_beyond_this_machine_a_token_is_made(tmp_path: Path) -> None:
    app, address = app_for("127.0.0.1", 1, str(tmp_path), 1)
    assert "token" not in address
    app.state.store.close()
    app, address = app_for("0.0.0.0", 1, str(tmp_path), 1)
    app.state.store.close()
    assert "token=" in address
    assert "0.0.0.0" not in address  # nobody can open that
