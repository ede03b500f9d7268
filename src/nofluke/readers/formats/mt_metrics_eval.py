"""Segment scores of mt-metrics-eval: METRIC.seg.score with a block of lines per system, documents beside them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.record import Log, PassedOverError, check_of, measured
from nofluke.readers.numbers import parse_number
from nofluke.registry import FORMATS
from nofluke.types import Group, IntArray, Note, frozen, note

_FILE = re.compile(r"(?P<start>[^/\\]+)\.(?P<level>sys|domain|doc|seg)\.score(?:\.gz)?$")
_LANGUAGES = re.compile(r"[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?")
_HUMAN, _DOCUMENTS, _SOURCES = "human-scores", "documents", "sources"
_NOT_RATED = "None"
_LOOKED_AT = 200
# How far the mean of segments may be from the score of the system before that is worth a word.
_SAME = 1e-6
_AGAIN = "write a line for each segment, system and score, all segments of a system together."


@dataclass(frozen=True, slots=True)
class _About:
    """What the path of a file says: metric, test set with languages, and the folder of the whole test set."""

    metric: str
    level: str
    languages: str
    root: Path | None

    @property
    def dataset(self) -> str:
        return "/".join(filter(None, [self.root.name if self.root is not None else "", self.languages])) or "segments"

    def lines_of(self, folder: str, ending: str) -> list[str] | None:
        """The lines of a file of the test set, one per segment; None where there is none."""
        path = None if self.root is None else self.root / folder / f"{self.languages}{ending}"
        if path is None or not path.is_file():
            return None
        return decode(Given(str(path), path=path).load(), str(path)).removesuffix("\n").split("\n")


def _is_log(head: bytes) -> bool:
    rows = [line.split() for line in decode_head(head).split("\n")[:_LOOKED_AT] if line.strip()]
    return bool(rows) and all(len(row) in (2, 3) and _value(row[-1]) is not None for row in rows)


@FORMATS.register(
    "mt_metrics_eval",
    label="mt-metrics-eval",
    cite="Google Research: mt-metrics-eval V2",
    sniff=_is_log,
    told_by="layout",
    # Two columns of names and numbers may be any table.
    names=_FILE,
    holds=("scores",),
    gives="logs",
)
def read_mt_metrics_eval(given: Given, cluster: str = "") -> list[Log]:
    """Read the segments of all systems by one metric; a domain is a dataset, and a document a cluster."""
    about = _about(given)
    if about.level != "seg":
        raise PassedOverError(
            "these are scores of whole systems, domains or documents, without the segments.",
            where=given.name,
            fix=f"give {about.metric}.seg.score.",
        )
    if cluster not in ("", "document"):
        raise InputError(f"there is no field {cluster!r}.", where=given.name, fix="the clusters here are documents.")
    scores = _blocks(given)
    size = len(next(iter(scores.values())))
    domains, documents = _documents(about, size, given.name)
    sources = about.lines_of(_SOURCES, ".txt")
    checks = frozen([check_of(line) for line in sources], np.int64) if sources and len(sources) == size else None
    # Segments that were rated for no system are no part of the evaluation.
    rated = [at for at in range(size) if any(not math.isnan(own[at]) for own in scores.values())]
    if not rated:
        raise InputError("no segment has a score.", where=given.name, fix=_AGAIN)
    several = list(dict.fromkeys(domains))
    names = {domain: f"{about.dataset}/{domain}" if len(several) > 1 else about.dataset for domain in several}
    # The score of a system is the mean of all segments, whatever their domain.
    groups = (Group(about.dataset, tuple(names.values()), by_size=True),) if len(several) > 1 else ()
    notes = _deviating(scores, about, given)
    if len(rated) < size:
        notes += (note("logs.rated", metric=about.metric, rated=len(rated), size=size),)
    found: list[Log] = []
    for system, own in scores.items():
        for domain in several:
            chosen = [at for at in rated if domains[at] == domain]
            if all(math.isnan(own[at]) for at in chosen):
                continue
            of_domain = [documents[at] for at in chosen]
            found.append(
                Log(
                    format="mt_metrics_eval",
                    version="",
                    file=given.name,
                    model=system,
                    dataset=names[domain],
                    part=about.metric,
                    items=tuple(str(at + 1) for at in chosen),
                    measured={about.metric: measured([own[at] for at in chosen], higher_is_better=_higher(scores))},
                    checks=_of(checks, chosen),
                    clusters=tuple(of_domain) if all(of_domain) else None,
                    groups=groups,
                    places=True,
                    notes=() if found else notes,
                )
            )
    return found


def _about(given: Given) -> _About:
    path = Path(given.name)
    found = _FILE.search(path.name)
    start, level = (found["start"], found["level"]) if found else (path.stem, "seg")
    own = given.path if given.path is not None else path
    languages, _, metric = start.partition(".")
    if _LANGUAGES.fullmatch(own.parent.name):
        return _About(start, level, own.parent.name, own.parent.parent.parent)
    if metric and (own.parent.name == _HUMAN or _LANGUAGES.fullmatch(languages)):
        return _About(metric, level, languages, own.parent.parent if own.parent.name == _HUMAN else None)
    return _About(start, level, "", None)


def _value(cell: str) -> float | None:
    """A score, nan where there is none, and None for what is no score."""
    return math.nan if cell == _NOT_RATED else parse_number(cell)


def _blocks(given: Given) -> dict[str, list[float]]:
    """Give the scores of every system, in the order of segments."""
    found: dict[str, list[float]] = {}
    last = ""
    for number, line in enumerate(decode(given.load(), given.name).split("\n"), 1):
        cells = line.split()
        if not cells:
            continue
        value = _value(cells[-1])
        if len(cells) != 2 or value is None:
            raise _wrong("the line is no system with its score", given.name, number)
        if cells[0] in found and cells[0] != last:
            raise _wrong(f"the lines of {cells[0]} do not stand together", given.name, number)
        last = cells[0]
        found.setdefault(last, []).append(value)
    first = next(iter(found))
    for system, own in found.items():
        if len(own) != len(found[first]):
            told = f"{first} has {len(found[first]):,} segments, and {system} {len(own):,}"
            raise _wrong(told, given.name, 0)
    return found


def _documents(about: _About, size: int, name: str) -> tuple[list[str], list[str]]:
    """Give domain and document of every segment, "" where the test set does not say them."""
    lines = about.lines_of(_DOCUMENTS, ".docs")
    if lines is None:
        return [""] * size, [""] * size
    if len(lines) != size:
        raise _wrong(f"{size:,} segments are scored, and {_DOCUMENTS} has {len(lines):,}", name, 0)
    cells = [line.split(None, 1) for line in lines]
    for number, row in enumerate(cells, 1):
        if len(row) != 2:
            raise _wrong(f"line {number} of {_DOCUMENTS} is no domain with a document", name, 0)
    return [row[0] for row in cells], [f"{about.languages} {row[1].strip()}".strip() for row in cells]


def _higher(scores: Mapping[str, Sequence[float]]) -> bool | None:
    """Errors are written below 0, so that higher is better; for other scores the name of the metric says it."""
    known = [value for own in scores.values() for value in own if not math.isnan(value)]
    return True if max(known) <= 0 and min(known) < 0 else None


def _of(checks: IntArray | None, chosen: Sequence[int]) -> IntArray | None:
    return None if checks is None else frozen(checks[chosen], np.int64)


def _deviating(scores: Mapping[str, Sequence[float]], about: _About, given: Given) -> tuple[Note, ...]:
    """Say where the score of a system that stands beside is not the mean of its segments."""
    beside = None if given.path is None else given.path.with_name(given.path.name.replace(".seg.score", ".sys.score"))
    if beside is None or beside == given.path or not beside.is_file():
        return ()
    far = []
    for line in decode(Given(str(beside), path=beside).load(), str(beside)).split("\n"):
        cells = line.split()
        reported = _value(cells[1]) if len(cells) == 2 else None
        own = [value for value in scores.get(cells[0], ()) if not math.isnan(value)] if cells else []
        if reported is None or math.isnan(reported) or not own:
            continue
        mean = math.fsum(own) / len(own)
        if not abs(mean - reported) <= _SAME * max(1.0, abs(reported)):
            far.append((cells[0], about.dataset, about.metric, reported, mean))
    return (note("logs.deviates", scores=tuple(far)),) if far else ()


def _wrong(what: str, name: str, line: int) -> InputError:
    return InputError(f"{what}.", where=f"{name} line {line}" if line else name, fix=_AGAIN)
