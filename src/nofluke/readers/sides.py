"""The two sides of a gate: files, folders or scores of a baseline and of a candidate become one table of two systems.

Sides decide what is what, not the names that logs give to systems: both may be of one model. Several paths of one side
are its runs, where they hold the same datasets.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nofluke.align.join import as_side, chosen_system, joined
from nofluke.errors import InputError
from nofluke.option_groups import OF_LOGS, Reading
from nofluke.options import listed
from nofluke.readers.frame import is_frame
from nofluke.readers.given import refuse_missing
from nofluke.readers.logs.gather import Gathered, Manner, gathered
from nofluke.readers.logs.name import Named, named
from nofluke.readers.logs.record import by_content
from nofluke.readers.logs.remarks import superseded_note
from nofluke.readers.logs.scores import assembled, refuse_columns, refuse_options_of_logs
from nofluke.readers.scores import read_scores
from nofluke.types import Note, Scores

_AS_USUAL = Reading()


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One of the things given: of which side it is, which of them, and its scores or its logs."""

    side: str
    place: int
    given: Any
    logs: Gathered | None = None


def sources_of(given: Any) -> list[Any]:
    """Give the things of one side one by one."""
    several = isinstance(given, list | tuple)
    found = list(given) if several else [given]
    if not found:
        raise InputError("no file of one side was given.", fix="give baseline and candidate a path each.")
    _refuse_twice(found)
    return found


def _refuse_twice(found: Sequence[Any]) -> None:
    """Refuse a path that is given twice: it is one run, and taken for two it would show runs that never vary."""
    seen: set[str] = set()
    for name in (os.fsdecode(one) for one in found if isinstance(one, str | os.PathLike)):
        path = os.path.realpath(name)
        if path in seen:
            raise InputError(
                "this is given twice as a run of one side.", where=name, fix="give every run once, as its own file."
            )
        seen.add(path)


def read_sides(
    sides: Mapping[str, Any], how: Reading, asked: Mapping[str, Any], manner: Manner, system: str | None = None
) -> Scores:
    """Read every side as one system of its name; `asked` are columns that the user names, by role."""
    parts = [
        _opened(side, place, one, how, asked, manner)
        for side, given in sides.items()
        for place, one in enumerate(sources_of(given))
    ]
    of_logs = [part for part in parts if part.logs is not None]
    tables = [part for part in parts if part.logs is None]
    if not of_logs:
        if not any(isinstance(part.given, Scores) for part in parts):
            refuse_options_of_logs(how)
    elif not tables:
        refuse_columns(asked)
    found: list[Scores] = [] if not of_logs else [_of_logs(of_logs, how, system)]
    if not tables:
        return found[0]
    numbers = Counter(part.side for part in tables)
    plain = replace(how, **{name: getattr(_AS_USUAL, name) for name in OF_LOGS})
    found += [_of_table(part, plain, asked, manner, system) for part in tables]
    runs = [str(part.place + 1) if numbers[part.side] > 1 else "" for part in tables]
    return joined(found, [*([""] * (len(found) - len(tables))), *runs])


def _opened(side: str, place: int, given: Any, how: Reading, asked: Mapping[str, Any], manner: Manner) -> _Part:
    if isinstance(given, Scores) or is_frame(given):
        return _Part(side, place, given)
    refuse_missing(given)
    return _Part(side, place, given, gathered(given, how.format, str(asked.get("cluster") or ""), manner))


def _of_table(part: _Part, how: Reading, asked: Mapping[str, Any], manner: Manner, system: str | None) -> Scores:
    if isinstance(part.given, Scores):
        return as_side(part.given, part.side, system)
    # Under a name of its own a table with several columns of scores is one system by several metrics.
    named_so = part.given if system is not None or is_frame(part.given) else {part.side: part.given}
    return as_side(read_scores(named_so, how, asked, manner), part.side, system)


def _of_logs(parts: Sequence[_Part], how: Reading, system: str | None) -> Scores:
    """Put the logs of all sides together, so that what differs between them is seen."""
    kept: list[Named] = []
    notes: list[Note] = []
    for at, part in enumerate(parts):
        if part.logs is None:
            continue
        own, superseded = named(part.logs.logs, keep=how.logs, system_by=listed(how.system_by) if how.system_by else ())
        present = list(dict.fromkeys(one.system for one in own))
        name = present[0] if len(present) == 1 else chosen_system(present, part.side, system, str(part.given))
        kept += [replace(one, system=part.side, place=at) for one in own if one.system == name]
        notes += (*superseded_note([replace(one, system=part.side) for one in superseded]), *part.logs.notes)
    kept = [replace(one, log=by_content(one.log)) for one in kept] if how.match_by == "content" else kept
    return assembled(_as_runs(kept), how, tuple(notes))


def _as_runs(logs: Sequence[Named]) -> list[Named]:
    """Number the runs of a side that has several logs of one dataset in different places."""
    places: dict[tuple[str, str], list[int]] = {}
    for one in logs:
        own = places.setdefault((one.system, one.log.dataset), [])
        own += [] if one.place in own else [one.place]
    return [
        replace(one, run="/".join(filter(None, (str(order.index(one.place) + 1), one.run)))) if len(order) > 1 else one
        for one in logs
        for order in (places[one.system, one.log.dataset],)
    ]
