"""What the user gave to read: paths, standard input, open files or several of them, each with its bytes."""

from __future__ import annotations

import glob
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nofluke.errors import InputError, did_you_mean, listing
from nofluke.readers.file_names import AfterFile, names_of
from nofluke.readers.frame import is_frame
from nofluke.readers.parts import is_glob, parts_of
from nofluke.readers.sniff import is_read_as_folder, marked_format, sniff_format
from nofluke.types.bounds import GZIP, Stream, blocks
from nofluke.types.file_kinds import packed_kind

HEAD_BYTES = 1 << 16
# The folder that reading is kept within: for a server whose client names the files.
_FOLDER: ContextVar[str | None] = ContextVar("folder", default=None)


@contextmanager
def kept_within(folder: Path) -> Iterator[None]:
    """Refuse meanwhile to read what is not below a folder, links followed, whether named, matched or found beside."""
    before = _FOLDER.set(os.path.realpath(folder))
    try:
        yield
    finally:
        _FOLDER.reset(before)


def refuse_beyond(path: str | Path) -> None:
    """Refuse a path that leads out of the folder reading is kept within, or to what would never end."""
    folder = _FOLDER.get()
    if folder is None:
        return
    name = os.fspath(path)
    # Standard input is the protocol's own.
    if name == "-" or "\0" in name or not _is_in(name, folder):
        raise InputError(
            f"{_way_out(name, folder)!r} is not below the folder of this server.",
            fix="name files by their path from there.",
        )
    if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):
        raise InputError("this is neither a file nor a folder.", where=name, fix="name another file.")


def _way_out(name: str, folder: str) -> str:
    """The part of a path that leads out: a pattern may have matched what lies behind it, which is not to be told."""
    parts = Path(name).parts if "\0" not in name else ()
    steps = (os.path.join(*parts[:number]) for number in range(1, len(parts)))
    return next((step for step in steps if os.path.islink(step) and not _is_in(step, folder)), name)


def _is_in(path: str, folder: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(folder)


@dataclass(slots=True)
class Given:
    """One file, stream, or folder that is read as a whole: its name as the user gave it, and the system it stands for.

    A system that nothing else names is called `own`, after the file. `parts` are the tables of a folder or a glob.
    """

    name: str
    system: str | None = None
    path: Path | None = None
    _data: bytes | None = field(default=None, repr=False)
    own: str = ""
    parts: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        """Whatever is read of a disk passes here: what is named, and what lies beside it or matches a pattern."""
        for path in self.parts or (self.path,):
            if path is not None:
                refuse_beyond(path)

    @property
    def size(self) -> int:
        """The bytes on disk of a regular file; 0 for what can be read only once."""
        return self.path.stat().st_size if self.path is not None and self._data is None else 0

    def format(self, question: str = "scores") -> str:
        """The name of its format among those that can hold the answer to a question, by its content."""
        folder = self.path is not None and self._data is None and self.path.is_dir()
        return sniff_format(self.path if folder and self.path is not None else self.head(), question, self.name)

    def head(self) -> bytes:
        """The first bytes, unpacked: enough to see what the file is."""
        if self._data is not None or self.path is None:
            return self.load()[:HEAD_BYTES]
        found = bytearray()
        for block in self.blocks():
            found += block
            if len(found) >= HEAD_BYTES:
                break
        return bytes(found[:HEAD_BYTES])

    def load(self) -> bytes:
        """All bytes, unpacked; an empty file is refused."""
        if self._data is None:
            found = io.BytesIO()  # gives its content away without a copy
            for block in self.blocks():
                found.write(block)
            self._data = found.getvalue()
        if not self._data.strip(b"\r\n\t \xef\xbb\xbf"):
            raise empty_file(self.name)
        return self._data

    def forget(self) -> None:
        """Let go of the bytes of a file on disk, which can be read again."""
        if self.path is not None:
            self._data = None

    def blocks(self) -> Iterator[bytes]:
        """The file piece by piece, unpacked; one that is more than the bounds, or no table, is refused."""
        try:
            if self.path is None:
                yield from self._taken(sys.stdin.buffer)
            else:
                with self.path.open("rb") as file:
                    yield from self._taken(file)
        except OSError as error:
            raise unreadable(self.name, error) from None

    def is_packed(self) -> bool:
        """Whether the file on disk is gzip."""
        if self.path is None or self._data is not None:
            return False
        with self.path.open("rb") as file:
            return file.read(2) == GZIP

    def _taken(self, stream: Stream) -> Iterator[bytes]:
        for number, block in enumerate(blocks(stream, self.name)):
            found = packed_kind(block) if not number else None
            if found is not None and marked_format(block) is None:
                raise InputError(f"the file is {found[0]}.", where=self.name, fix=found[1])
            if not number and block.startswith(GZIP):
                raise InputError(
                    "the file is gzip inside gzip.", where=self.name, fix="unpack it once: gunzip -c FILE > NEW.gz."
                )
            yield block


def empty_file(name: str) -> InputError:
    """The error of a file that holds nothing; what it was to hold depends on the question."""
    return InputError("the file is empty.", where=name, fix="check what wrote it, or give another file.")


def held(source: Any) -> Any:
    """Take what can be read only once, standard input and open files, into the hands of a Given each.

    Whoever looks at it first does then not take it from the others.
    """
    if is_frame(source) or isinstance(source, bytes | bytearray):
        return source
    if is_file(source):
        return _held(source)
    _refuse_numbers(source)
    if isinstance(source, Mapping):
        return {name: _held(one) for name, one in source.items()}
    return [_held(one) for one in source] if isinstance(source, Iterable) else source


def _refuse_numbers(source: Any) -> None:
    """Refuse scores themselves, in lists, arrays, series or mappings: these are compared as they are."""
    inside = source.values() if isinstance(source, Mapping) else source
    # What is made on the way, by a generator, can be looked at once only.
    one = next(iter(inside), None) if hasattr(inside, "__len__") else None
    if one is not None and not is_file(one) and not is_frame(one):
        raise InputError(
            f"{type(source).__name__} is neither a file nor a data frame.",
            fix="compare scores in memory as they are, nf.compare(a, b) or nf.rank({'A': a, 'B': b}), or put them into "
            "a frame: nf.read(pandas.DataFrame({'A': a, 'B': b})).",
        )


def _held(source: Any) -> Any:
    name, path = _split_name(source)
    return opened(path, name) if not is_frame(source) and (path == "-" or hasattr(path, "read")) else source


def given_from(source: Any, *, parts: bool = False) -> list[Given]:
    """Give every file of a source: a path, "-", NAME=path, a list of these, or {system: path}.

    With `parts` a folder or a glob may be one table in many files.
    """
    if isinstance(source, bytes | bytearray) or not (is_file(source) or isinstance(source, Iterable)):
        raise InputError(
            f"scores cannot be read from {type(source).__name__} {str(source)[:40]!r}.",
            fix="give a path, '-' for standard input, a list of paths, {system: path}, or a data frame.",
        )
    return [opened(one, name, own, parts=parts) for name, own, one in named_sources(source)]


def refuse_missing(source: Any) -> None:
    """Refuse paths that are not there before the others are read; what is a glob must match something."""
    if not isinstance(source, str | os.PathLike | list | tuple | Mapping):
        return
    for _, _, one in named_sources(source):
        path = os.fsdecode(one) if isinstance(one, str | os.PathLike) else "-"
        if path != "-" and "\0" not in path and not os.path.exists(path) and not glob.glob(path, recursive=True):
            _mode_of(Path(path), path)


def named_sources(sources: Any) -> list[tuple[str | None, str, Any]]:
    """Give the sources, each with the name it was given (None if it was given none) and what it is called else."""
    if isinstance(sources, Mapping):
        pairs = [(None if isinstance(name, AfterFile) else str(name), source) for name, source in sources.items()]
        named = list(map(str, sources))
    else:
        lone = is_file(sources) or is_frame(sources)
        pairs = [_split_name(source) for source in ([sources] if lone else list(sources))]
        after = iter(names_of([_file_name(source) for name, source in pairs if name is None]))
        named = [next(after) if name is None else name for name, _ in pairs]
    if not pairs:
        raise InputError("no files were given.", fix="give at least one path.")
    return [(name, own, source) for (name, source), own in zip(pairs, named, strict=True)]


def _split_name(source: Any) -> tuple[str | None, Any]:
    """Read NAME=FILE; a file that has this very name stands for itself."""
    if isinstance(source, Given):
        return source.system, source
    if not isinstance(source, str) or "=" not in source or os.path.lexists(source.replace("\0", "")):
        return None, source
    if is_glob(source):
        return None, source
    name, _, path = source.partition("=")
    if not name:
        raise InputError(f"{source!r} names no system before the =.", fix="write NAME=FILE, or FILE alone.")
    return name, path


def _file_name(source: Any) -> str:
    if isinstance(source, str | os.PathLike):
        return "stdin" if os.fspath(source) == "-" else os.fsdecode(source)
    if isinstance(source, Given):
        return source.name
    return str(getattr(source, "name", "frame" if is_frame(source) else "stream"))


def is_file(source: Any) -> bool:
    """Whether a source is a path, - for standard input, or an open file."""
    return isinstance(source, str | os.PathLike | Given) or hasattr(source, "read")


def opened(source: Any, system: str | None = None, own: str = "", *, parts: bool = False) -> Given:
    """Open one file; a name with = in it is a file here: systems were told apart before.

    With `parts` also a folder, or a glob, of tables that are one.
    """
    if isinstance(source, Given):
        source.system, source.own = system, own
        return source
    if hasattr(source, "read"):
        data = source.read()
        given = Given(str(getattr(source, "name", "stream")), system, own=own)
        given._data = b"".join(given._taken(io.BytesIO(data.encode() if isinstance(data, str) else data)))
        return given
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            f"{type(source).__name__} {str(source)[:40]!r} is not a path.", fix="give paths, such as 'scores.csv'."
        )
    name = os.fsdecode(source)
    if name == "-":
        return Given("stdin", system, own=own)
    path = Path(name)
    if parts and is_glob(name):
        return _of_parts(name, system, own)
    mode = _mode_of(path, name)
    given = Given(name, system, path, own=own)
    if stat.S_ISDIR(mode):
        if is_read_as_folder(path):
            return given
        if not parts:
            raise without_logs(name)
        return _of_parts(name, system, own)
    if not stat.S_ISREG(mode):
        given.load()
    return given


def _of_parts(name: str, system: str | None, own: str) -> Given:
    """A folder or a glob whose files are one table."""
    parts = parts_of(name)
    if not parts:
        raise without_logs(name)
    return Given(name, system, Path(name), own=own, parts=parts)


def _mode_of(path: Path, name: str) -> int:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        raise _not_there(path, name) from None
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None


def _not_there(path: Path, name: str) -> InputError:
    folder = path.parent
    try:
        neighbours = [entry.name for entry in folder.iterdir() if entry.is_file()]
    except OSError:
        return InputError("the file does not exist, nor does its folder.", where=name, fix="check the path.")
    hint = did_you_mean(path.name, neighbours).strip()
    return InputError("the file does not exist.", where=name, fix=hint or "check the path.")


def without_logs(name: str) -> InputError:
    """The error of a folder, or a pattern of names, in which nothing is a log."""
    path = Path(name)
    if not path.is_dir():
        return InputError("no log of an evaluation harness was found here.", where=name, fix="check the path.")
    try:
        entries = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    except OSError:
        entries = []
    files = [entry.name for entry in entries if entry.is_file() and not entry.is_symlink()]
    links = [entry.name for entry in entries if entry.is_symlink()]
    fix = f"give its files: {listing(files, 4)}." if files else "give files; this folder holds none."
    fix = f"links are not followed: give what is linked by {listing(links, 4)}." if links and not files else fix
    return InputError("this is a folder, and no log of an evaluation harness was found in it.", where=name, fix=fix)


def unreadable(name: str, error: OSError | ValueError) -> InputError:
    """The error of what the system does not let us read."""
    if isinstance(error, PermissionError) and os.path.isdir(name):
        fix = "change its permissions (chmod u+rx FOLDER)."
        return InputError("you may not look into this folder.", where=name, fix=fix)
    if isinstance(error, PermissionError):
        return InputError("you may not read this file.", where=name, fix="change its permissions (chmod u+r FILE).")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if "\0" in name:
        reason = "a name holds no NUL byte"
    shown = name if len(name) <= 80 else name[:77] + "..."
    return InputError(f"the file cannot be read: {reason}.", where=repr(shown)[1:-1], fix="check the path.")
