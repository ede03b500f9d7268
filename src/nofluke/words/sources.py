"""What was read, in a line that a user can check: how many of what, which column is which, what was not used."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from nofluke.align.runs import most_runs
from nofluke.errors import listing
from nofluke.registry import FORMATS
from nofluke.types import Alignment, Answer, Note, PValues, Ratings, Sample, Scores, Source, Stored, Table
from nofluke.types.base import counted
from nofluke.words.numbers import given_digits

if TYPE_CHECKING:
    from nofluke.readers.p_table import PTable

# What the demo looks at.
DEMO = """\
Two simulated systems (no measured data) on 800 questions about 80 documents.
'new' is truly a little better. Questions about one document depend on each
other, so the document is the cluster."""
_MOST_ROWS, _MOST_NOTES = 8, 3
_UNUSED, _NO_SYSTEM = "read.columns_unused", "read.no_system"
_KEPT = "kept"
# Remarks that say no more than the line on what was read, or change nothing for the reader.
_FOR_DETAILS = (
    "read.item",
    "read.nameless_item",
    "read.row_names",
    "read.system_renamed",
    "read.metrics_of_one_system",
    "read.plain_quotes",
    "logs.averages_alone",
    "logs.wrong_errors",
)
# What is wrong with the data comes before what was guessed of the columns.
_FIRST = (
    *("logs.empty_files", "logs.links_out", "logs.not_scored", "logs.deviates"),
    *("logs.ended", "logs.partial", "logs.superseded"),
    *("read.summary_left_out", "read.last_row", "read.perhaps_summary"),
    *("read.perhaps_turned", "read.no_system", "read.gold_as_system", "read.tells_apart", "read.perhaps_groups"),
)
# How a metric was computed is said by the answer, in full.
_SAID_ELSEWHERE = ("signature", "counts of")


def answer(result: Ratings | PValues) -> Answer:
    """What was read, where that is all a value holds: ratings in one line, p-values in a table."""
    if isinstance(result, PValues):
        return _of_p_values(result)
    by = f"{counted(len(result.items), 'item')} by {counted(len(result.annotators), 'annotator')}"
    return Answer(f"{counted(len(result.label), 'rating')} of {by}, {counted(len(result.categories), 'label')}")


def _of_p_values(result: PValues) -> Answer:
    """How many p-values there are, and the first of them."""
    a, b = result.systems
    scored = not all(math.isnan(value) for value in result.scores.ravel())
    left = len(result.datasets) - _MOST_ROWS
    rows = [
        (
            name,
            *([f"{score:.4g}" for score in result.scores[place]] if scored else []),
            given_digits(result.p_values[place]),
        )
        for place, name in enumerate(result.datasets[:_MOST_ROWS])
    ]
    source = f" ({result.source})" if result.source else ""
    return Answer(
        verdict=f"{counted(len(result.datasets), 'p-value')} for {a} and {b}{source}.",
        table=Table(
            columns=("dataset", *(result.systems if scored else []), "p"),
            rows=tuple(rows),
            caption=f"{left:,} more." if left > 0 else "",
            figures=(a, b, "p"),
        ),
        notes=tuple(str(note) for note in result.notes)[:_MOST_NOTES],
    )


def line(value: Alignment | Source | Sample | Scores | Stored) -> str:
    """Say in a line (scores: a line for each file and note) what was read or matched."""
    if isinstance(value, Alignment):
        return str(value.as_note())
    if isinstance(value, Source):
        return _file_line(value, counted(value.rows, "row"))
    if isinstance(value, Scores | Stored):
        notes = dict.fromkeys([*(note for source in value.sources for note in source.notes), *value.notes])
        return "\n".join([*scores_lines(value), *map(str, notes)])
    return _sample_line(value)


def scores_lines(scores: Scores | Stored) -> tuple[str, ...]:
    """What was read: one line, or a line for each file where their columns differ."""
    if isinstance(scores, Stored):
        counts = f"{counted(scores.rows, 'row')}, {counted(len(scores.systems), 'system')}, left on disk"
        return (_file_line(scores.sources[0], counts),)
    counts = _counts(scores)
    if scores.sources and all(source.made_by for source in scores.sources):
        return (_logs_line(scores),)
    if len(scores.sources) == 1:
        return (_file_line(scores.sources[0], counts),)
    alike = len({(tuple(source.mapping.items()), _unused(source.notes)) for source in scores.sources}) == 1
    if scores.sources and alike:
        first = scores.sources[0]
        names = listing((source.name for source in scores.sources), 4)
        return (f"{names}: {counts}{_columns(first.mapping, first.notes)}",)
    return (f"{counted(len(scores.sources), 'file')}: {counts}", *map(line, scores.sources))


def _logs_line(scores: Scores) -> str:
    """What logs hold: their items are those of all tasks."""
    formats = [source.format for source in scores.sources]
    harnesses = origin(formats, [one for source in scores.sources for one in source.made_by])
    counts = [
        counted(len(scores.systems), "system"),
        counted(len(scores.datasets), "task"),
        counted(_item_count(scores), "item"),
    ]
    several = {
        "runs": most_runs(scores),
        "clusters": len(scores.cluster.labels) if scores.cluster else 0,
    }
    counts += [f"{number:,} {what}" for what, number in several.items() if number > 1]
    return f"{harnesses} logs: {', '.join(counts)}"


def origin(formats: Sequence[str], made_by: Sequence[tuple[str, ...]]) -> str:
    """Name what wrote the files: harnesses with their versions, or formats of tables."""
    known = {kind: FORMATS[kind].label if kind in FORMATS else kind for kind, _ in made_by}
    names = [f"{known[kind]} {version}".strip() for kind, version in dict.fromkeys(map(tuple, made_by))]
    if set(formats) == {_KEPT}:
        return f"{FORMATS[_KEPT].label}, from {listing(names, 3)}"
    tables = [one for one in dict.fromkeys(formats) if one != _KEPT and one not in known]
    return listing([*names, *tables], 3)


def ratings_line(ratings: Ratings) -> str:
    """What was read of annotators."""
    counts = [
        counted(len(ratings.items), "item"),
        counted(len(ratings.annotators), "annotator"),
        counted(len(ratings.categories), "label"),
    ]
    source = ratings.source
    return ", ".join(counts) if source is None else _file_line(source, ", ".join(counts))


def p_table_line(found: PTable) -> str:
    """What was read of a table of p-values."""
    columns = []
    if found.roles.all("score"):
        a, b = found.systems or ("second column", "third column")
        columns.append(f"scores of A = {a}, of B = {b}")
    columns += [f"{role} = {name}" for role, name in found.roles.columns_of("sign").items()]
    if len(found.roles.all("dataset")) > 1:
        columns += [f"dataset = {found.roles.columns_of('dataset')['dataset']}"]
    taken = {name for names in found.roles.columns.values() for name in names}
    unused = tuple(name for name in found.table.columns if name not in taken) if found.table.headed else ()
    shown = f" ({', '.join(columns)})" if columns else ""
    return f"{found.table.name}: {counted(found.table.rows, 'p-value')}{shown}{_not_used(unused)}"


def remarks(notes: Sequence[Note], *, details: bool = False) -> tuple[str, ...]:
    """The remarks on reading that change how the answer is read, at most three; with details all."""
    # Columns that are not used stand in the line; one with numbers in it may be scores with mistakes.
    told = [note for note in dict.fromkeys(notes) if note.code != _UNUSED or _may_be_scores(note)]
    if details:
        return tuple(map(str, told))
    first = sorted((note for note in told if note.code not in _FOR_DETAILS), key=lambda note: note.code not in _FIRST)
    return tuple(map(str, first[:_MOST_NOTES]))


def _may_be_scores(unused: Note) -> bool:
    facts = dict(unused.facts)
    return bool(facts.get("partly") or facts.get("as_text"))


def _counts(scores: Scores) -> str:
    parts = [counted(_item_count(scores), "item"), counted(len(scores.systems), "system")]
    several = {
        "datasets": len(scores.datasets),
        "metrics": len(scores.metrics),
        "runs": len(scores.run.labels) if scores.run else 0,
        "clusters": len(scores.cluster.labels) if scores.cluster else 0,
    }
    return ", ".join([*parts, *(f"{number:,} {what}" for what, number in several.items() if number > 1)])


def _item_count(scores: Scores) -> int:
    """The items of all datasets: an id that two of them have is two items."""
    if len(scores.datasets) == 1:
        return len(scores.item.labels)
    return len(scores.keys("dataset", "item"))


def _file_line(source: Source, counts: str) -> str:
    # Outputs of many systems are one source with the names of all files.
    return f"{listing(source.name.split(', '), 4)}: {counts}{_columns(source.mapping, source.notes)}"


def _columns(mapping: Mapping[str, str], notes: Sequence[Note]) -> str:
    """Which column is which; systems side by side are named by the answer."""
    side_by_side = "score" not in mapping and "output" not in mapping
    left = {*_SAID_ELSEWHERE, *(["system"] if side_by_side else []), *(["annotator"] if "label" not in mapping else [])}
    # That the item is in the column item is no news; that a column was taken as gold is.
    left |= {role for role, column in mapping.items() if role == column.casefold() and role != "gold"}
    named = {role: column for role, column in mapping.items() if role not in left}
    shown = ", ".join(f"{role} = {column}" for role, column in named.items())
    return (f" ({shown})" if shown else "") + _not_used(_unused(notes))


def _unused(notes: Sequence[Note]) -> tuple[str, ...]:
    """The columns that are not used, with those set aside as no systems: only three of these are explained."""
    unused = [name for note in notes if note.code == _UNUSED for name in note["columns"]]
    return (*unused, *(note["column"] for note in notes if note.code == _NO_SYSTEM))


def _not_used(columns: Sequence[str]) -> str:
    return f"; not used: {listing(columns)}" if columns else ""


def _sample_line(sample: Sample) -> str:
    names = " and ".join(sample.systems) if len(sample.systems) == 2 else counted(len(sample.systems), "system")
    unit = f", in {sample.n:,} units of {sample.unit_size} ({sample.unit_statistic})" if sample.unit_size > 1 else ""
    clusters = f", in {len(np.unique(sample.clusters)):,} clusters" if sample.clusters is not None else ""
    return f"{names}: {sample.alignment}{unit}{clusters}"
