"""The database and its folder: for their user alone, for one server at a time, with room kept for deleting."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from nofluke.errors import InputError

Found = TypeVar("Found")
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
# Room kept for deleting, which writes before it forgets. The log grows to about 4 MB before it is begun anew.
_PIECE, _PIECES = 2**20, 6

# The result comes last: SQLite reads a row up to the column it needs, and results may be megabytes.
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
    error TEXT NOT NULL DEFAULT '', headline TEXT NOT NULL DEFAULT '', attempt INTEGER NOT NULL DEFAULT 0, result TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created);
CREATE INDEX IF NOT EXISTS jobs_by_action ON jobs (action, state);
"""
# Columns that databases of earlier versions lack.
ADDED = (("drafts", "step", "TEXT NOT NULL DEFAULT ''"), ("jobs", "attempt", "INTEGER NOT NULL DEFAULT 0"))


def default_folder() -> Path:
    """The app's data folder: NOFLUKE_DATA, or the user's usual place for data of programs."""
    named = os.environ.get("NOFLUKE_DATA")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "nofluke"


class Database:
    """The one connection; a transaction is safe from several threads and whole even when the process is killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.uploads, self.items = folder / "uploads", folder / "items"
        self._lock = threading.RLock()
        self._reserve = Reserve(folder / "reserve")
        self._held = _held(folder)
        try:
            for inside in (self.uploads, self.items):
                _made(inside, known=(folder / "app.db").exists())
            self._connection = self._even_when_full(lambda: _opened(folder / "app.db"))
            self._reserve.fill()
        except InputError:
            self._held.close()
            raise
        except (sqlite3.Error, OSError) as error:
            self._held.close()
            raise cannot_open(error, folder) from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is written inside is kept, or nothing of it."""
        with self._lock, self._connection:
            yield self._connection

    def freeing(self, act: Callable[[sqlite3.Connection], Found]) -> Found:
        """A transaction that must go through on a full disk, too: the reserve makes room for it."""

        def done() -> Found:
            with self.transaction() as connection:
                return act(connection)

        return self._even_when_full(done)

    def refill(self) -> None:
        """Take back the reserve, after something was deleted."""
        if self._reserve.is_whole():
            return
        with self._lock, contextlib.suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log gives its room back
        self._reserve.fill()

    def _even_when_full(self, act: Callable[[], Found]) -> Found:
        try:
            return act()
        except sqlite3.OperationalError:
            if not self._reserve.release():
                raise
        return act()

    def close(self) -> None:
        """Close the database and let another server have the folder."""
        with self._lock:
            self._connection.close()
            self._held.close()


def cannot_open(error: Exception, folder: Path) -> InputError:
    """Say why the app's folder is of no use: a full disk, or something in it."""
    if getattr(error, "errno", None) in FULL or "full" in str(error):
        return InputError(
            "the disk is full.",
            where=str(folder),
            fix="make room on the disk, or name a folder on another one with --folder.",
        )
    return InputError(
        f"the database of the app cannot be opened: {error}.",
        where=str(folder / "app.db"),
        fix="move the folder away (it holds the history), or name another one with --folder.",
    )


def _opened(path: Path) -> sqlite3.Connection:
    _own(path)  # SQLite gives the files it puts beside the database the same mode; a killed server left older ones
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.chmod(0o600)
    connection = sqlite3.connect(path, check_same_thread=False)
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


def _made(folder: Path, *, known: bool) -> None:
    """Make a folder for the app's own files. One that holds files of others is refused: ours are tidied away."""
    folder.mkdir(exist_ok=True)
    if not known and any(folder.iterdir()):
        raise InputError(
            f"there is a folder {folder.name!r} already, and no database of the app beside it.",
            where=str(folder),
            fix="name a new folder with --folder.",
        )
    folder.chmod(0o700)


def _own(path: Path) -> None:
    """Make a file that only its user can read, or make one so that is there: uploads may be confidential."""
    path.touch(mode=0o600)
    path.chmod(0o600)


def _held(folder: Path) -> IO[str]:
    """Make the folder, or take one that is there as it is: others may use it too, so only our files are closed."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _own(folder / "lock")
        file = (folder / "lock").open("a")
    except OSError as error:
        if error.errno in FULL:
            raise cannot_open(error, folder) from None
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


class Reserve:
    """A file that holds nothing; it goes when room is needed, and comes again, as far as it can, when there is some."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def is_whole(self) -> bool:
        """Whether all the room is there."""
        try:
            return self._path.stat().st_size >= _PIECE * _PIECES
        except OSError:
            return False

    def fill(self) -> None:
        """Take the room, or as much of it as there is; a folder that takes no file keeps no reserve."""
        with contextlib.suppress(OSError):
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                for place in range(os.fstat(handle).st_size // _PIECE, _PIECES):
                    _take(handle, place * _PIECE)
            finally:
                os.close(handle)

    def release(self) -> bool:
        """Give the room back; False when there was none."""
        try:
            held = self._path.stat().st_size > 0
            self._path.unlink()
        except OSError:
            return False
        return held


def _take(handle: int, start: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, start, _PIECE)
    else:  # pragma: no cover - macOS and Windows
        os.lseek(handle, start, os.SEEK_SET)
        os.write(handle, bytes(_PIECE))
