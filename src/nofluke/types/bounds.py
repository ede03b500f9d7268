"""How much is taken from a file: bytes, how far they may unpack, the length of a line, the number of columns.

A small packed file can hold more than any machine does. What is read is counted block by block, so that a file that
is too much is refused after a few megabytes of it.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from nofluke.errors import InputError

GZIP = b"\x1f\x8b"
_BLOCK = 2**20
_MB = 2**20


class BeyondBoundsError(InputError):
    """A sound file that is larger than these bounds; wider ones would take it."""


class Stream(Protocol):
    """An open binary file."""

    def read(self, size: int = -1, /) -> bytes:
        """Give so many bytes, fewer at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that is read of one file, before it is refused.

    `ratio` is how many bytes one packed byte may become; what unpacks to less than `harmless` bytes need not keep it.
    """

    total: int = 16 * 2**30
    ratio: int = 250
    harmless: int = 16 * _MB
    line: int = 64 * _MB
    columns: int = 10_000
    rows: int = 200_000_000  # of a Parquet file, whose rows may take next to no room
    members: int = 1_000_000  # of a zip archive


BOUNDS = Bounds()
# A result that was stored as JSON may be one line.
STORED_RESULT = Bounds(total=512 * _MB, line=512 * _MB)


def blocks(stream: Stream, name: str, bounds: Bounds = BOUNDS) -> Iterator[bytes]:
    """Give a stream piece by piece, gzip unpacked; InputError where it is more than the bounds, or damaged."""
    source = _Counted(stream)
    packed = source.peek() == GZIP
    unpacked: Stream = gzip.GzipFile(fileobj=source, mode="rb") if packed else source  # type: ignore[call-overload]
    total = line = 0
    # A line that is too long is longer than a block, so only the ends of blocks need a look.
    size = min(_BLOCK, bounds.line)
    while block := _read(unpacked, size, name):
        total += len(block)
        if total > bounds.total:
            raise _too_large(name, bounds, packed=packed)
        if packed and total > max(bounds.harmless, bounds.ratio * source.taken):
            raise _unpacks_too_far(name, bounds)
        end = b"\n" if b"\n" in block else b"\r"
        first = block.find(end)
        if line + (len(block) if first < 0 else first) > bounds.line:
            raise _line_too_long(name, bounds)
        line = line + len(block) if first < 0 else len(block) - block.rfind(end) - 1
        yield block


def read_all(stream: Stream, name: str, bounds: Bounds = BOUNDS) -> bytes:
    """Give all of a stream, within the bounds."""
    found = io.BytesIO()  # gives its content away without a copy
    for block in blocks(stream, name, bounds):
        found.write(block)
    return found.getvalue()


def refuse_columns(count: int, where: str, bounds: Bounds = BOUNDS) -> None:
    """Refuse a table that is wider than any table of scores."""
    if count > bounds.columns:
        raise InputError(
            f"there are {count:,} columns; at most {bounds.columns:,} are read.",
            where=where,
            fix="give a long table, one row per value, or leave columns out.",
        )


class _Counted:
    """A stream that says how much of it was taken, and shows how it begins."""

    def __init__(self, stream: Stream) -> None:
        self.taken = 0
        self._stream, self._start = stream, b""

    def peek(self) -> bytes:
        while len(self._start) < len(GZIP) and (more := self._stream.read(len(GZIP) - len(self._start))):
            self._start += more
        return self._start

    def read(self, size: int = -1, /) -> bytes:
        start, self._start = self._start, b""
        found = start + self._stream.read(max(size - len(start), 0) if size >= 0 else -1)
        self.taken += len(found)
        return found


def _read(stream: Stream, size: int, name: str) -> bytes:
    if isinstance(stream, _Counted):
        return stream.read(size)
    try:
        return stream.read(size)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        how = "ends too early" if isinstance(error, EOFError) else "is damaged"
        raise InputError(
            f"the gzip file {how}.", where=name, fix="copy or download it again (gzip -t FILE checks it)."
        ) from None


def _too_large(name: str, bounds: Bounds, *, packed: bool) -> InputError:
    return BeyondBoundsError(
        f"the file {'unpacks to' if packed else 'holds'} more than {bounds.total // _MB:,} MB.",
        where=name,
        fix="leave out columns and rows that are not needed, or give a Parquet file.",
    )


def _unpacks_too_far(name: str, bounds: Bounds) -> InputError:
    return InputError(
        f"the file unpacks to more than {bounds.ratio:,} times its size.",
        where=name,
        fix="check where it comes from; if it is right, unpack it (gunzip FILE) and give the plain file.",
    )


def _line_too_long(name: str, bounds: Bounds) -> InputError:
    return BeyondBoundsError(
        f"a line is longer than {bounds.line / _MB:,.3g} MB.",
        where=name,
        fix='write one item per line (for a JSON array: jq -c ".[]" FILE > FILE.jsonl); '
        f"a cell of CSV may have {csv.field_size_limit():,} characters anywhere.",
    )
