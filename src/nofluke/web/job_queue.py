"""The queue in which jobs wait: what a reader looks at now goes before what takes long, and finds a worker free."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Mapping
from typing import Any

# Simulations: a page shows their progress, while all other pages wait for their whole answer.
_SIMULATED = frozenset({"power_curve"})
# So many draws, or bytes of files, take longer than a reader waits, by any method.
_DRAWS = ("monte_carlo", "n_resamples", "draws", "iterations")
_MANY, _LARGE = 1_000_000, 40 * 2**20
_TURN = 4  # every fourth job is one that takes long, if there is one: nobody waits for ever


def is_long(action: str, request: Mapping[str, Any], size: int = 0) -> bool:
    """Whether a job is known to be long before it runs; `size` are the bytes of its files.

    Only what is long by any method: a job that is called long wrongly waits behind simulations, while one that is
    called quick wrongly is moved as soon as its progress shows it.

    >>> is_long("compare", {"options": {"monte_carlo": 800_000_000}}), is_long("rank", {"options": {}})
    (True, False)
    """
    told = {**request, **(request.get("options") or {})}
    asked = (told.get(name) for name in _DRAWS)
    return action in _SIMULATED or size > _LARGE or any(isinstance(one, int) and one > _MANY for one in asked)


class JobQueue(queue.Queue[Any]):
    """A queue of job ids, in order but for long ones, which let others pass; None ends whoever takes it.

    At most `most_long` long jobs are out of the queue at a time. What is long is known beforehand or found out while it
    runs. Whoever takes a job says when it is `over`.
    """

    def __init__(self, most_long: int) -> None:
        self.most_long = most_long
        self._long: set[str] = set()
        self._out: list[str] = []  # long jobs that somebody is at; one that was put back may be there twice
        super().__init__()

    def add(self, identifier: str, *, long: bool = False) -> None:
        """Put a job in the queue."""
        if long:
            with self.mutex:
                self._long.add(identifier)
        self.put(identifier)

    def over(self, identifier: str) -> None:
        """Nobody is at this job any more; the next long one may go."""
        with self.mutex:
            if identifier in self._out:
                self._out.remove(identifier)
            self.not_empty.notify()

    def forget(self, identifier: str) -> None:
        """A job has ended: should it come again, it may be quick."""
        with self.mutex:
            self._long.discard(identifier)

    def is_out_long(self, identifier: str) -> bool:
        """Whether somebody is at this job, and it is a long one."""
        with self.mutex:
            return identifier in self._out

    def takes_long(self, identifier: str) -> bool:
        """A job that somebody is at turned out to be long; gives whether these are now too many."""
        with self.mutex:
            if identifier not in self._long:
                self._long.add(identifier)
                self._out.append(identifier)
            return len(self._out) > self.most_long

    def waited(self) -> float:
        """For how many seconds the first quick job has waited."""
        with self.mutex:
            return time.monotonic() - self._quick[0][1] if self._quick else 0.0

    def _init(self, maxsize: int) -> None:  # noqa: ARG002 - the hook is called with it
        self._quick: deque[tuple[str | None, float]] = deque()
        self._slow: deque[str] = deque()
        self._taken = 0

    def _qsize(self) -> int:
        return len(self._quick) + (len(self._slow) if len(self._out) < self.most_long else 0)

    def _put(self, item: str | None) -> None:
        if item is not None and item in self._long:
            self._slow.append(item)
        else:
            self._quick.append((item, time.monotonic()))

    def _get(self) -> str | None:
        self._taken += 1
        free = self._slow and len(self._out) < self.most_long
        if free and (not self._quick or self._taken % _TURN == 0):
            self._out.append(self._slow[0])
            return self._slow.popleft()
        return self._quick.popleft()[0]
