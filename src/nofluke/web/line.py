"""The line in which jobs wait: what a reader looks at now goes before what takes long."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Collection
from typing import Any

# Simulations: a page shows their progress, while all other pages wait for their whole answer.
LONG = frozenset({"power_curve"})
_TURN = 4  # every fourth job is one that takes long, if there is one: nobody waits for ever


class Line(queue.Queue[Any]):
    """A queue of job ids, in order but for those in `long`, which let others pass; None ends whoever takes it."""

    def __init__(self, long: Collection[str]) -> None:
        self._long = long
        super().__init__()

    def _init(self, maxsize: int) -> None:  # noqa: ARG002 - the hook is called with it
        self._quick: deque[str | None] = deque()
        self._slow: deque[str | None] = deque()
        self._taken = 0

    def _qsize(self) -> int:
        return len(self._quick) + len(self._slow)

    def _put(self, item: str | None) -> None:
        (self._slow if item in self._long else self._quick).append(item)

    def _get(self) -> str | None:
        self._taken += 1
        slow = self._slow and (not self._quick or self._taken % _TURN == 0)
        return (self._slow if slow else self._quick).popleft()
