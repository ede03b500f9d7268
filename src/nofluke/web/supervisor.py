"""A supervisor: the thread that feeds one worker process with jobs from the queue, and starts it anew when it dies."""

from __future__ import annotations

import contextlib
import json
import logging
import math
import multiprocessing
import queue
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from nofluke.web.job_queue import JobQueue
from nofluke.web.memory import processor_seconds, resident, step_back, too_much
from nofluke.web.safety import Limits
from nofluke.web.store import Job, Store
from nofluke.web.uploads import shown_names, uploads_of
from nofluke.web.worker import INSIDE, serve

_LOG = logging.getLogger(__name__)
_PAUSE = 1.0  # seconds after an error, before what failed is tried again
# A worker that a large file left with so many bytes gives way to a fresh one, when nothing was asked for some seconds.
_SLOWED = 4  # times as long as it computes a job may count for
_SWOLLEN, _REST = 110 * 2**20, 3.0
_FAULTS = (-signal.SIGABRT, -signal.SIGSEGV, 127)  # the last where a new thread gets no memory of its own
_SPAWN = multiprocessing.get_context("spawn")


class Supervisor:
    """Takes one job after the other; whatever goes wrong, no job it took is left waiting or running for ever."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        waiting: JobQueue,
        tell: Callable[[str], None],
        cluster: str | None = None,
    ) -> None:
        self.process: Any = None
        self._connection: Connection | None = None
        self._store, self._limits, self._waiting, self._tell = store, limits, waiting, tell
        self._cluster = cluster
        self._job, self._attempt, self._cancelled, self._since = "", 0, False, 0.0
        self._computed = 0.0  # seconds of the worker before this job
        self._low = False  # whether the worker gives way to all others
        self._unsettled: dict[str, Callable[[], None]] = {}  # job -> how to write its end, until that is written
        self._failing = False
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._feed, daemon=True)

    def start(self) -> None:
        """Begin to take jobs."""
        self._thread.start()

    def close(self) -> None:
        """End the worker, whatever it is at, and take no more jobs."""
        self._closing.set()
        self._end_worker()

    def join(self) -> None:
        """Wait for the thread, which may still have the end of a job to write."""
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def leave(self, identifier: str, attempt: int | None = None) -> None:
        """Kill the worker if it is at this job, or at this attempt at it."""
        with self._lock:
            if self._job == identifier and attempt in (None, self._attempt):
                self._cancelled = True
                if self.process is not None:
                    self.process.kill()

    def at(self) -> tuple[str, int, float] | None:
        """The job it is at, its attempt, and for how many seconds; None while it waits for one.

        On a machine that is busy with other things a quick job waits more than it computes: that does not make it long.
        """
        with self._lock:
            if not self._job:
                return None
            computed = math.inf if self.process is None else processor_seconds(self.process.pid) - self._computed
            return self._job, self._attempt, min(time.monotonic() - self._since, _SLOWED * computed)

    def _feed(self) -> None:
        while not self._closing.is_set():
            try:
                self._settle()
                self._ensure_worker()
                identifier = self._next()
                if identifier is None:
                    break
                try:
                    self._take(identifier)
                finally:
                    self._waiting.over(identifier)
                self._failing = False
            except Exception:  # a full disk, say, must not take the thread down with it
                if not (self._failing or self._closing.is_set()):
                    _LOG.exception("a job could not be run; this is tried again")
                self._failing = True
                self._closing.wait(_PAUSE)
        self._end_worker()

    def _next(self) -> str | None:
        """Wait for a job; freed memory goes back to the machine only with the process that had it."""
        identifier: str | None
        if self.process is not None and resident(self.process.pid) > _SWOLLEN:
            try:
                identifier = self._waiting.get(timeout=_REST)
            except queue.Empty:
                self._end_worker()
                self._ensure_worker()
            else:
                return identifier
        identifier = self._waiting.get()
        return identifier

    def _settle(self) -> None:
        """Write the ends of jobs that could not be written before."""
        for identifier, end in list(self._unsettled.items()):
            end()
            del self._unsettled[identifier]
            self._tell(identifier)

    def _take(self, identifier: str) -> None:
        self._unsettled[identifier] = partial(self._put_back, identifier)
        # The job is named before it is running: who cancels a running job finds who is at it.
        with self._lock:
            self._job, self._attempt, self._cancelled = identifier, self._store.begin(identifier), False
            self._since = time.monotonic()
            self._computed = 0.0 if self.process is None else processor_seconds(self.process.pid)
        self._unsettled[identifier] = partial(self._store.stop, identifier, self._attempt, "interrupted")
        try:
            job = self._store.job(identifier) if self._attempt else None
            if job is not None:
                self._keep(identifier, self._run(job))
            self._unsettled.pop(identifier, None)
        finally:
            with self._lock:
                self._job, killed = "", self._cancelled
            # A killed worker may look alive for a moment, and must not get the next job; one that stepped back for a
            # long job may not step forward again.
            if killed or self._low:
                self._end_worker()
            self._tell(identifier)

    def _put_back(self, identifier: str) -> None:
        job = self._store.job(identifier)
        if job is not None and job.state == "queued":
            self._waiting.put(identifier)

    def _keep(self, identifier: str, end: Callable[[], None]) -> None:
        try:
            end()
        except Exception as error:
            _LOG.exception("the answer of a worker could not be kept")
            said = _not_kept(error) if isinstance(error, sqlite3.OperationalError) else INSIDE
            self._unsettled[identifier] = partial(self._store.stop, identifier, self._attempt, "failed", said)
            self._settle()

    def _run(self, job: Job) -> Callable[[], None]:
        """Have the worker do it; gives what is to be written when it is over."""
        stop = partial(self._store.stop, job.id, self._attempt)
        files = self._files(job.request)
        try:
            self._ensure_worker()
            with self._lock:
                connection = self._connection
                if self._cancelled or connection is None:
                    raise EOFError
                if self._waiting.is_out_long(job.id):
                    self._low = step_back(self.process.pid)
                items = self._store.items_of(job.id)
                connection.send((job.action, dict(job.request), files, self._limits, items))
            kind, *content = self._listen(connection, job.id)
        except (EOFError, OSError):
            broken = self._broke_down()
            self._end_worker()
            return partial(stop, "failed", too_much(self._limits.memory)) if broken else partial(stop, "interrupted")
        except Exception:
            self._end_worker()
            raise
        if kind == "done":
            return partial(self._store.finish, job.id, self._attempt, *content)
        said = json.loads(content[0])
        if said.get("kind") == "memory":  # what is left of the job may fill the worker
            self._end_worker()
        return partial(stop, "failed", said)

    def _listen(self, connection: Connection, identifier: str) -> tuple[str, ...]:
        while True:
            said: tuple[Any, ...] = connection.recv()
            if said[0] != "progress":
                return said
            with contextlib.suppress(sqlite3.OperationalError):  # a bar that stands still harms nobody
                self._store.progress(identifier, self._attempt, *said[1:])

    def _files(self, request: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Where the uploads that a request names lie; a client never names a path."""
        names = shown_names(uploads_of(self._store, request))
        return {identifier: (str(self._store.path_of(identifier)), name) for identifier, name in names.items()}

    def _ensure_worker(self) -> None:
        if self._closing.is_set() or (self.process is not None and self.process.is_alive()):
            return
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=serve, args=(theirs, self._limits.memory, self._cluster), daemon=True)
        process.start()
        theirs.close()
        with self._lock:
            self.process, self._connection = process, ours
            self._computed, self._low = 0.0, False
        try:
            ours.recv()  # ready
        except (EOFError, OSError):
            self._end_worker()

    def _broke_down(self) -> bool:
        """Whether the worker ended by a fault of its own: libraries that get no memory may end the process."""
        with self._lock:
            if self._cancelled or self.process is None:
                return False
            self.process.join(timeout=2)
            return self.process.exitcode in _FAULTS

    def _end_worker(self) -> None:
        with self._lock:
            if self.process is not None:
                self.process.kill()
                self.process.join(timeout=5)
            if self._connection is not None and not self._closing.is_set():
                self._connection.close()
            self.process, self._connection = None, None


def _not_kept(error: Exception) -> dict[str, str]:
    return {**INSIDE, "message": f"the result could not be kept: {error}.", "fix": "make room on the disk, and retry."}
