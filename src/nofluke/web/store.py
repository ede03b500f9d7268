"""What the app remembers: uploads, jobs and results in one SQLite database in the app's data folder."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SCHEMA = """
CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL, created REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS drafts (
    id TEXT PRIMARY KEY, action TEXT NOT NULL, request TEXT NOT NULL, job TEXT NOT NULL, created REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, action TEXT NOT NULL, name TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT 0, created REAL NOT NULL, finished REAL,
    error TEXT NOT NULL DEFAULT '', headline TEXT NOT NULL DEFAULT '', result TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created);
"""

UNFINISHED = ("queued", "running")


@dataclass(frozen=True, slots=True)
class Upload:
    """One file a user gave; its content lies in the uploads folder under its id."""

    id: str
    name: str
    size: int
    sha256: str
    created: float


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: queued, running, done, failed, cancelled or interrupted."""

    id: str
    action: str
    name: str
    request: Mapping[str, Any]
    state: str
    done: int
    total: int
    created: float
    finished: float | None
    error: Mapping[str, str]
    headline: str

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form that the API shows."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Draft:
    """A guided comparison on its way: the request as far as it is filled in, and the last job run from it."""

    id: str
    action: str
    request: Mapping[str, Any]
    job: str
    created: float


def default_folder() -> Path:
    """The app's data folder: NOFLUKE_DATA, or the user's usual place for data of programs."""
    named = os.environ.get("NOFLUKE_DATA")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "nofluke"


class Store:
    """The database; every method is one transaction, safe from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.uploads = folder / "uploads"
        self.uploads.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(folder / "app.db", check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        # A finished result must survive a kill of the process or of the machine.
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(SCHEMA)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connection:
            yield self._connection

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()

    # uploads -------------------------------------------------------------------------------------------------------

    def path_of(self, upload: str) -> Path:
        """Where the content of an upload lies; ids are made here, never by a client."""
        return self.uploads / upload

    def add_upload(self, identifier: str, name: str, size: int, sha256: str) -> Upload:
        """Remember a file whose content has been written."""
        upload = Upload(identifier, name, size, sha256, time.time())
        with self._transaction() as connection:
            connection.execute("INSERT INTO uploads VALUES (?, ?, ?, ?, ?)", tuple(asdict(upload).values()))
        return upload

    def upload(self, identifier: str) -> Upload | None:
        """Find an upload."""
        with self._transaction() as connection:
            row = connection.execute("SELECT * FROM uploads WHERE id = ?", (identifier,)).fetchone()
        return Upload(**row) if row else None

    # drafts --------------------------------------------------------------------------------------------------------

    def add_draft(self, action: str, request: Mapping[str, Any]) -> Draft:
        """Begin a guided comparison."""
        draft = Draft(new_id(), action, dict(request), "", time.time())
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO drafts VALUES (?, ?, ?, ?, ?)",
                (draft.id, action, json.dumps(draft.request), "", draft.created),
            )
        return draft

    def draft(self, identifier: str) -> Draft | None:
        """Find a draft."""
        with self._transaction() as connection:
            row = connection.execute("SELECT * FROM drafts WHERE id = ?", (identifier,)).fetchone()
        return Draft(row["id"], row["action"], json.loads(row["request"]), row["job"], row["created"]) if row else None

    def change_draft(self, identifier: str, request: Mapping[str, Any], job: str = "") -> None:
        """Change what has been filled in; a new request makes the last job stale."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE drafts SET request = ?, job = ? WHERE id = ?", (json.dumps(dict(request)), job, identifier)
            )

    # jobs ----------------------------------------------------------------------------------------------------------

    def add_job(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue a piece of work."""
        identifier = new_id()
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO jobs (id, action, name, request, state, created) VALUES (?, ?, ?, ?, 'queued', ?)",
                (identifier, action, name, json.dumps(dict(request)), time.time()),
            )
        found = self.job(identifier)
        if found is None:  # pragma: no cover - it was written a moment ago
            raise LookupError(identifier)
        return found

    def job(self, identifier: str) -> Job | None:
        """Find a job, without its result."""
        with self._transaction() as connection:
            row = connection.execute(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return _job(row) if row else None

    def same_job(self, action: str, request: Mapping[str, Any]) -> Job | None:
        """Find a job that has done, or is doing, exactly this."""
        with self._transaction() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE action = ? AND request = ? "
                "AND state IN ('queued', 'running', 'done') ORDER BY created DESC LIMIT 1",
                (action, json.dumps(dict(request))),
            ).fetchone()
        return _job(row) if row else None

    def jobs(self, limit: int = 200) -> list[Job]:
        """The newest jobs first."""
        with self._transaction() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs ORDER BY created DESC, rowid DESC LIMIT ?", (limit,)
            ).fetchall()
        return [_job(row) for row in rows]

    def result(self, identifier: str) -> str | None:
        """The JSON text of a finished job's result."""
        with self._transaction() as connection:
            row = connection.execute("SELECT result FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return row["result"] if row else None

    def begin(self, identifier: str) -> bool:
        """Mark a queued job as running; False when it was cancelled or deleted meanwhile."""
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'running' WHERE id = ? AND state = 'queued'", (identifier,)
            )
        return changed.rowcount == 1

    def progress(self, identifier: str, done: int, total: int) -> None:
        """Note how far a running job is."""
        with self._transaction() as connection:
            connection.execute("UPDATE jobs SET done = ?, total = ? WHERE id = ?", (done, total, identifier))

    def finish(self, identifier: str, result: str, headline: str) -> None:
        """Keep the result of a job."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'done', finished = ?, result = ?, headline = ? "
                "WHERE id = ? AND state = 'running'",
                (time.time(), result, headline, identifier),
            )

    def stop(self, identifier: str, state: str, error: Mapping[str, str] | None = None) -> None:
        """End an unfinished job without a result."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, finished = ?, error = ? WHERE id = ? AND state IN ('queued', 'running')",
                (state, time.time(), json.dumps(dict(error)) if error else "", identifier),
            )

    def requeue(self, identifier: str) -> None:
        """Put a job that ended without a result back into the queue."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'queued', done = 0, total = 0, finished = NULL, error = '' "
                "WHERE id = ? AND state IN ('failed', 'cancelled', 'interrupted')",
                (identifier,),
            )

    def interrupt_unfinished(self) -> int:
        """At start: what was running or waiting when the server died is interrupted, and can be retried."""
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'interrupted', finished = ? WHERE state IN ('queued', 'running')",
                (time.time(),),
            )
        return changed.rowcount

    def rename(self, identifier: str, name: str) -> None:
        """Give a job the user's own name."""
        with self._transaction() as connection:
            connection.execute("UPDATE jobs SET name = ? WHERE id = ?", (name, identifier))

    def delete(self, identifier: str) -> None:
        """Forget a job and its result."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM jobs WHERE id = ?", (identifier,))


_COLUMNS = "id, action, name, request, state, done, total, created, finished, error, headline"


def _job(row: sqlite3.Row) -> Job:
    values = dict(row)
    values["request"] = json.loads(values["request"])
    values["error"] = json.loads(values["error"]) if values["error"] else {}
    return Job(**values)


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)
