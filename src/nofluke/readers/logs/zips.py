"""Members of a zip archive, read within bounds.

Those in zstd need Python 3.14, or backports.zstd, which has a zipfile of its own.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from nofluke.errors import InputError, MissingExtra
from nofluke.types.bounds import BOUNDS, BeyondBoundsError, Bounds

MARK = b"PK\x03\x04"
# Every member of an archive has an entry in its directory.
_ENTRY = b"PK\x01\x02"
_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 4 * 2**30
_MOST_TIMES = 200
_ZSTD = 93
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTD)
# What opening and unpacking raise; RuntimeError: a password, or a feature of zip that is not known here.
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(LookupError, ValueError, RuntimeError),
)


class Archive:
    """An archive whose members are read as far as they declare, if that is within bounds."""

    def __init__(self, data: bytes, name: str, harness: str, again: str, bounds: Bounds = BOUNDS) -> None:
        """`harness` wrote the archive; `again` says what to do about one that is damaged or too large."""
        self.name, self.harness, self.again = name, harness, again
        self._size, self._taken = len(data), 0
        self._total = min(bounds.total, _MOST_UNPACKED)
        self._ratio, self._harmless = min(bounds.ratio, _MOST_TIMES), bounds.harmless
        if data.count(_ENTRY) > min(bounds.members, _MOST_MEMBERS):
            raise BeyondBoundsError(
                f"the log has over {min(bounds.members, _MOST_MEMBERS):,} members.", where=name, fix=again
            )
        with self._refusing_damage():
            self._zip = _zipfile(data)(io.BytesIO(data))
            self._members = {info.filename: info for info in self._zip.infolist()}

    def names(self, folder: str = "") -> list[str]:
        """The members in a folder, in the order in which they were written."""
        return [name for name in self._members if name.startswith(folder)]

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def refuse_declared(self, names: Sequence[str]) -> None:
        """Refuse members that say they are more than the bounds allow, before any of them is read."""
        size = self._taken + sum(self._members[name].file_size for name in names)
        if size > self._total:
            fix = "give the scores alone, as CSV or Parquet."
            raise BeyondBoundsError(
                f"the log unpacks to more than {self._total // 2**20:,} MB.", where=self.name, fix=fix
            )
        if size > max(self._harmless, self._ratio * self._size):
            fix = f"check where it comes from; if it is right, {self.again}"
            raise InputError(f"the log unpacks to more than {self._ratio:,} times its size.", where=self.name, fix=fix)

    def read(self, name: str) -> bytes:
        """Read no more than the archive declares: one that unpacks further is found by its checksum."""
        self.refuse_declared([name])
        member = self._members[name]
        if member.compress_type not in _PACKINGS:
            raise InputError(f"{name} is packed in a way that is not read here.", where=self.name, fix=self.again)
        self._taken += member.file_size
        with self._refusing_damage(), self._zip.open(name) as file:
            found: bytes = file.read(member.file_size)
            if len(found) < member.file_size:
                raise EOFError(f"{name} ends too early")
        return found

    @contextmanager
    def _refusing_damage(self) -> Iterator[None]:
        """Say in words that an archive is damaged, whatever gave that away: only zipfile's own code runs within."""
        try:
            yield
        except (InputError, MissingExtra):
            raise
        except Exception as error:
            # backports.zstd, which may not be there, has errors of its own.
            if not isinstance(error, _DAMAGED) and type(error).__name__ not in ("ZstdError", "BadZipFile"):
                raise
            raise InputError(
                f"the log of {self.harness} is not whole ({type(error).__name__}: {error}).",
                where=self.name,
                fix=self.again,
            ) from None


def _zipfile(data: bytes) -> Any:
    """The class that opens the archive: the standard library's, unless it has members in zstd."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        packings = {info.compress_type for info in archive.infolist()}
    if _ZSTD not in packings or hasattr(zipfile, "ZIP_ZSTANDARD"):
        return zipfile.ZipFile
    try:
        from backports.zstd import zipfile as with_zstd
    except ImportError:
        raise MissingExtra(
            "the log is packed by zstd.",
            fix="pip install 'nofluke[logs]', or write the log as JSON (inspect log convert --to json).",
        ) from None
    return with_zstd.ZipFile
