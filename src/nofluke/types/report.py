"""The report as data: tables, sentences and names of charts, without any markup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nofluke.types.base import Value


@dataclass(frozen=True, slots=True)
class Bar(Value):
    """A value with its interval, unrounded; `null` is where there is no difference (nan: no such place)."""

    low: float
    value: float
    high: float
    null: float = 0.0


@dataclass(frozen=True, slots=True)
class Table(Value):
    """Cells as people read them. Columns named in `figures` are aligned as numbers; `strong` rows are set in bold.

    `marks` are (row, column, text): daggers or letters set high after the cell; the caption says what they mean.
    `bars` draws one interval a row, all on one scale. `explain` says in half a line what a column or a row is, by its
    heading or first cell; common words need none (see words/glossary.py). A column without a heading has "". Where the
    sentences of a report stand beside its main table, the `legend` is printed below it instead of the caption.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    figures: tuple[str, ...] = ()
    strong: tuple[int, ...] = ()
    marks: tuple[tuple[int, int, str], ...] = ()
    bars: tuple[Bar | None, ...] = ()
    explain: Mapping[str, str] = field(default_factory=dict)
    legend: str | None = None


@dataclass(frozen=True, slots=True)
class Section(Value):
    """One part of a report: paragraphs, at most one table, bullets, at most one chart (by its registered name).

    `name` is for programs that look for this part: titles are for people and may say anything.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    table: Table | None = None
    chart: str = ""
    bullets: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Answer(Value):
    """The short answer, 8 to 15 lines on a terminal: verdict, small table, what it means and what was run.

    `points` are pairs of a label (one word) and its sentence, such as ("Power", "400 items reveal ..."). `notes` are
    the few that change how the answer is read. `tone` is as in a Report.
    """

    verdict: str
    table: Table | None = None
    points: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Report(Value):
    """What a result has to say, in the order in which it is said.

    `headline` is the answer; `sentences` explain it. `main` is the table a paper prints, with a caption that states
    test, sides, correction and n; `paper_only` says that plain text leaves it out because its sections say the same.
    `records` are unrounded, one mapping a row, for CSV. `short` and `long` are the ready sentences for a paper,
    `citations` the `cite` strings of the methods really used, `calls` the same call by language. `tone` is settled,
    open or worse, or "" where a result is neither; `bar` is the interval behind the headline; `systems` are A and B.
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
    tone: str = ""
    bar: Bar | None = None
    systems: tuple[str, ...] = ()
    paper_only: bool = False

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.sentences])

    @property
    def main_beside_sentences(self) -> Table:
        """The main table below the sentences, which need not be said again."""
        return self.main if self.main.legend is None else replace(self.main, caption=self.main.legend)
