"""Results looked at last, and what was made of them, so that a page need not make it again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from nofluke.web.store import Store

Made = TypeVar("Made")


class ResultCache:
    """What was made of each job's result; a result never changes, so only a deleted one must be forgotten.

    The result that nobody has looked at for the longest time goes first, with all that was made of it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, dict[Hashable, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, job: Hashable, part: Hashable, make: Callable[[], Made]) -> Made:
        """Give a part of what is known of a job, made when it is first asked for."""
        with self._lock:
            parts = self._made.setdefault(job, {})
            self._made.move_to_end(job)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        if part not in parts:
            parts[part] = make()
        found: Made = parts[part]
        return found

    def forget(self, job: Hashable) -> None:
        """Forget a job that was deleted."""
        with self._lock:
            self._made.pop(job, None)


_CACHE = ResultCache(64)


def cached(store: Store, job: str, part: Hashable, make: Callable[[], Made]) -> Made:
    """Give a part of what is known of a job of this store."""
    return _CACHE.of((str(store.folder), job), part, make)


def forget(store: Store, job: str) -> None:
    """Keep nothing of a result that was deleted."""
    _CACHE.forget((str(store.folder), job))
