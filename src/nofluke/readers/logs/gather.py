"""Read all logs that were given: by several processes if asked, and from the cache where nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nofluke.executors import completed
from nofluke.readers.given import Given
from nofluke.readers.logs.cache import Kept, key_of, load, store
from nofluke.readers.logs.find import Candidate, candidates, logs_among, poorer_among, refuse_bare, refuse_twice
from nofluke.readers.logs.name import Named
from nofluke.readers.logs.record import Log, PassedOverError
from nofluke.readers.logs.shards import with_files_joined, with_shards_joined
from nofluke.registry import FORMATS
from nofluke.types import Note, note

# Fewer bytes are read sooner than processes are started, or a cache is looked up.
_LARGE = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Manner:
    """How the work is done; it never changes what is read."""

    workers: int = 1
    progress: Callable[[int, int], None] | None = None
    cache: bool = True


@dataclass(frozen=True, slots=True)
class Gathered:
    """The logs of all files, files that were passed over, and how many there were of logs and of others.

    `empty` are those that end as logs beside them do, and hold nothing: runs broken off before their first line.
    `links` lead out of a folder, and were not followed.
    """

    logs: list[Named]
    passed_over: tuple[str, ...]
    files: int
    beside: int
    empty: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is to be said of files that gave no log."""
        found = (
            ("logs.passed_over", self.passed_over),
            ("logs.empty_files", self.empty),
            ("logs.links_out", self.links),
        )
        return tuple(note(code, files=files) for code, files in found if files)


def gathered(source: Any, format: str, cluster: str, manner: Manner) -> Gathered | None:
    """Read every log; None where nothing is one."""
    links: list[str] = []
    files = candidates(source, links)
    large = sum(one.given.size for one in files) >= _LARGE
    key = key_of(files, format, cluster) if large and manner.cache else None
    kept = load(key) if key is not None else None
    if kept is None:
        kept = _read(files, format, cluster, manner, large=large)
        # A run that still writes its logs changes them while they are read.
        if key is not None and kept is not None and key_of(files, format, cluster) == key:
            store(key, kept)
    if kept is None:
        return None
    refuse_twice(source)
    refuse_bare(source, files, {files[at].place for at, _ in kept.logs}, set(kept.passed_over))
    logs = with_shards_joined([_named(files[place], log) for place, log in kept.logs])
    logs, poorer = _without_rounded(with_files_joined(logs))
    dates = {one.log.date for one in logs} - {""}
    beside = {Path(name) for one in logs for name in one.log.beside}
    alone = tuple(
        name for name in kept.passed_over if Path(name) not in beside and not any(date in name for date in dates)
    )
    silent = beside & {Path(one.given.name) for one in files} - {Path(name) for name in kept.passed_over}
    beside_logs = len(files) - kept.files - len(silent)
    return Gathered(logs, (*alone, *poorer), kept.files, beside_logs, _empty(files, kept), tuple(links))


def _empty(files: Sequence[Candidate], kept: Kept) -> tuple[str, ...]:
    """Name what was found empty in the folder of a log, and ends as that log does."""

    def ending(name: str) -> tuple[Path, str]:
        return Path(name).parent, Path(name).suffix

    endings = {ending(files[place].given.name) for place, _ in kept.logs}
    return tuple(
        one.given.name for one in files if one.within and ending(one.given.name) in endings and not one.given.size
    )


def _without_rounded(logs: list[Named]) -> tuple[list[Named], list[str]]:
    """Leave out results that were printed where the same stand beside them with all their digits; name their files."""

    def key(one: Named) -> tuple[int, str, str, str, str]:
        return one.place, one.log.format, one.log.model, one.log.dataset, one.log.part

    precise = {key(one) for one in logs if not one.log.rounded}
    poorer = [one.log.file for one in logs if one.log.rounded and key(one) in precise]
    return [one for one in logs if not one.log.rounded or key(one) not in precise], list(dict.fromkeys(poorer))


def _named(one: Candidate, log: Log) -> Named:
    return Named(log, "", one.place, one.system, one.origin)


def _read(files: Sequence[Candidate], format: str, cluster: str, manner: Manner, *, large: bool) -> Kept | None:
    """Read the logs among the files; one of averages alone is passed over where others hold items."""
    found = logs_among(files, format)
    if not found:
        return None
    poorer = poorer_among(found)
    read = [one for one in found if one not in poorer]
    place = {id(one): at for at, one in enumerate(files)}
    tasks = [(one.given, kind, cluster) for one, kind in read]
    alone = manner.workers == 1 or not large or any(one.given.path is None for one, _ in read)
    results: dict[int, list[Log] | PassedOverError] = dict(
        completed(tasks, _one, 1 if alone else manner.workers, manner.progress)
    )
    logs, passed_over = [], []
    for at, (one, _) in enumerate(read):
        result = results[at]
        if isinstance(result, PassedOverError):
            passed_over.append(result)
        else:
            logs += [(place[id(one)], log) for log in result]
    if not logs:
        raise passed_over[0]
    named = [error.where for error in passed_over] + [one.given.name for one, _ in poorer]
    return Kept(logs, tuple(named), len(found))


def _one(task: tuple[Given, str, str]) -> list[Log] | PassedOverError:
    given, kind, cluster = task
    try:
        read = FORMATS[kind].facts["as_logs"] or FORMATS[kind].function
        logs: list[Log] = read(given, cluster)
        return logs
    except PassedOverError as error:
        return error
    finally:
        given.forget()
