"""Long work in worker processes: queue, progress, cancel; a dead worker interrupts its job and nothing else."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Mapping
from typing import Any

from nofluke.web.job_queue import JobQueue, is_long
from nofluke.web.safety import Limits
from nofluke.web.store import Job, Store
from nofluke.web.supervisor import Supervisor
from nofluke.web.uploads import uploads_of

_LOG = logging.getLogger(__name__)
# A job that runs for so many seconds while quick ones wait counts as long, or would by its progress after `_FORESEEN`;
# for how long quick ones wait then, and how often that is looked at.
_QUICK, _FORESEEN, _PATIENCE, _LOOK = 8.0, 1.0, 0.5, 0.25


class Jobs:
    """The queue and its workers. Where there are two or more, one is kept for what is answered quickly."""

    def __init__(self, store: Store, workers: int, limits: Limits | None = None, cluster: str | None = None) -> None:
        self.store = store
        self._queue = JobQueue(max(1, workers - 1))
        self._changed = threading.Condition()
        self._waiting: dict[str, list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}
        told = (store, limits or Limits(), self._queue, self._tell, cluster)
        self._supervisors = [Supervisor(*told) for _ in range(workers)]
        self._closing = threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Mark what an earlier server left unfinished as interrupted, and start the workers."""
        self.store.take_over()
        for supervisor in self._supervisors:
            supervisor.start()
        self._watching.start()

    def stop(self) -> None:
        """End all workers; jobs they were at are interrupted."""
        self._closing.set()
        for supervisor in self._supervisors:
            supervisor.close()
            self._queue.put(None)
        for supervisor in self._supervisors:
            supervisor.join()
        if self._watching.is_alive():
            self._watching.join(timeout=5)

    def submit(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue one action of the library."""
        job = self.store.add_job(action, request, name)
        self._queue.add(job.id, long=self._is_long(action, request))
        return job

    def submit_once(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue an action unless it has been, or is being, done."""
        return self.store.same_job(action, request) or self.submit(action, request, name)

    def retry(self, identifier: str) -> bool:
        """Queue a job again that ended without a result; False when it is not such a job."""
        job = self.store.job(identifier)
        if job is None or not self.store.requeue(identifier):
            return False
        self._queue.add(identifier, long=self._is_long(job.action, job.request))
        return True

    def _is_long(self, action: str, request: Mapping[str, Any]) -> bool:
        return is_long(action, request, sum(upload.size for upload in uploads_of(self.store, request)))

    def cancel(self, identifier: str) -> None:
        """Stop a job at once, wherever it is; another attempt at it, begun meanwhile, goes on."""
        attempt = self.store.cancel(identifier)
        if attempt is None:
            return
        for supervisor in self._supervisors:
            supervisor.leave(identifier, attempt)
        self._tell(identifier)

    def delete(self, identifier: str) -> None:
        """Forget a job and its result; whoever is at it, at whatever attempt, stops."""
        self.store.delete(identifier)
        for supervisor in self._supervisors:
            supervisor.leave(identifier)
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
        if not self._ended(identifier):  # it was put back in the queue
            return
        self._queue.forget(identifier)
        with self._changed:
            self._changed.notify_all()
            for loop, event in self._waiting.get(identifier, ()):
                loop.call_soon_threadsafe(event.set)

    def _watch(self) -> None:
        while not self._closing.wait(_LOOK):
            try:
                if self._queue.waited() >= _PATIENCE:
                    self._make_way()
            except sqlite3.Error:  # a full disk: the job goes on where it is
                _LOG.exception("a long job could not be put back in the queue")

    def _make_way(self) -> None:
        """Quick jobs wait: what has run for long counts as long, and the last begun of too many waits its turn."""
        at = [found for found in (supervisor.at() for supervisor in self._supervisors) if found is not None]
        if len(at) < len(self._supervisors):
            return
        slow = sorted((one for one in at if self._runs_long(*one)), key=lambda one: one[2])
        too_many = [self._queue.takes_long(identifier) for identifier, _, _ in slow]
        if any(too_many):
            identifier, attempt, _ = slow[0]
            if self.store.put_back(identifier, attempt):
                for supervisor in self._supervisors:
                    supervisor.leave(identifier, attempt)
                self._queue.put(identifier)

    def _runs_long(self, identifier: str, attempt: int, seconds: float) -> bool:
        """Whether a job took long, or will at the pace of its progress: nobody need wait to see what is plain."""
        if seconds < _FORESEEN or seconds >= _QUICK:
            return seconds >= _QUICK
        job = self.store.job(identifier)
        # A job that shows no progress yet is given its time.
        return job is not None and job.attempt == attempt and job.done > 0 and seconds * job.total >= _QUICK * job.done
