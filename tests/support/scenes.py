"""Running coroutines in a test: in a thread of its own, as a browser's driver may hold a loop in this one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def played(scene: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine to its end and give what it gives."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, scene).result()
