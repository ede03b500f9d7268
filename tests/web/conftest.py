"""A real server on a free port of this machine, with its own data folder."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from nofluke.web.app import create_app
from nofluke.web.guard import Guard
from nofluke.web.jobs import Jobs
from nofluke.web.requests import BY_ACTION
from nofluke.web.safety import Limits
from nofluke.web.store import Store

# Pages wait this long for their answer, so that none depends on how busy the machine is; long jobs are for tests with
# a server of their own, or wait for their progress.
PATIENT = 50.0


@dataclass
class Server:
    address: str
    app: FastAPI
    folder: Path

    def client(self, **options: object) -> httpx.Client:
        hooks = {"request": [wait_for_the_answer]}
        return httpx.Client(base_url=self.address, timeout=60, trust_env=False, event_hooks=hooks, **options)  # type: ignore[arg-type]


def wait_for_the_answer(request: httpx.Request) -> None:
    """Ask for the answer of an action itself, and not for a job where the machine is busy."""
    action = request.url.path.removeprefix("/api/")
    if request.method == "POST" and action in BY_ACTION and "wait" not in request.url.params:
        request.url = request.url.copy_merge_params({"wait": PATIENT})


def running(
    folder: Path, *, guard: Guard | None = None, limits: Limits | None = None, patience: float = PATIENT
) -> Iterator[Server]:
    app = create_app(folder, workers=1, guard=guard, limits=limits, patience=patience)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield Server(f"http://127.0.0.1:{listening.getsockname()[1]}", app, folder)
    finally:  # a test that fails must not leave a server behind
        server.should_exit = True
        thread.join(timeout=60)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from running(tmp_path_factory.mktemp("app"), limits=Limits(upload_bytes=3_000_000, expanded_bytes=8_000_000))


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as found:
        yield found


def at_work(folder: Path, workers: int) -> Iterator[Jobs]:
    store = Store(folder)
    found = Jobs(store, workers=workers)
    found.start()
    yield found
    found.stop()
    store.close()


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    yield from at_work(tmp_path, 1)
