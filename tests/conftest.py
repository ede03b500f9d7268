"""Settings of the whole suite, and the one browser that its tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Tests of the cache name their own folder; all others must not touch the user's.
os.environ["NOFLUKE_CACHE"] = "off"

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once: Playwright allows one driver in a process."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("NOFLUKE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "no Chromium: `make test` installs it (apt package chromium)"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()
