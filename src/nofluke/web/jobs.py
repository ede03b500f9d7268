"""Long work in worker processes: queue, progress, cancel; a dead worker interrupts its job and nothing else."""

from __future__ import annotations

import json
import multiprocessing
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from nofluke.web.store import Job, Store
from nofluke.web.worker import serve


@dataclass(slots=True)
class _Lane:
    """One worker process and the thread that feeds it."""

    process: Any = None
    connection: Connection | None = None
    job: str = ""
    cancelled: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


class Jobs:
    """The queue and its workers."""

    def __init__(self, store: Store, workers: int) -> None:
        self.store = store
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._changed = threading.Condition()
        self._context = multiprocessing.get_context("spawn")
        self._lanes = [_Lane() for _ in range(workers)]
        self._threads = [threading.Thread(target=self._feed, args=(lane,), daemon=True) for lane in self._lanes]
        self._closing = False

    def start(self) -> None:
        """Mark what an earlier server left unfinished as interrupted, and start the workers."""
        self.store.interrupt_unfinished()
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

    def retry(self, identifier: str) -> None:
        """Queue a job again that ended without a result."""
        self.store.requeue(identifier)
        self._queue.put(identifier)

    def cancel(self, identifier: str) -> None:
        """Stop a job at once, wherever it is."""
        self.store.stop(identifier, "cancelled")
        for lane in self._lanes:
            with lane.lock:
                if lane.job == identifier:
                    lane.cancelled = True
                    lane.process.kill()
        self._tell()

    def wait(self, identifier: str, seconds: float) -> Job | None:
        """Wait until a job has ended, at most so long; gives it as it then is."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended(identifier), timeout=seconds)
        return self.store.job(identifier)

    def _ended(self, identifier: str) -> bool:
        job = self.store.job(identifier)
        return job is None or job.state not in ("queued", "running")

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _feed(self, lane: _Lane) -> None:
        while not self._closing:
            self._ensure_worker(lane)
            identifier = self._queue.get()
            if identifier is None:
                break
            if self.store.begin(identifier):
                self._run(lane, identifier)
                self._tell()
        self._end(lane)

    def _run(self, lane: _Lane, identifier: str) -> None:
        job = self.store.job(identifier)
        if job is None:
            return
        with lane.lock:
            lane.job, lane.cancelled = identifier, False
        try:
            self._ensure_worker(lane)
            connection = lane.connection
            if connection is None:
                raise EOFError
            connection.send((job.action, dict(job.request), self._files(job.request)))
            self._listen(connection, identifier)
        except (EOFError, OSError):
            self.store.stop(identifier, "cancelled" if lane.cancelled else "interrupted")
            self._end(lane)
        finally:
            with lane.lock:
                lane.job = ""

    def _listen(self, connection: Connection, identifier: str) -> None:
        while True:
            kind, *content = connection.recv()
            if kind == "progress":
                self.store.progress(identifier, *content)
            elif kind == "done":
                self.store.finish(identifier, *content)
                return
            elif kind == "failed":
                self.store.stop(identifier, "failed", json.loads(content[0]))
                return

    def _files(self, request: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Where the uploads that a request names lie; a client never names a path."""
        found: dict[str, tuple[str, str]] = {}
        for identifier in _named_uploads(request):
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


def _named_uploads(value: Any) -> set[str]:
    """All ids that stand under a key "upload", wherever in the request."""
    if isinstance(value, Mapping):
        own = {value["upload"]} if isinstance(value.get("upload"), str) else set()
        return own.union(*(_named_uploads(item) for item in value.values()), set())
    if isinstance(value, list | tuple):
        return set().union(*(_named_uploads(item) for item in value)) if value else set()
    return set()
