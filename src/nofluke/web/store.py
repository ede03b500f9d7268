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
from typing import IO, Any

from nofluke.errors import InputError

SCHEMA = """
CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL, created REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS drafts (
    id TEXT PRIMARY KEY, action TEXT NOT NULL, request TEXT NOT NULL, job TEXT NOT NULL, created REAL NOT NULL,
    step TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, action TEXT NOT NULL, name TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT 0, created REAL NOT NULL, finished REAL,
    error TEXT NOT NULL DEFAULT '', headline TEXT NOT NULL DEFAULT '', result TEXT,
    attempt INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created);
"""

# Columns that databases of earlier versions lack.
ADDED = (("drafts", "step", "TEXT NOT NULL DEFAULT ''"), ("jobs", "attempt", "INTEGER NOT NULL DEFAULT 0"))
_UNUSED_AFTER = 86_400.0  # seconds after which what no result uses is tidied away


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
    attempt: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form that the API shows."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Draft:
    """A guided comparison on its way: the request so far, the last job run from it, the step changed last."""

    id: str
    action: str
    request: Mapping[str, Any]
    job: str
    created: float
    step: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON form that a page's twin shows."""
        return asdict(self)


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
        self._lock = threading.RLock()
        self._held = _held(folder)
        try:
            self.uploads.mkdir(exist_ok=True)
            self._connection = self._opened()
        except (sqlite3.Error, OSError) as error:
            self._held.close()
            raise InputError(
                f"the database of the app cannot be opened: {error}.",
                where=str(folder / "app.db"),
                fix="move this file away (it holds the history), or name another folder with --folder.",
            ) from None

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.folder / "app.db", check_same_thread=False)
        try:
            connection.row_factory = sqlite3.Row
            # A finished result must survive a kill of the process or of the machine.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.executescript(SCHEMA)
            for table, column, kind in ADDED:
                if column not in {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}:
                    connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connection:
            yield self._connection

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()
            self._held.close()

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
                "INSERT INTO drafts VALUES (?, ?, ?, ?, ?, '')",
                (draft.id, action, json.dumps(draft.request), "", draft.created),
            )
        return draft

    def draft(self, identifier: str) -> Draft | None:
        """Find a draft."""
        with self._transaction() as connection:
            row = connection.execute("SELECT * FROM drafts WHERE id = ?", (identifier,)).fetchone()
        return Draft(**{**row, "request": json.loads(row["request"])}) if row else None

    def change_draft(self, identifier: str, request: Mapping[str, Any], job: str = "", step: str = "") -> None:
        """Change what has been filled in; a new request makes the last job stale."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE drafts SET request = ?, job = ?, step = coalesce(nullif(?, ''), step) WHERE id = ?",
                (json.dumps(dict(request)), job, step, identifier),
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

    def jobs(self, limit: int = 200, offset: int = 0) -> list[Job]:
        """What users asked for, the newest first; looking at columns is no result."""
        with self._transaction() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE action != 'inspect' "
                "ORDER BY created DESC, rowid DESC LIMIT ? OFFSET ?",
                (limit, offset),
            ).fetchall()
        return [_job(row) for row in rows]

    def count_jobs(self) -> int:
        """How many jobs the history holds."""
        with self._transaction() as connection:
            return int(connection.execute("SELECT count(*) FROM jobs WHERE action != 'inspect'").fetchone()[0])

    def result(self, identifier: str) -> str | None:
        """The JSON text of a finished job's result."""
        with self._transaction() as connection:
            row = connection.execute("SELECT result FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return row["result"] if row else None

    def begin(self, identifier: str) -> int:
        """Mark a queued job as running and give the number of this attempt; 0 when it was cancelled or deleted."""
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'running', attempt = attempt + 1 WHERE id = ? AND state = 'queued'",
                (identifier,),
            )
            row = connection.execute("SELECT attempt FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return int(row["attempt"]) if changed.rowcount == 1 else 0

    # An attempt that was cancelled may still speak after the next one has begun: only the running one is heard.

    def progress(self, identifier: str, attempt: int, done: int, total: int) -> None:
        """Note how far a running job is."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET done = ?, total = ? WHERE id = ? AND attempt = ? AND state = 'running'",
                (done, total, identifier, attempt),
            )

    def finish(self, identifier: str, attempt: int, result: str, headline: str) -> None:
        """Keep the result of a job."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = 'done', finished = ?, result = ?, headline = ? "
                "WHERE id = ? AND attempt = ? AND state = 'running'",
                (time.time(), result, headline, identifier, attempt),
            )

    def stop(self, identifier: str, attempt: int, state: str, error: Mapping[str, str] | None = None) -> None:
        """End a running attempt without a result."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE jobs SET state = ?, finished = ?, error = ? WHERE id = ? AND attempt = ? AND state = 'running'",
                (state, time.time(), json.dumps(dict(error)) if error else "", identifier, attempt),
            )

    def cancel(self, identifier: str) -> int | None:
        """Cancel a job that has not ended; gives the number of the attempt that was cancelled."""
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'cancelled', finished = ? WHERE id = ? AND state IN ('queued', 'running')",
                (time.time(), identifier),
            )
            row = connection.execute("SELECT attempt FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return int(row["attempt"]) if changed.rowcount == 1 else None

    def requeue(self, identifier: str) -> bool:
        """Put a job that ended without a result back into the queue; False when it is not such a job."""
        with self._transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'queued', done = 0, total = 0, finished = NULL, error = '' "
                "WHERE id = ? AND state IN ('failed', 'cancelled', 'interrupted')",
                (identifier,),
            )
        return changed.rowcount == 1

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
        """Forget a job, its result, and the uploads that nothing else uses."""
        with self._transaction() as connection:
            row = connection.execute("SELECT request FROM jobs WHERE id = ?", (identifier,)).fetchone()
            connection.execute("DELETE FROM jobs WHERE id = ?", (identifier,))
            connection.execute("DELETE FROM drafts WHERE job = ?", (identifier,))
            for upload in named_uploads(json.loads(row["request"])) if row else ():
                self._forget_unused(connection, upload)

    def forget(self, identifier: str) -> None:
        """Forget a job that led to nothing, and leave its uploads for the next try."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM jobs WHERE id = ?", (identifier,))

    def tidy(self) -> None:
        """At start: forget what no result uses any more and nobody has touched for a day."""
        before = time.time() - _UNUSED_AFTER
        with self._transaction() as connection:
            connection.execute("DELETE FROM jobs WHERE action = 'inspect'")
            connection.execute("DELETE FROM drafts WHERE created < ? AND job NOT IN (SELECT id FROM jobs)", (before,))
            rows = connection.execute("SELECT id FROM uploads WHERE created < ?", (before,)).fetchall()
            for row in rows:
                self._forget_unused(connection, row["id"])

    def _forget_unused(self, connection: sqlite3.Connection, upload: str) -> None:
        users = connection.execute(
            "SELECT (SELECT count(*) FROM jobs WHERE action != 'inspect' AND instr(request, ?1) > 0)"
            " + (SELECT count(*) FROM drafts WHERE instr(request, ?1) > 0)",
            (upload,),
        ).fetchone()[0]
        known = connection.execute("SELECT 1 FROM uploads WHERE id = ?", (upload,)).fetchone()
        if not users and known:
            connection.execute("DELETE FROM jobs WHERE action = 'inspect' AND instr(request, ?) > 0", (upload,))
            connection.execute("DELETE FROM uploads WHERE id = ?", (upload,))
            self.path_of(upload).unlink(missing_ok=True)


_COLUMNS = "id, action, name, request, state, done, total, created, finished, error, headline, attempt"


def _job(row: sqlite3.Row) -> Job:
    values = dict(row)
    values["request"] = json.loads(values["request"])
    values["error"] = json.loads(values["error"]) if values["error"] else {}
    return Job(**values)


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12)


def named_uploads(value: Any) -> set[str]:
    """All ids that stand under a key "upload", wherever in the request."""
    if isinstance(value, Mapping):
        own = {value["upload"]} if isinstance(value.get("upload"), str) else set()
        return own.union(*(named_uploads(item) for item in value.values()), set())
    if isinstance(value, list | tuple):
        return set().union(*(named_uploads(item) for item in value)) if value else set()
    return set()


def _held(folder: Path) -> IO[str]:
    """Make the folder the app's own: for its user alone, and for one server at a time."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)  # uploads may be confidential; also a folder of an earlier version
        file = (folder / "lock").open("a")
    except OSError as error:
        raise InputError(
            f"the data folder cannot be written: {error.strerror}.",
            where=str(folder),
            fix="name another one with --folder.",
        ) from None
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows has no such locks
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError(
            "another nofluke server uses this data folder.",
            where=str(folder),
            fix="stop it, or name another folder with --folder.",
        ) from None
    return file
