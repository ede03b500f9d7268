"""The report as data: tables, sentences and names of charts, without any markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nofluke.types.base import Value


@dataclass(frozen=True, slots=True)
class Table(Value):
    """Cells as people read them. Columns named in `figures` are aligned as numbers; `strong` rows are set in bold."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    figures: tuple[str, ...] = ()
    strong: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Section(Value):
    """One part of a report: paragraphs, then at most one table, then at most one chart (by its registered name)."""

    title: str
    paragraphs: tuple[str, ...] = ()
    table: Table | None = None
    chart: str = ""
    bullets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report(Value):
    """What a result has to say, in the order in which it is said.

    `headline` is the answer; `sentences` explain it. `main` is the table a paper prints, with a caption that states
    test, sides, correction and n. `records` are unrounded, one mapping a row, for CSV. `short` and `long` are the ready
    sentences for a paper, `citations` the keys of the methods really used, `calls` the same call by language.
    """

    kind: str
    title: str
    headline: str
    sentences: tuple[str, ...]
    main: Table
    sections: tuple[Section, ...]
    records: tuple[Mapping[str, Any], ...]
    short: str
    long: str
    notes: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    calls: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences])
