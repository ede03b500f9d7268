"""How a file was read, before anything is tested: its first rows, the role of each column, what matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nofluke.errors import NoflukeError
from nofluke.readers.given import Given
from nofluke.types import Scores, Value
from nofluke.web.data import Files, Progress, sample_of, scores_of
from nofluke.web.items import items_csv, texts_of
from nofluke.web.requests import READING_RATINGS, table_alone
from nofluke.web.safety import Limits
from nofluke.web.uploads import refuse_unreadable

_MOST = 500
_FIRST_ROWS, _LONGEST_CELL = 5, 80


@dataclass(frozen=True, slots=True)
class Inspection(Value):
    """Columns by name, the role each was given, what can be chosen from, and what would be compared.

    `rows` are the first rows as they stand in the file, `roles` what each column was taken for ("" for none), `found`
    what was counted, in words. `pair` is A and B as they would be matched, `alignment` how; both are empty, and
    `problem` says why, where the choice is not clear yet. Where a file is not `readable`, no choice can help.
    """

    columns: tuple[str, ...]
    mapping: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    items: int = 0
    pair: tuple[str, ...] = ()
    dataset: str = ""
    metric: str = ""
    higher_is_better: bool | None = None
    alignment: str = ""
    problem: Mapping[str, Any] = field(default_factory=dict)
    readable: bool = True
    rows: tuple[tuple[str, ...], ...] = ()
    roles: tuple[str, ...] = ()
    summary: str = ""
    of_logs: bool = False
    found: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def inspect(
    request: Mapping[str, Any], files: Files, progress: Progress, limits: Limits, items: Path | None = None
) -> Inspection:
    """Look at the data; where they cannot be read or matched yet, what is known still helps to say how.

    Where a request asks for its items they are written down as a table.
    """
    data = request["data"]
    named = [files[entry["upload"]][0] for entry in data.get("files") or () if entry.get("upload") in files]
    found = Inspection(())
    try:
        for path, _name in files.values():
            refuse_unreadable(Path(path), path)
    except NoflukeError as error:
        return replace(found, problem=error.to_dict("page"), readable=False)
    try:
        if len(named) == 1:
            found = _table_of(Path(named[0]))
        scores = scores_of(data, files, progress, limits)
        found = _offered(found, scores)
        if len(scores.systems) != 2 and not (request.get("a") or request.get("b")):
            return found
        sample = sample_of(request, scores)
        if request.get("items") and items is not None:
            texts = texts_of(data, files, scores, sample.systems)
            items.write_text(items_csv(sample, texts), encoding="utf-8", newline="")
    except NoflukeError as error:
        return replace(found, problem=error.to_dict("page"))
    return replace(
        found,
        pair=sample.systems,
        dataset=sample.dataset,
        metric=sample.metric,
        higher_is_better=sample.higher_is_better,
        alignment=str(sample.alignment),
    )


def inspect_table(request: Mapping[str, Any], files: Files) -> Inspection:
    """How a table of annotations or of p-values was read; where it cannot be, its first rows still help to say how."""
    kind = table_alone(request)
    path = files[request[kind]["upload"]][0]
    found = Inspection(())
    try:
        found = _table_of(Path(path))
        roles, told = _READ_TABLE[kind](path, request)
    except NoflukeError as error:
        roles = _by_column(request["columns"] or {})
        return replace(found, roles=_placed(roles, found.columns), problem=error.to_dict("page"))
    return replace(found, roles=_placed(roles, found.columns), summary=told.removeprefix(f"{path}: "))


def _by_column(mapping: Mapping[str, str]) -> dict[str, str]:
    """Name the role of every column; one role may have several, and a name may hold a comma."""
    return {name: role for role, text in mapping.items() for name in (text, *text.split(", "))}


def _placed(roles: Mapping[str, str], columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(roles.get(name, "") for name in columns)


def _read_ratings(path: str, request: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    from nofluke.readers.ratings import read_ratings
    from nofluke.words.sources import ratings_line

    ratings = read_ratings(path, **{option.name: request[option.name] for option in READING_RATINGS})
    mapping = ratings.source.mapping if ratings.source else {}
    roles = _by_column(mapping)
    if "label" not in mapping:
        roles |= dict.fromkeys(ratings.annotators, "annotator")
    return roles, ratings_line(ratings)


def _read_p_values(path: str, request: Mapping[str, Any]) -> tuple[dict[str, str], str]:
    from nofluke.readers.aliases import P_ROLES
    from nofluke.readers.p_table import read_p_table
    from nofluke.words.sources import p_table_line

    table = read_p_table(Given(path, path=Path(path)), request["a"], request["b"], request["columns"] or {})
    return {name: role for role in P_ROLES for name in table.roles.all(role)}, p_table_line(table)


_READ_TABLE = {"ratings": _read_ratings, "p_table": _read_p_values}


def _offered(found: Inspection, scores: Scores) -> Inspection:
    from nofluke.verbs.contents import contents
    from nofluke.words.contents import headline, points

    held = contents(scores)
    mapping = dict(scores.sources[0].mapping) if scores.sources else {}
    return replace(
        found,
        mapping=mapping,
        roles=_roles(found.columns, mapping),
        systems=scores.systems[:_MOST],
        datasets=scores.datasets[:_MOST],
        metrics=scores.metrics[:_MOST],
        items=len(scores.item.labels),
        summary=headline(held),
        of_logs=held.of_logs,
        found=points(held),
        notes=tuple(str(note) for note in held.notes)[:_FIRST_ROWS],
    )


def _roles(columns: Sequence[str], mapping: Mapping[str, str]) -> tuple[str, ...]:
    """What each column was taken for; where systems stand side by side, their columns hold scores."""
    found = dict.fromkeys(columns, "")
    for role, text in mapping.items():
        several = [text] if text in found else text.split(", ")
        side_by_side = role == "system" and not ("score" in mapping or "output" in mapping)
        found |= {name: "score" if side_by_side else role for name in several if name in found}
    return tuple(found.values())


def _table_of(path: Path) -> Inspection:
    """The columns and first rows of a table in text."""
    from nofluke.readers.sniff import first_rows, header_of
    from nofluke.registry import FORMATS

    given = Given(str(path), path=path)
    if FORMATS[given.format()].facts["told_by"] != "text":
        return Inspection(())
    head = given.head()
    columns = tuple(header_of(head))[:_MOST]
    rows = [tuple(cell[:_LONGEST_CELL] for cell in row[:_MOST]) for row in first_rows(head, _FIRST_ROWS)]
    return Inspection(columns if len(set(columns)) == len(columns) else (), rows=tuple(rows))
