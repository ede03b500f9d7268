"""The tables of the database: files that users gave, jobs with their results, drafts of earlier versions."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nofluke.web.store.database import Database
from nofluke.web.store.records import Chosen, Draft, Job, Upload, new_id

# Looking at columns is no result; what failed in a draft of an earlier version was said there.
_LISTED = "action != 'inspect' AND NOT (state = 'failed' AND id IN (SELECT job FROM drafts))"
_COLUMNS = "id, action, name, request, state, done, total, created, finished, error, headline, attempt"


class UploadTable(Database):
    """The uploads."""

    def path_of(self, upload: str) -> Path:
        """Where the content of an upload lies; ids are made here, never by a client."""
        return self.uploads / upload

    def add_upload(self, identifier: str, name: str, size: int, sha256: str) -> Upload:
        """Remember a file whose content has been written."""
        upload = Upload(identifier, name, size, sha256, time.time())
        with self.transaction() as connection:
            connection.execute("INSERT INTO uploads VALUES (?, ?, ?, ?, ?)", tuple(asdict(upload).values()))
        return upload

    def upload(self, identifier: str) -> Upload | None:
        """Find an upload."""
        with self.transaction() as connection:
            row = connection.execute("SELECT * FROM uploads WHERE id = ?", (identifier,)).fetchone()
        return Upload(**row) if row else None

    def alike(self, upload: str) -> list[str]:
        """All uploads with the content of this one, itself among them."""
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT id FROM uploads WHERE sha256 = (SELECT sha256 FROM uploads WHERE id = ?)", (upload,)
            ).fetchall()
        return [row["id"] for row in rows]


class DraftTable(Database):
    """Comparisons that an earlier version began in steps."""

    def draft(self, identifier: str) -> Draft | None:
        """Find a draft."""
        with self.transaction() as connection:
            row = connection.execute("SELECT * FROM drafts WHERE id = ?", (identifier,)).fetchone()
        return Draft(**{**row, "request": json.loads(row["request"])}) if row else None


class JobTable(Database):
    """The jobs. An attempt that was cancelled may still speak after the next one has begun: only that one is heard."""

    def add_job(self, action: str, request: Mapping[str, Any], name: str = "") -> Job:
        """Queue a piece of work."""
        job = Job(new_id(), action, name, dict(request), "queued", 0, 0, time.time(), None, {}, "")
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO jobs (id, action, name, request, state, created) VALUES (?, ?, ?, ?, ?, ?)",
                (job.id, action, name, json.dumps(job.request), job.state, job.created),
            )
        return job

    def add_finished(self, action: str, name: str, result: str, headline: str) -> str:
        """Keep a result that was computed elsewhere; gives its id."""
        identifier, now = new_id(), time.time()
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO jobs (id, action, name, request, state, created, finished, result, headline) "
                "VALUES (?, ?, ?, '{}', 'done', ?, ?, ?, ?)",
                (identifier, action, name, now, now, result, headline),
            )
        return identifier

    def job(self, identifier: str) -> Job | None:
        """Find a job, without its result."""
        with self.transaction() as connection:
            row = connection.execute(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return _job(row) if row else None

    def same_job(self, action: str, request: Mapping[str, Any]) -> Job | None:
        """Find a job that has done, or is doing, exactly this."""
        with self.transaction() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE action = ? AND request = ? "
                "AND state IN ('queued', 'running', 'done') ORDER BY created DESC LIMIT 1",
                (action, json.dumps(dict(request))),
            ).fetchone()
        return _job(row) if row else None

    def jobs(self, limit: int = 200, offset: int = 0, chosen: Chosen | None = None) -> list[Job]:
        """What users asked for, the newest first; only those chosen, where that is said."""
        condition, values = _condition(chosen)
        with self.transaction() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE {condition} ORDER BY created DESC, rowid DESC LIMIT ? OFFSET ?",
                (*values, limit, offset),
            ).fetchall()
        return [_job(row) for row in rows]

    def tests_on(self, sha256: str, example: str) -> list[tuple[str, str, str]]:
        """Finished comparisons and tests whose first file has this content, or of this example, the oldest first.

        Gives id, action and the text of the request of each.
        """
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT id, action, request FROM jobs WHERE action IN ('compare', 'test') AND state = 'done' "
                "AND (json_extract(request, '$.data.example') = ? OR json_extract(request, '$.data.files[0].upload') "
                "IN (SELECT id FROM uploads WHERE sha256 = ?)) ORDER BY created, rowid",
                (example, sha256),
            ).fetchall()
        return [(row["id"], row["action"], row["request"]) for row in rows]

    def count_jobs(self, chosen: Chosen | None = None) -> int:
        """How many jobs the history holds."""
        condition, values = _condition(chosen)
        with self.transaction() as connection:
            return int(connection.execute(f"SELECT count(*) FROM jobs WHERE {condition}", values).fetchone()[0])

    def result(self, identifier: str) -> str | None:
        """The JSON text of a finished job's result."""
        with self.transaction() as connection:
            row = connection.execute("SELECT result FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return row["result"] if row else None

    def items_of(self, identifier: str) -> Path:
        """Where a worker may put the scores of the items that a result is about."""
        return self.items / f"{identifier}.csv"

    def begin(self, identifier: str) -> int:
        """Mark a queued job as running and give the number of this attempt; 0 when it is not queued any more."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'running', attempt = attempt + 1 WHERE id = ? AND state = 'queued'",
                (identifier,),
            )
            row = connection.execute("SELECT attempt FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return int(row["attempt"]) if changed.rowcount == 1 else 0

    def progress(self, identifier: str, attempt: int, done: int, total: int) -> None:
        """Note how far a running job is."""
        self._of_running(identifier, attempt, "done = ?, total = ?", (done, total))

    def finish(self, identifier: str, attempt: int, result: str, headline: str, title: str = "") -> None:
        """Keep the result of a job, which is called by its title unless its user has named it."""
        self._of_running(
            identifier,
            attempt,
            "state = 'done', finished = ?, result = ?, headline = ?, name = iif(name = '', ?, name)",
            (time.time(), result, headline, title),
        )

    def stop(self, identifier: str, attempt: int, state: str, error: Mapping[str, str] | None = None) -> None:
        """End a running attempt without a result."""
        said = json.dumps(dict(error)) if error else ""
        self._of_running(identifier, attempt, "state = ?, finished = ?, error = ?", (state, time.time(), said))

    def _of_running(self, identifier: str, attempt: int, change: str, values: tuple[Any, ...]) -> None:
        with self.transaction() as connection:
            connection.execute(
                f"UPDATE jobs SET {change} WHERE id = ? AND attempt = ? AND state = 'running'",
                (*values, identifier, attempt),
            )

    def cancel(self, identifier: str) -> int | None:
        """Cancel a job that has not ended; gives the number of the attempt that was cancelled."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'cancelled', finished = ? WHERE id = ? AND state IN ('queued', 'running')",
                (time.time(), identifier),
            )
            row = connection.execute("SELECT attempt FROM jobs WHERE id = ?", (identifier,)).fetchone()
        return int(row["attempt"]) if changed.rowcount == 1 else None

    def requeue(self, identifier: str) -> bool:
        """Put a job that ended without a result back into the queue; False when it is not such a job."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'queued', done = 0, total = 0, finished = NULL, error = '' "
                "WHERE id = ? AND state IN ('failed', 'cancelled', 'interrupted')",
                (identifier,),
            )
        return changed.rowcount == 1

    def put_back(self, identifier: str, attempt: int) -> bool:
        """Put a running job back into the queue, to be begun anew; False when this attempt is not running any more."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE jobs SET state = 'queued', done = 0, total = 0 "
                "WHERE id = ? AND attempt = ? AND state = 'running'",
                (identifier, attempt),
            )
        return changed.rowcount == 1

    def interrupt_unfinished(self) -> int:
        """At start: what was running or waiting when the server died is interrupted, and can be retried."""
        change = "UPDATE jobs SET state = 'interrupted', finished = ? WHERE state IN ('queued', 'running')"
        return self.freeing(lambda connection: connection.execute(change, (time.time(),)).rowcount)

    def rename(self, identifier: str, name: str) -> None:
        """Give a job the user's own name."""
        with self.transaction() as connection:
            connection.execute("UPDATE jobs SET name = ? WHERE id = ?", (name, identifier))


def _condition(chosen: Chosen | None) -> tuple[str, tuple[Any, ...]]:
    """Which jobs are meant, as SQL with its values; texts of users only ever stand among the values."""
    if chosen is None:
        return _LISTED, ()
    failed = "state = 'failed'" if chosen.failed else "state != 'failed'"
    parts: list[tuple[str, tuple[Any, ...]]] = [(_LISTED, ()), (failed, ())]
    if chosen.action:
        parts.append(("action = ?", (chosen.action,)))
    if chosen.search:
        within = " OR ".join(f"instr(lower({column}), ?) > 0" for column in ("name", "headline", "action", "error"))
        file = "EXISTS (SELECT 1 FROM uploads u WHERE instr(lower(u.name), ?) > 0 AND instr(jobs.request, u.id) > 0)"
        parts.append((f"({within} OR {file})", (chosen.search.lower(),) * 5))
    return " AND ".join(part for part, _ in parts), tuple(value for _, values in parts for value in values)


def _job(row: sqlite3.Row) -> Job:
    values = dict(row)
    values["request"] = json.loads(values["request"])
    values["error"] = json.loads(values["error"]) if values["error"] else {}
    return Job(**values)
