"""Room on the disk that is kept for deleting: a database writes before it forgets, and a full disk takes no writing."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

# The database's log grows to about 4 MB before it is begun anew.
_PIECE, _PIECES = 2**20, 6


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
