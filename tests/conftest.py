"""Settings of the whole suite: its options, and the one browser that its tests share."""

from __future__ import annotations

import gc
import os
import random
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Tests of the cache name their own folder; all others must not touch the user's.
os.environ["NOFLUKE_CACHE"] = "off"

# What is collected stays: looking through it for rubbish would take a third of the time of collecting.
gc.disable()

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

# Of the examples that a property states, this share is tried always, the same ones each time: `make test` says the same
# of the same code. `make calibrate` tries all of them, drawn anew.
ALWAYS = 1 / 6
FEWEST = 8


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--random-order", type=int, metavar="SEED", help="run files, and tests within a file, in an order drawn by SEED"
    )
    parser.addoption("--all-examples", action="store_true", help="try all examples that a property states (slow)")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    properties = [item.obj for item in items if item.get_closest_marker("hypothesis")]
    for function in {getattr(one, "__func__", one) for one in properties}:
        draw_examples(function, anew=config.getoption("--all-examples"))
    seed = config.getoption("--random-order")
    if seed is not None:
        items[:] = in_random_order(items, seed)


def pytest_collection_finish() -> None:
    gc.enable()


def draw_examples(property_test: object, *, anew: bool) -> None:
    """Leave the settings of a property as they are, but for the number of its examples and how they are drawn."""
    stated: settings | None = getattr(property_test, "_hypothesis_internal_use_settings", None)
    if stated is None:  # a machine of states keeps its own
        return
    fewer = min(stated.max_examples, max(FEWEST, round(stated.max_examples * ALWAYS)))
    drawn = (  # said both times: Hypothesis draws the same examples by itself wherever CI is set
        settings(stated, derandomize=False)
        if anew
        else settings(stated, max_examples=fewer, derandomize=True, database=None)
    )
    property_test._hypothesis_internal_use_settings = drawn  # type: ignore[attr-defined]


def in_random_order(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """Files stay together, so that what the tests of a file share is made once; every worker draws the same order."""
    drawn = random.Random(seed)
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    order = sorted(files)
    drawn.shuffle(order)
    for tests in files.values():
        drawn.shuffle(tests)
    return [item for file in order for item in files[file]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once: Playwright allows one driver in a process."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("NOFLUKE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    assert path, "no Chromium: `make test` installs it (apt package chromium)"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()
