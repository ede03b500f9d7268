"""A real browser and a real server, started as a user starts them."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

expect.set_options(timeout=60_000)  # the machine of a test may be busy


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def start(folder: Path, port: int) -> subprocess.Popen[bytes]:
    command = [str(Path(sys.executable).with_name("nofluke")), "serve", "--port", str(port), "--workers", "1"]
    process = subprocess.Popen([*command, "--folder", str(folder)], stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            httpx.get(f"http://127.0.0.1:{port}/api/jobs", trust_env=False)
            return process
        except httpx.TransportError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError("the server did not start")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    process = start(tmp_path_factory.mktemp("app"), port)
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(timeout=60)


@dataclass
class Visit:
    """A page, and everything it did that it should not have done."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    found = Visit(page, address)
    own = urlsplit(address).netloc

    page.on("console", lambda said: found.complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if urlsplit(request.url).netloc in (own, "") or request.url.startswith(("data:", "blob:"))
            else found.complaints.append(f"external request: {request.url}")
        ),
    )
    yield found
    context.close()
    assert found.complaints == []
