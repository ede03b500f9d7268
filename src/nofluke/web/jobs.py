"""Long work in worker processes: queue, progress, cancel; a dead worker interrupts its job and nothing else."""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from nofluke.web.safety import Limits
from nofluke.web.store import Job, Store, named_uploads
from nofluke.web.worker import INSIDE, serve

_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Lane:
    """One worker process and the thread that feeds it."""

    process: Any = None
    connection: Connection | None = None
    job: str = ""
    attempt: int = 0
    cancelled: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


class Jobs:
    """The queue and its workers."""

    def __init__(self, store: Store, workers: int, limits: Limits | None = None) -> None:
        self.store = store
        self.limits = limits or Limits()
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._changed = threading.Condition()
        self._waiting: dict[str, list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}
        self._context = multiprocessing.get_context("spawn")
        self._lanes = [_Lane() for _ in range(workers)]
        self._threads = [threading.Thread(target=self._feed, args=(lane,), daemon=True) for lane in self._lanes]
        self._closing = False

    def start(self) -> None:
        """Mark what an earlier server left unfinished as interrupted, and start the workers."""
        self.store.interrupt_unfinished()
        self.store.tidy()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all workers; jobs they were at are interrupted."""
        self._closing = True
        for _ in self._threads:
            self._queue.put(None)
        for lane in self._lanes:
            self._end(lane)
        for thread in self._threads:
            thread.join(timeout=5)

    def submit(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue one action of the library."""
        job = self.store.add_job(action, request, name)
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
            with lane.lock:
                if (lane.job, lane.attempt) == (identifier, attempt):
                    lane.cancelled = True
                    if lane.process is not None:
                        lane.process.kill()
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
        with self._changed:
            self._changed.notify_all()
            for loop, event in self._waiting.get(identifier, ()):
                loop.call_soon_threadsafe(event.set)

    def _feed(self, lane: _Lane) -> None:
        while not self._closing:
            try:
                self._ensure_worker(lane)
                identifier = self._queue.get()
                if identifier is None:
                    break
                self._take(lane, identifier)
            except Exception:  # a full disk, say, must not take the lane down with it
                if not self._closing:
                    _LOG.exception("a worker is started anew")
                self._end(lane)
        self._end(lane)

    def _take(self, lane: _Lane, identifier: str) -> None:
        # The lane names its job before the job is running: who cancels a running job finds its lane.
        with lane.lock:
            lane.job, lane.attempt, lane.cancelled = identifier, self.store.begin(identifier), False
        try:
            job = self.store.job(identifier) if lane.attempt else None
            if job is not None:
                self._run(lane, job)
        finally:
            with lane.lock:
                lane.job = ""
            self._tell(identifier)

    def _run(self, lane: _Lane, job: Job) -> None:
        try:
            self._ensure_worker(lane)
            with lane.lock:
                if lane.cancelled:
                    return
                connection = lane.connection
                if connection is None:
                    raise EOFError
                connection.send((job.action, dict(job.request), self._files(job.request), self.limits))
            self._listen(connection, job.id, lane.attempt)
        except (EOFError, OSError):
            self.store.stop(job.id, lane.attempt, "interrupted")
            self._end(lane)
        except Exception:  # what cannot be kept must not leave the job running for ever
            _LOG.exception("the answer of a worker could not be kept")
            self.store.stop(job.id, lane.attempt, "failed", INSIDE)
            self._end(lane)

    def _listen(self, connection: Connection, identifier: str, attempt: int) -> None:
        while True:
            kind, *content = connection.recv()
            if kind == "progress":
                self.store.progress(identifier, attempt, *content)
            elif kind == "done":
                self.store.finish(identifier, attempt, *content)
                return
            elif kind == "failed":
                self.store.stop(identifier, attempt, "failed", json.loads(content[0]))
                return

    def _files(self, request: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Where the uploads that a request names lie; a client never names a path."""
        found: dict[str, tuple[str, str]] = {}
        for identifier in named_uploads(request):
            upload = self.store.upload(identifier)
            if upload is not None:
                found[identifier] = (str(self.store.path_of(upload.id)), upload.name)
        return found

    def _ensure_worker(self, lane: _Lane) -> None:
        if self._closing or (lane.process is not None and lane.process.is_alive()):
            return
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        with lane.lock:
            lane.process, lane.connection = process, ours
        try:
            ours.recv()  # ready
        except (EOFError, OSError):
            self._end(lane)

    def _end(self, lane: _Lane) -> None:
        with lane.lock:
            if lane.process is not None:
                lane.process.kill()
                lane.process.join(timeout=5)
            if lane.connection is not None and not self._closing:
                lane.connection.close()
            lane.process, lane.connection = None, None
