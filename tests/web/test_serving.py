"""The server starts where it says, tells what it cannot take, and stops cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from nofluke.errors import InputError
from nofluke.web.app import app_for, create_app, listen
from nofluke.web.safety import Limits
from nofluke.web.store import Store
from support.command_line import nofluke
from support.scenes import played
from web.conftest import Server, running


@pytest.mark.parametrize("words", [["--port", "99999"], ["--port", "-1"], ["--workers", "0"], ["--workers", "-1"]])
def test_figures_out_of_range_are_refused(words: list[str], tmp_path: Path) -> None:
    ran = nofluke("serve", "--folder", "data", *words, cwd=tmp_path)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["no.such.machine.invalid", "x" * 70, "1.2.3.4.5"])
def test_an_address_that_is_not_ours_is_said_in_words(host: str) -> None:
    with pytest.raises(InputError, match="cannot listen on"):
        listen(host, 0)


def test_a_server_for_everybody_says_an_address_that_others_can_open(tmp_path: Path) -> None:
    app, address = app_for("0.0.0.0", 8000, str(tmp_path), 1)
    app.state.store.close()
    host = httpx.URL(address).host
    assert host not in ("0.0.0.0", "127.0.0.1", "localhost")
    assert "token" in httpx.URL(address).params


def test_a_port_in_use_leaves_the_data_folder_alone(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = nofluke("serve", "--port", port, "--folder", "data", cwd=tmp_path)
    assert ran.code == 2
    assert "--port" in ran.err
    assert not (tmp_path / "data").exists()


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`nofluke serve` as a user starts it, at a free port; gives the address it prints."""
    command = [str(Path(sys.executable).with_name("nofluke")), "serve", "--port", "0", "--workers", "1"]
    process = subprocess.Popen([*command, "--folder", str(folder)], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found
        yield process, found.group()
    finally:
        process.kill()
        process.wait(timeout=60)
        process.stderr.close()


def test_a_free_port_is_taken_and_shown(tmp_path: Path) -> None:
    with served(tmp_path) as (process, address):
        transport = httpx.HTTPTransport(retries=5)
        with httpx.Client(transport=transport, timeout=60) as client:
            assert client.get(address).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (0, -signal.SIGINT, 128 + signal.SIGINT)
    Store(tmp_path).close()  # it was let go


def test_a_start_that_fails_lets_go_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_store: Store) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    async def start() -> None:
        app = create_app(tmp_path, workers=1)
        async with app.router.lifespan_context(app):
            raise AssertionError("it must not start")

    monkeypatch.setattr(Store, "interrupt_unfinished", full)
    with pytest.raises(sqlite3.OperationalError):
        played(start())
    Store(tmp_path).close()


def test_a_server_that_runs_for_long_is_tidied_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def tidy(_store: Store) -> None:
        told.append("tidied")
        if len(told) == 2:
            raise OSError("not this time")

    async def stay() -> None:
        app = create_app(tmp_path, workers=1)
        async with app.router.lifespan_context(app):
            while len(told) < 4:
                await asyncio.sleep(0.02)

    monkeypatch.setattr("nofluke.web.app._TIDY_EVERY", 0.02)
    monkeypatch.setattr(Store, "tidy", tidy)
    played(asyncio.wait_for(stay(), 60))
    assert len(told) >= 4  # the second time failed, and it was tried again


@pytest.mark.parametrize("error", [sqlite3.OperationalError("database or disk is full"), OSError(errno.ENOSPC, "full")])
def test_a_full_disk_is_said_in_words(server: Server, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def full(*_: object) -> object:
        raise error

    monkeypatch.setattr(server.app.state.context.store, "add_upload", full)
    before = set((server.folder / "uploads").iterdir())
    with server.client() as client:
        for answer in (
            client.post("/api/uploads", files={"file": ("x.csv", b"a,b\n1,2\n")}),
            client.post("/api/compare", json={"data": {"files": [{"text": "a,b\n1,2\n"}]}}),
        ):
            assert answer.status_code == 507
            assert "full" in answer.json()["errors"][0]["message"]
            assert "make room" in answer.json()["errors"][0]["fix"]
        assert client.get("/").status_code == 200
    assert set((server.folder / "uploads").iterdir()) == before


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
            assert "send less" in answer.json()["errors"][0]["fix"]
            assert client.post("/history", files={"file": ("x", b"x" * 400_000)}).status_code == 413
            assert client.get("/").status_code == 200


def test_too_many_files_are_not_answered_with_the_first_page(client: httpx.Client) -> None:
    many = [("file", (f"{i}.txt", b"1\n")) for i in range(301)]
    answer = client.post("/compare", files=many)
    assert answer.status_code == 400
    assert "files" in answer.json()["errors"][0]["message"].lower()
    assert "start at /" not in answer.json()["errors"][0]["fix"]
