"""The whole store, and what takes all its tables at once: deleting and tidying."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

from nofluke.web.store.records import named_uploads
from nofluke.web.store.tables import DraftTable, JobTable, UploadTable

_UNUSED_AFTER = 7 * 86_400.0  # seconds after which what no result uses is tidied away


class Store(UploadTable, DraftTable, JobTable):
    """Uploads, drafts, jobs and results; every method is one transaction, safe from several threads.

    Files go only after the transaction that forgets them: a database that cannot be written must not speak of files
    that are gone. A file that a killed server left behind is found by `tidy`.
    """

    def delete(self, identifier: str) -> None:
        """Forget a job, its result, and the uploads that nothing else uses."""

        def forget(connection: sqlite3.Connection) -> list[str]:
            row = connection.execute("SELECT request FROM jobs WHERE id = ?", (identifier,)).fetchone()
            connection.execute("DELETE FROM jobs WHERE id = ?", (identifier,))
            connection.execute("DELETE FROM drafts WHERE job = ?", (identifier,))
            return _forget_unused(connection, named_uploads(json.loads(row["request"])) if row else set())

        gone = self.freeing(forget)
        _remove([self.items_of(identifier), *map(self.path_of, gone)])
        self.refill()

    def forget(self, identifier: str) -> None:
        """Forget a job that led to nothing, and leave its uploads for the next try."""
        self.freeing(lambda connection: connection.execute("DELETE FROM jobs WHERE id = ?", (identifier,)))
        _remove([self.items_of(identifier)])

    def forget_inspections(self) -> None:
        """At start: what a file offers is quickly looked at again, perhaps by a newer version that sees more."""
        self.freeing(lambda connection: connection.execute("DELETE FROM jobs WHERE action = 'inspect'"))

    def take_over(self) -> None:
        """At start: what an earlier server left unfinished is interrupted, and what nothing uses goes."""
        self.interrupt_unfinished()
        self.forget_inspections()
        self.tidy()
        self.refill()

    def tidy(self) -> None:
        """Forget what no result uses any more and is a week old, and files of which nothing is known."""
        before = time.time() - _UNUSED_AFTER

        def forget(connection: sqlite3.Connection) -> tuple[list[str], set[str]]:
            connection.execute("DELETE FROM jobs WHERE action = 'inspect' AND created < ?", (before,))
            connection.execute("DELETE FROM drafts WHERE created < ? AND job NOT IN (SELECT id FROM jobs)", (before,))
            old = connection.execute("SELECT id FROM uploads WHERE created < ?", (before,)).fetchall()
            gone = _forget_unused(connection, {row["id"] for row in old})
            return gone, {row["id"] for row in connection.execute("SELECT id FROM uploads UNION SELECT id FROM jobs")}

        gone, known = self.freeing(forget)
        _remove(map(self.path_of, gone))
        for folder in (self.uploads, self.items):
            _remove(file for file in folder.iterdir() if file.stem not in known and _changed(file) < before)


def _forget_unused(connection: sqlite3.Connection, uploads: set[str]) -> list[str]:
    """Forget those that no draft names, nor any job but a look at their columns; gives the ids of what is gone."""
    if not uploads:
        return []
    requests = connection.execute(
        "SELECT request FROM jobs WHERE action != 'inspect' UNION ALL SELECT request FROM drafts"
    )
    unused = uploads.difference(*(named_uploads(json.loads(row["request"])) for row in requests))
    for upload in unused:
        connection.execute("DELETE FROM jobs WHERE action = 'inspect' AND instr(request, ?) > 0", (upload,))
    # A request may name anything: only what was an upload is one.
    forget = "DELETE FROM uploads WHERE id = ?"
    return [upload for upload in unused if connection.execute(forget, (upload,)).rowcount == 1]


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        with contextlib.suppress(OSError):  # what cannot go now is found by the next tidying
            file.unlink(missing_ok=True)


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:  # deleted with its job a moment ago
        return time.time()
