"""Find the logs in what the user gave: files, folders with all that is below them, and globs; each by its content."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nofluke.errors import By, Fix, InputError, listing
from nofluke.readers.frame import is_frame
from nofluke.readers.given import HEAD_BYTES, Given, is_file, named_sources, unreadable, without_logs
from nofluke.readers.sniff import sniff_format
from nofluke.registry import FORMATS
from nofluke.types.bounds import BeyondBoundsError

_MOST_FILES = 100_000
_MOST_BYTES = 2**30
_GLOB = ("*", "?", "[")
_PARQUET = b"PAR1"
# A Parquet file ends with the length of the description of its columns, in 4 bytes, and the mark again.
_LENGTH = 8
_LONGEST_END = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file that may be a log: the name that the user gave to its system, and which of the things given it is in.

    `origin` is the text that the user typed, or the file's name; `within` says that it was found in a folder or glob.
    """

    given: Given
    system: str | None
    place: int
    origin: str
    within: bool


def candidates(source: Any, links: list[str] | None = None) -> list[Candidate]:
    """Give all files that may be logs, in the order in which they were given and of their names; none for a frame.

    Links that lead out of a folder are not followed, and are added to `links`.
    """
    if is_frame(source) or source is None or isinstance(source, bytes | bytearray):
        return []
    if not is_file(source) and not hasattr(source, "__iter__"):
        return []
    found = []
    for place, (system, own, one) in enumerate(named_sources(source)):
        several = _several(one, links if links is not None else [])
        origin = os.fsdecode(one) if isinstance(one, str | os.PathLike) else own
        found += [
            Candidate(given, system, place, origin, within=several is not None)
            for given in (several if several is not None else _alone(one))
        ]
    return found


def logs_among(files: Sequence[Candidate], format: str = "auto") -> list[tuple[Candidate, str]]:
    """Give the files that are logs, with their formats; tables beside logs are refused unless a folder holds them."""
    formats = [(one, _format_of(one, format)) for one in files]
    logs = [(one, found) for one, found in formats if found is not None]
    others = [one.given.name for one, found in formats if found is None and not one.within]
    if logs and others:
        raise InputError(
            f"logs and tables of scores were given together: {listing(others, 3)} is no log.",
            where=logs[0][0].given.name,
            fix=Fix(
                "keep the scores of the table as well",
                By(" (nf.keep(nf.read(TABLE), 'table.parquet'))", " (nofluke read TABLE -o table.parquet)", ""),
                " and give those in its place.",
            ),
        )
    return logs


def refuse_bare(source: Any, files: Sequence[Candidate], logs: Collection[int], passed_over: Collection[str]) -> None:
    """Refuse what gave no log beside others that did: the system that was meant by it would be missing unsaid.

    `logs` are the places of those that did. A file of averages was perhaps given with its items.
    """
    averages = [one for one in files if one.given.name in passed_over]
    places = {*logs, *(one.place for one in averages if not one.within)}
    for place, (_, own, one) in enumerate(named_sources(source)):
        if place in places:
            continue
        name = os.fsdecode(one) if isinstance(one, str | os.PathLike) else own
        alone = [other.given.name for other in averages if other.place == place]
        if alone:
            raise InputError(
                f"no items are logged here: {listing(alone, 2)} holds none.",
                where=name,
                fix="write the scores of items too (lm-eval: --log_samples); if they were, look into their files.",
            )
        raise without_logs(name)


def refuse_twice(source: Any) -> None:
    """Refuse logs that are given twice without names of their own: they are one system, whatever was meant."""
    seen: set[str] = set()
    for system, _, one in named_sources(source):
        if system is not None or not isinstance(one, str | os.PathLike):
            continue
        path = os.path.realpath(os.fsdecode(one))
        if path in seen:
            raise InputError(
                "these logs are given twice.",
                where=os.fsdecode(one),
                fix="give the logs of another system, and each only once.",
            )
        seen.add(path)


def poorer_among(logs: Sequence[tuple[Candidate, str]]) -> list[tuple[Candidate, str]]:
    """Give what a harness wrote of the same results in a poorer format beside the richer one."""
    there = {(one.place, _start(one), found) for one, found in logs}
    return [
        (one, found) for one, found in logs if (one.place, _start(one), FORMATS[found].facts["poorer_than"]) in there
    ]


def _start(one: Candidate) -> str:
    folder, name = os.path.split(one.given.name)
    return os.path.join(folder, name.partition(".")[0])


def _several(source: Any, links: list[str]) -> list[Given] | None:
    """The files of a folder or a glob, in the order of their names; None for what is a single file."""
    if not isinstance(source, str | os.PathLike):
        return None
    path = os.fsdecode(source)
    if os.path.isdir(path):
        return [Given(name, path=Path(name)) for name in _below(path, links)]
    if any(mark in path for mark in _GLOB) and not os.path.lexists(path):
        names = sorted(glob.glob(path, recursive=True))
        inside = [name for found in names for name in ([found] if os.path.isfile(found) else _below(found, links))]
        # A pattern may match a folder and what is in it.
        once: dict[str, str] = {}
        for name in inside:
            once.setdefault(os.path.realpath(name), name)
        return [Given(name, path=Path(name)) for name in once.values()]
    return None


def _below(folder: str, links: list[str]) -> Iterator[str]:
    """Name all files below a folder; what is hidden is left alone, and links that lead out of it go to `links`."""
    root = os.path.realpath(folder)
    number = 0
    for where, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = sorted(name for name in files if not name.startswith("."))
        outside = {name for name in (*folders, *inside) if _leads_out(os.path.join(where, name), root)}
        links += [os.path.join(where, name) for name in sorted(outside)]
        for name in inside:
            if name in outside:
                continue
            path = os.path.join(where, name)
            number += 1
            if number > _MOST_FILES:
                raise BeyondBoundsError(
                    f"the folder holds more than {_MOST_FILES:,} files.",
                    where=folder,
                    fix="give the folders of the logs.",
                )
            if os.path.isfile(path):
                yield path


def _refuse(error: OSError) -> None:
    raise unreadable(os.fsdecode(error.filename), error)


def _leads_out(path: str, root: str) -> bool:
    return os.path.islink(path) and not (os.path.realpath(path) + os.sep).startswith(root + os.sep)


def _alone(source: Any) -> list[Given]:
    """A file, or what was taken of standard input or an open file."""
    if isinstance(source, Given):
        return [source]
    path = os.fsdecode(source) if isinstance(source, str | os.PathLike) else ""
    return [Given(path, path=Path(path))] if os.path.isfile(path) else []


def _format_of(one: Candidate, format: str) -> str | None:
    """The format of a log, as the user says or by its content; None for anything else.

    What the user says is of the logs in a folder, which may hold other files beside them.
    """
    given = one.given
    try:
        found = format if format != "auto" and not one.within else sniff_format(_head(given), name=given.name)
    except PermissionError as error:
        # A log that may not be read would be missing unsaid.
        raise unreadable(given.name, error) from None
    except (InputError, LookupError, OSError):
        # Whoever reads it says what is wrong with it.
        found = ""
    found = found if _gives_logs(found, one) else _by_ending(one)
    if not found or format not in ("auto", found):
        return None
    if given.size > _MOST_BYTES:
        raise BeyondBoundsError(
            f"the log is larger than {_MOST_BYTES // 2**20:,} MB.", where=given.name, fix="cut it by task or by item."
        )
    return found


def _gives_logs(format: str, one: Candidate) -> bool:
    """Whether a file of this format is read as logs: a table that says itself what is what is, in a folder."""
    facts = FORMATS[format].facts if format in FORMATS else None
    return facts is not None and (facts["gives"] == "logs" or (one.within and facts["as_logs"] is not None))


def _by_ending(one: Candidate) -> str:
    """The format whose logs alone end so: what has lost its beginning would be missing unsaid among other logs."""
    ending = Path(one.given.name).suffix
    if not ending or not one.within or not one.given.size:
        return ""
    return next((kind.name for kind in FORMATS if kind.facts["ending"] == ending), "")


def _head(given: Given) -> bytes:
    """The first bytes of a file; of Parquet its end too, where its columns are named."""
    if given.path is None or given.is_packed():
        return given.head()
    with given.path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if head.startswith(_PARQUET) and given.size > HEAD_BYTES:
            file.seek(-_LENGTH, os.SEEK_END)
            length = int.from_bytes(file.read(4), "little") + _LENGTH
            file.seek(-min(length, given.size - HEAD_BYTES, _LONGEST_END), os.SEEK_END)
            head += file.read()
    return head
