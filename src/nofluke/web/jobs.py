"""Long work in worker processes: queue, progress, cancel; a dead worker interrupts its job and nothing else."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Mapping
from typing import Any

from nofluke.web.lanes import Lane
from nofluke.web.line import LONG, Line
from nofluke.web.safety import Limits
from nofluke.web.store import Job, Store


class Jobs:
    """The queue and its workers."""

    def __init__(self, store: Store, workers: int, limits: Limits | None = None) -> None:
        self.store = store
        self._long: set[str] = set()
        self._queue: queue.Queue[str | None] = Line(self._long)
        self._changed = threading.Condition()
        self._waiting: dict[str, list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}
        self._lanes = [Lane(store, limits or Limits(), self._queue, self._tell) for _ in range(workers)]

    def start(self) -> None:
        """Mark what an earlier server left unfinished as interrupted, and start the workers."""
        self.store.take_over()
        for lane in self._lanes:
            lane.start()

    def stop(self) -> None:
        """End all workers; jobs they were at are interrupted."""
        for lane in self._lanes:
            lane.close()
            self._queue.put(None)
        for lane in self._lanes:
            lane.join()

    def submit(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue one action of the library."""
        job = self.store.add_job(action, request, name)
        if action in LONG:
            self._long.add(job.id)
        self._queue.put(job.id)
        return job

    def submit_once(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue an action unless it has been, or is being, done."""
        return self.store.same_job(action, request) or self.submit(action, request, name)

    def retry(self, identifier: str) -> bool:
        """Queue a job again that ended without a result; False when it is not such a job."""
        if not self.store.requeue(identifier):
            return False
        self._queue.put(identifier)
        return True

    def cancel(self, identifier: str) -> None:
        """Stop a job at once, wherever it is; another attempt at it, begun meanwhile, goes on."""
        attempt = self.store.cancel(identifier)
        if attempt is None:
            return
        for lane in self._lanes:
            lane.leave(identifier, attempt)
        self._tell(identifier)

    def delete(self, identifier: str) -> None:
        """Forget a job and its result; whoever is at it, at whatever attempt, stops."""
        self.store.delete(identifier)
        for lane in self._lanes:
            lane.leave(identifier)
        self._tell(identifier)

    def wait(self, identifier: str, seconds: float) -> Job | None:
        """Wait until a job has ended, at most so long; gives it as it then is."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended(identifier), timeout=seconds)
        return self.store.job(identifier)

    async def ended(self, identifier: str, seconds: float) -> Job | None:
        """The same for the server's loop: many clients may wait, and none of them holds a thread."""
        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._changed:
            self._waiting.setdefault(identifier, []).append(entry)
        try:
            if not self._ended(identifier):
                await asyncio.wait_for(entry[1].wait(), seconds)
        except TimeoutError:
            pass
        finally:
            with self._changed:
                self._waiting[identifier].remove(entry)
                if not self._waiting[identifier]:
                    del self._waiting[identifier]
        return self.store.job(identifier)

    def _ended(self, identifier: str) -> bool:
        job = self.store.job(identifier)
        return job is None or job.state not in ("queued", "running")

    def _tell(self, identifier: str) -> None:
        self._long.discard(identifier)
        with self._changed:
            self._changed.notify_all()
            for loop, event in self._waiting.get(identifier, ()):
                loop.call_soon_threadsafe(event.set)
