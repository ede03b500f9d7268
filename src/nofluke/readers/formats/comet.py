"""Scores of COMET: the JSON of comet-score and comet-compare, and what comet-score prints."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json
from nofluke.readers.logs.record import Log, Measured, PassedOverError, check_of, measured
from nofluke.registry import FORMATS
from nofluke.types import frozen

_METRIC = "COMET"
_SCORED = re.compile(r'\{\s*"(?:[^"\\]|\\.)+"\s*:\s*\[\s*\{')
_KEYS = ("src", "mt", _METRIC)
_COMPARED = re.compile(r'\{\s*"model"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"statistical_results"\s*:')
_NUMBER = r"(?:[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|nan)"
_SEGMENT = re.compile(
    rf"(?P<system>[^\t]+)\tSegment (?P<at>\d{{1,9}})\tscore: (?P<score>{_NUMBER})(?:\tvariance: {_NUMBER})?\s*"
)
_AVERAGE = re.compile(rf"[^\t]+\tscore: {_NUMBER}\s*")
_LOOKED_AT = 200
_AGAIN = "write the JSON: comet-score ... --to_json scores.json."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    if start.startswith("{"):
        scored = _SCORED.match(start) is not None and all(re.search(rf'"{key}"\s*:', start) for key in _KEYS)
        return scored or _COMPARED.match(start) is not None
    lines = [line for line in start.split("\n")[:_LOOKED_AT] if line.strip()]
    return bool(lines) and 2 * sum(map(_is_printed, lines)) > len(lines)


def _is_printed(line: str) -> bool:
    return (_SEGMENT.fullmatch(line) or _AVERAGE.fullmatch(line)) is not None


@FORMATS.register(
    "comet",
    label=_METRIC,
    cite="Rei et al. 2020 (COMET): comet-score, comet-compare",
    sniff=_is_log,
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_comet(given: Given, cluster: str = "") -> list[Log]:
    """Read the segments of all systems in one file; a segment is known by its place, source and reference."""
    text = decode(given.load(), given.name)
    if not text.lstrip().startswith("{"):
        if cluster:
            raise _no_field(cluster, given.name)
        return _printed(text, given.name)
    whole = load_json(text, given.name)
    if isinstance(whole, dict) and "translations" in whole:
        if cluster:
            raise _no_field(cluster, given.name)
        return _compared(whole, given.name)
    return _scored(whole, given.name, cluster)


def _no_field(cluster: str, name: str) -> InputError:
    return InputError(
        f"there is no field {cluster!r}.", where=name, fix="only the JSON of comet-score has fields for every segment."
    )


def _scored(whole: Any, name: str, cluster: str) -> list[Log]:
    """What comet-score wrote: a list of segments for every file of translations."""
    systems = whole if isinstance(whole, dict) else {}
    if not systems or not all(isinstance(rows, list) and rows for rows in systems.values()):
        raise _not_whole("no list of segments", name)
    found = []
    for system, rows in systems.items():
        for at, row in enumerate(rows):
            if not isinstance(row, dict) or not isinstance(row.get("src"), str) or _METRIC not in row:
                raise _not_whole(f"segment {at} of {system} has no src or no {_METRIC}", name)
        groups = tuple(field_of(row, cluster, name, 0) for row in rows) if cluster else None
        checks = [check_of(row["src"], _text(row.get("ref"))) for row in rows]
        found.append(_log(system, [row[_METRIC] for row in rows], name, checks, clusters=groups))
    return found


def _compared(whole: Mapping[str, Any], name: str) -> list[Log]:
    """What comet-compare wrote: lists of sources and references, and of the scores of every file of translations."""
    sources, references, systems = whole.get("source"), whole.get("reference"), whole["translations"]
    if not isinstance(sources, list) or not sources:
        raise _not_whole("no source", name)
    references = references if isinstance(references, list) else [""] * len(sources)
    if not isinstance(systems, list) or not systems or len(references) != len(sources):
        raise _not_whole("as many references as sources, and translations, were expected", name)
    checks = [check_of(_text(source), _text(reference)) for source, reference in zip(sources, references, strict=True)]
    found = []
    for one in systems:
        scores = one.get("scores") if isinstance(one, dict) else None
        if not isinstance(scores, list) or len(scores) != len(sources):
            raise _not_whole("a translation does not have a score for every source", name)
        model = str(whole.get("model") or "")
        found.append(_log(str(one.get("name")), scores, name, checks, differing={"the model of COMET": model}))
    return found


def _printed(text: str, name: str) -> list[Log]:
    """What comet-score printed: four decimals, and no texts to check segments by."""
    by_system: dict[str, dict[int, float]] = defaultdict(dict)
    for number, line in enumerate(text.split("\n"), 1):
        found = _SEGMENT.fullmatch(line)
        if found is None:
            continue
        own, at = by_system[found["system"]], int(found["at"])
        if at in own:
            raise InputError(
                f"segment {at} of {found['system']} stands there twice.", where=f"{name} line {number}", fix=_AGAIN
            )
        own[at] = float(found["score"])
    if not by_system:
        raise PassedOverError("these are averages of COMET, without the segments.", where=name, fix=_AGAIN)
    return [
        _log(system, [own[at] for at in sorted(own)], name, None, items=sorted(own), rounded=True)
        for system, own in by_system.items()
    ]


def _log(
    system: str, scores: Sequence[Any], name: str, checks: list[int] | None, items: Sequence[int] = (), **facts: Any
) -> Log:
    return Log(
        format="comet",
        version="",
        file=name,
        model=system,
        dataset=_METRIC,
        # COMET itself calls the first one segment 0.
        items=tuple(map(str, items or range(len(scores)))),
        measured={_METRIC: _column(scores, system, name)},
        primary=_METRIC,
        checks=None if checks is None else frozen(checks, np.int64),
        places=True,
        **facts,
    )


def _column(scores: Sequence[Any], system: str, name: str) -> Measured:
    strange = next((at for at, one in enumerate(scores) if one is not None and not isinstance(one, int | float)), None)
    if strange is not None:
        raise _not_whole(f"the score of segment {strange} of {system} is no number", name)
    return measured([float(one) if is_number(one) else None for one in scores], higher_is_better=True)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value or "")


def _not_whole(why: str, name: str) -> InputError:
    return InputError(
        f"the scores of COMET are not whole ({why}).", where=name, fix=f"{_AGAIN[:-1]}, or copy it again."
    )
