"""What studies say: a file for each, by its name, that speaks from the study's tables, settings and facts.

Each file has TITLE and QUESTION, headline(study) and sentences(study), and where there are any remarks(study),
captions(study) of its tables and MEANINGS of their columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from nofluke.types import Answer, Study, Table

_MOST_ROWS = 8


def title(study: Study) -> str:
    """What the study is about."""
    return str(_words(study).TITLE)


def question(study: Study) -> str:
    """The question it answers."""
    return str(_words(study).QUESTION)


def headline(study: Study) -> str:
    """The main finding in one sentence."""
    return str(_words(study).headline(study))


def sentences(study: Study) -> tuple[str, ...]:
    """What was done, and what came out."""
    return tuple(_words(study).sentences(study))


def notes(study: Study) -> tuple[str, ...]:
    """Remarks on the input, then those of the study itself."""
    remarks = getattr(_words(study), "remarks", None)
    return (*map(str, study.notes), *(remarks(study) if remarks is not None else ()))


def captions(study: Study) -> Mapping[str, str]:
    """What each table shows, by its name."""
    found = getattr(_words(study), "captions", None)
    return {} if found is None else found(study)


def meanings(study: Study) -> Mapping[str, str]:
    """What the columns of the tables hold, by their headings."""
    return getattr(_words(study), "MEANINGS", {})


def answer(study: Study) -> Answer:
    """The finding, the first rows of the main table if the study shows them, and what was done."""
    shown = getattr(_words(study), "shown", None)
    table: Table | None = None if shown is None else shown(study)
    points = getattr(_words(study), "points", None)
    found = points(study) if points is not None else (("Study", line) for line in sentences(study)[:1])
    return Answer(verdict=headline(study), table=table, points=tuple(found), notes=notes(study)[:2])


def _words(study: Study) -> Any:
    return import_module(f"{__name__}.{study.name}")
