"""What studies say: a file for each, by its name, that speaks from the study's tables, settings and facts.

Each file has TITLE or title(study), QUESTION, headline(study) and sentences(study). Where there are any, it has also
remarks(study), captions(study) of its tables, MEANINGS of their columns, HEADINGS for columns
whose names are no plain words, and cells(study), the words for codes in them;
and for the short answer shown(study), a small table, points(study) and caveats(study), the remarks that matter most.
LIKE is a file that has what it has not; ORDERED says that of its rows the first and the last say most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from nofluke.errors import unknown
from nofluke.types import Answer, Study, Table
from nofluke.words.fixes import DETAILS
from nofluke.words.layout import LINES, as_lines, without

STUDIES = (
    "audit",
    "calibration",
    "domain",
    "gains",
    "multiplicity",
    "sample-size",
    "similarity",
    "synthesize",
    "test-size",
)
_MOST_ROWS, _FEWEST_ROWS = 8, 3
_MOST_NOTES = 2
_FIRST_TO_GO = "Paper"


def title(study: Study) -> str:
    """What the study is about."""
    made = _part(study, "title")
    return str(_words(study).TITLE if made is None else made(study))


def question(study: Study) -> str:
    """The question it answers."""
    return str(_words(study).QUESTION)


def headline(study: Study) -> str:
    """The main finding in a sentence or two."""
    return str(_words(study).headline(study))


def sentences(study: Study) -> tuple[str, ...]:
    """What was done, and what came out."""
    return tuple(_words(study).sentences(study))


def notes(study: Study) -> tuple[str, ...]:
    """Remarks on the input, then those of the study itself; a study of schema 1 stored all of them as text."""
    kept, remarks = tuple(map(str, study.notes)), _part(study, "remarks")
    if remarks is None or study.facts.get("schema") == 1:
        return kept
    return (*kept, *remarks(study))


def captions(study: Study) -> Mapping[str, str]:
    """What each table shows, by its name."""
    found = _part(study, "captions")
    return {} if found is None else found(study)


def meanings(study: Study) -> Mapping[str, str]:
    """What the columns of the tables hold, by their headings."""
    return _part(study, "MEANINGS") or {}


def heading(study: Study, column: str) -> str:
    """What stands above a column of a table."""
    return str((_part(study, "HEADINGS") or {}).get(column, column))


def cell(study: Study, column: str, value: Any) -> Any:
    """A value of a table in words, where it is a code."""
    found = _part(study, "cells")
    return value if found is None else found(study).get(column, {}).get(value, value)


def answer(study: Study) -> Answer:
    """The finding, a small table, what was done, and the remarks that matter most."""
    shown, points, caveats = (_part(study, name) for name in ("shown", "points", "caveats"))
    done = (("Study", line) for line in sentences(study)[:1]) if points is None else points(study)
    kept = notes(study) if caveats is None else caveats(study)
    table = None if shown is None else shown(study)
    made = Answer(verdict=headline(study), table=table, points=tuple(done), notes=tuple(kept)[:_MOST_NOTES])
    return made if table is None else _fitted(made, table, ordered=bool(_part(study, "ORDERED")))


def _fitted(made: Answer, table: Table, *, ordered: bool) -> Answer:
    """Leave out rows until the answer has its length."""
    every = len(table.rows)
    for number in range(min(every, _MOST_ROWS), min(every, _FEWEST_ROWS) - 1, -1):
        rows = _spread(table.rows, number) if ordered else table.rows[:number]
        caption = f"{every - number} more: {DETAILS}." if number < every else table.caption
        made = replace(made, table=replace(table, rows=rows, caption=caption))
        if len(as_lines(made)) <= LINES:
            return made
    # What others found is of use in the details too; what was done here, and how to read it, comes before.
    made = without(made, _FIRST_TO_GO)
    while made.notes and len(as_lines(made)) > LINES:
        made = replace(made, notes=made.notes[:-1])
    return made


def _spread(rows: tuple[tuple[str, ...], ...], number: int) -> tuple[tuple[str, ...], ...]:
    """Give so many of the rows, the first and the last among them, evenly spaced."""
    return tuple(rows[round(place * (len(rows) - 1) / max(number - 1, 1))] for place in range(number))


def _part(study: Study, name: str) -> Any:
    words = _words(study)
    return getattr(words, name, getattr(getattr(words, "LIKE", None), name, None))


def _words(study: Study) -> Any:
    if study.name not in STUDIES:
        raise unknown("study", study.name, STUDIES)
    return import_module(f"{__name__}.{study.name.replace('-', '_')}")
