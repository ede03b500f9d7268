"""Records of large logs kept in the cache folder, by the paths, sizes and times of their files; no texts."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.readers.cache_folder import cache_folder
from nofluke.readers.logs.find import Candidate
from nofluke.readers.logs.record import Log, Measured
from nofluke.types import Group, frozen, note

_UNREADABLE = (OSError, ValueError, LookupError, TypeError, EOFError, zipfile.BadZipFile)
# Facts of a log that JSON holds as they are.
_PLAIN = tuple(
    field.name
    for field in fields(Log)
    if field.name not in ("measured", "items", "checks", "runs", "clusters", "groups", "notes", "made_of")
)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was read of some files: each log with the place of its file among them, and which were passed over."""

    logs: list[tuple[int, Log]]
    passed_over: tuple[str, ...]
    files: int


def key_of(files: Sequence[Candidate], format: str, cluster: str) -> str | None:
    """Give a name for these files as they are now; None where one is no file, or nothing is to be kept."""
    if cache_folder() is None:
        return None
    told: list[Any] = [_version(), format, cluster]
    for one in files:
        if one.given.path is None:
            return None
        try:
            stat = one.given.path.stat()
        except OSError:
            return None
        told.append((os.path.abspath(one.given.path), one.given.name, one.within, stat.st_size, stat.st_mtime_ns))
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


@lru_cache(maxsize=1)
def _version() -> str:
    """The code that reads, so that a checkout under work never gives old records."""
    from nofluke import __version__

    sha = hashlib.sha256(__version__.encode())
    for path in sorted(Path(__file__).parent.parent.rglob("*.py")):
        sha.update(path.read_bytes())
    return sha.hexdigest()


class _Texts:
    """Tuples of texts, most of them the same in many logs: each is kept once."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, ...], int] = {}

    def place(self, texts: tuple[str, ...] | None) -> int | None:
        return None if texts is None else self.known.setdefault(texts, len(self.known))


def store(key: str, kept: Kept) -> None:
    """Keep records in one step; where that fails, nothing is lost but time."""
    folder = cache_folder()
    if folder is None:
        return
    texts, parts, status, checks, about = _Texts(), [], [], [], []
    for place, log in kept.logs:
        told: dict[str, Any] = {name: getattr(log, name) for name in _PLAIN}
        told |= {"place": place, "items": texts.place(log.items), "n": len(log.items)}
        told |= {"runs": texts.place(log.runs), "clusters": texts.place(log.clusters)}
        told |= {"groups": [[one.name, list(one.datasets), one.by_size] for one in log.groups]}
        told |= {"made_of": log.made_of}
        told |= {"notes": [[one.code, dict(one.facts)] for one in log.notes]}
        told |= {"checks": log.checks is not None}
        told["measured"] = {name: _facts(one) for name, one in log.measured.items()}
        checks += [] if log.checks is None else [log.checks]
        parts += [one.parts.ravel() for one in log.measured.values()]
        status += [one.status for one in log.measured.values()]
        about.append(told)
    head = {"logs": about, "texts": list(texts.known), "passed_over": kept.passed_over, "files": kept.files}
    arrays: dict[str, list[npt.NDArray[Any]]] = {"parts": parts, "status": status, "checks": checks}
    temporary = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            temporary = file.name
            text = np.frombuffer(json.dumps(head).encode(), np.uint8)
            joined: dict[str, Any] = {name: np.concatenate(own) if own else np.empty(0) for name, own in arrays.items()}
            np.savez(file, head=text, **joined)
        os.replace(temporary, folder / f"logs-{key}.npz")
    except (OSError, TypeError):
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _facts(one: Measured) -> dict[str, Any]:
    return {
        "width": one.parts.shape[1],
        "kind": one.kind,
        "higher_is_better": one.higher_is_better,
        "labels": list(one.labels),
        "reported": one.reported,
        "reported_error": one.reported_error,
        "silent": one.silent,
    }


def load(key: str) -> Kept | None:
    """Give kept records; None where there are none, or the file is damaged."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        with (folder / f"logs-{key}.npz").open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            head = json.loads(file["head"].tobytes())
            taken = {name: _Taken(file[name]) for name in ("parts", "status", "checks")}
        texts = [tuple(own) for own in head["texts"]]
        logs = [(int(told["place"]), _log(told, texts, taken)) for told in head["logs"]]
    except _UNREADABLE:
        return None
    return Kept(logs, tuple(head["passed_over"]), int(head["files"]))


class _Taken:
    """An array that is taken piece by piece."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array, self.at = array, 0

    def next(self, number: int) -> npt.NDArray[Any]:
        found = self.array[self.at : self.at + number]
        if len(found) < number:
            raise EOFError("kept records end too early")
        self.at += number
        return found


def _log(told: Mapping[str, Any], texts: Sequence[tuple[str, ...]], taken: Mapping[str, _Taken]) -> Log:
    n = int(told["n"])

    def named(role: str) -> tuple[str, ...] | None:
        return None if told[role] is None else texts[told[role]]

    checks = frozen(taken["checks"].next(n), np.int64) if told["checks"] else None
    measured = {}
    for name, facts in told["measured"].items():
        width = int(facts["width"])
        parts = frozen(taken["parts"].next(n * width).reshape(n, width))
        rest = {one: facts[one] for one in ("kind", "higher_is_better", "reported", "reported_error", "silent")}
        measured[name] = Measured(
            parts, frozen(taken["status"].next(n), np.int8), labels=tuple(facts["labels"]), **rest
        )
    return Log(
        **{name: told[name] for name in _PLAIN},
        items=texts[told["items"]],
        measured=measured,
        checks=checks,
        runs=named("runs"),
        clusters=named("clusters"),
        made_of=tuple((kind, version) for kind, version in told["made_of"]),
        groups=tuple(Group(name, tuple(own), by_size=by) for name, own, by in told["groups"]),
        notes=tuple(note(code, **facts) for code, facts in told["notes"]),
    )
