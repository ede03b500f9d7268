"""Files, frames and plain tables of annotations to Ratings: wide, long, or counts of two annotators."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from nofluke.errors import Fix, InputError, named_as, unknown
from nofluke.option_groups import Layout, Rating
from nofluke.options import Format, stating
from nofluke.readers.aliases import RATING_ROLES
from nofluke.readers.columns import table_of_columns, with_inner
from nofluke.readers.frame import is_frame, read_frame
from nofluke.readers.given import given_from
from nofluke.readers.rating_columns import rating_roles
from nofluke.readers.rating_labels import SHAPE, code_labels, in_a_row
from nofluke.readers.rating_matrix import from_matrix
from nofluke.readers.roles import Roles, check_roles
from nofluke.readers.scores import open_table
from nofluke.readers.sniff import check_format
from nofluke.readers.table import Table
from nofluke.types import Ratings, Source
from nofluke.types.base import counted


@stating(Rating)
def read_ratings(
    source: Any,
    format: Format = "auto",
    *,
    item: str | Sequence[str] | None = None,
    annotator: str | Sequence[str] | None = None,
    label: str | None = None,
    keep: Sequence[str] = (),
    **stated: Any,
) -> Ratings:
    """Which annotator gave which label to which item?

    Parameters
    ----------
    source
        A path, "-" for standard input, or a pandas, polars or pyarrow frame.
    format
        auto (by content), csv, tsv, text (columns between spaces), jsonl, json or parquet; gzip is unpacked.
    layout
        wide (one row per item, one column per annotator), long (one row per rating), matrix (counts of the labels
        of two annotators), or auto, which never takes a table as a matrix.
    item, annotator, label
        Columns by name; what is not named is found by the usual names and shown in `source`. Several annotator
        columns ("ann,bob") choose those of a wide table.
    columns
        The same as one mapping: {"annotator": "worker", "label": "response"}.
    missing
        Texts that mean a missing rating, besides the empty cell.
    keep
        Columns of a wide table that are annotators although names such as text, comment or gold say otherwise.

    >>> import io
    >>> ratings = read_ratings(io.StringIO("item,ann,bob\\nq1,yes,yes\\nq2,no,\\n"))
    >>> ratings.annotators, ratings.categories, ratings.codes.tolist()
    (('ann', 'bob'), ('no', 'yes'), [[1, 1], [0, -1]])
    """
    how = Rating(format, **stated)
    if how.layout not in get_args(Layout):
        raise unknown("layout", str(how.layout), get_args(Layout))
    named: dict[str, Any] = {"item": item, "annotator": annotator, "label": label}
    named |= check_roles(how.columns or {}, RATING_ROLES)
    gaps = (how.missing,) if isinstance(how.missing, str) else tuple(how.missing)
    table = with_inner(_table(source, format), named)
    if how.layout == "matrix":
        return from_matrix(table)
    roles = rating_roles(table, how.layout, named, keep)
    described = roles.source(table, "item", "annotator", "label")
    if roles.one("label") is None:
        wide = _wide(table, roles, gaps, described)
        return replace(wide, notes=(*roles.notes, *wide.notes))
    return _long(table, roles, gaps, described)


def _table(source: Any, format: str) -> Table:
    check_format(format, "ratings")
    if is_frame(source):
        return read_frame(source)
    folder = isinstance(source, str | os.PathLike) and os.path.isdir(source)
    if folder or len(files := given_from(source)) > 1:
        raise InputError(
            "ratings come from one file.",
            where=os.fspath(source) if folder else "",
            fix="put the annotators into one table; files that hold one each, with pandas: "
            "concat([read_csv(f).assign(annotator=f) for f in FILES]).to_csv(NEW, index=False).",
        )
    try:
        return open_table(files[0], format, "ratings")
    except InputError as error:
        # The readers of files speak of scores.
        if "rows of scores" not in error.advice():
            raise
        fix = error.advice().replace("rows of scores", "rows of ratings")
        raise InputError(error.message, where=error.where, fix=fix) from None


def _wide(table: Table, roles: Roles, gaps: tuple[str, ...], described: Source | None) -> Ratings:
    columns = [table.columns[name].values_as_given() for name in roles.all("annotator")]
    items = table.joined(roles.all("item")) if roles.all("item") else None
    if items is not None and len(items.labels) < table.rows:
        twice = next(label for label, count in zip(items.labels, np.bincount(items.codes), strict=True) if count > 1)
        who, what = _perhaps_long(table, roles)
        raise table.error(
            f"item {twice!r} stands in more than one row.",
            fix=Fix(
                "give every item one row, or name the columns of a long table: ",
                named_as(annotator=who, label=what),
                ".",
            ),
        )
    names = tuple(items.labels) if items is not None else tuple(map(str, range(1, table.rows + 1)))
    arrays = [column for column in columns if isinstance(column, np.ndarray) and column.dtype.kind in "iuf"]
    if len(arrays) == len(columns):
        cells: Any = np.column_stack(arrays).ravel()
    else:
        cells = [cell for row in zip(*(_listed(column) for column in columns), strict=True) for cell in row]
    people = roles.all("annotator")
    return code_labels(cells, gaps, table.name).ratings(names, people, in_a_row(table.rows, len(people)), described)


def _perhaps_long(table: Table, roles: Roles) -> tuple[str, str]:
    """Say which of two columns would name annotators in a long table, and which hold labels."""
    people = roles.all("annotator")
    if len(people) == 2:
        for who, what in (people, people[::-1]):
            if table.columns[who].tally().filled == table.rows and table.differ([*roles.all("item"), who]):
                return who, what
    return "NAME", "NAME"


def _long(table: Table, roles: Roles, gaps: tuple[str, ...], described: Source) -> Ratings:
    person, label = (table.columns[roles.all(role)[0]] for role in ("annotator", "label"))
    items, people = table.joined(roles.all("item")), person.labels()
    coded = code_labels(label.values_as_given(), gaps, table.name)
    key = items.codes * len(people.labels) + people.codes
    order = np.argsort(key, kind="stable")
    doubled = np.flatnonzero(key[order][1:] == key[order][:-1])
    if len(doubled):
        row = int(order[doubled[0] + 1])
        who, what = people.labels[people.codes[row]], items.labels[items.codes[row]]
        more = f" {len(doubled):,} ratings are like this." if len(doubled) > 1 else ""
        taken = {name for names in roles.columns.values() for name in names}
        own = [*roles.all("item"), *roles.all("annotator")]
        able = (name for name in table.columns if name not in taken and not table.columns[name].tally().is_numeric)
        apart = next((name for name in able if _tells_apart(table, own, name)), "NAME")
        raise table.error(
            f"annotator {who!r} rated item {what!r} more than once.{more}",
            row=row,
            fix=Fix(
                "keep one rating of each annotator for each item; for ids that name an item only together: ",
                named_as(item=",".join((*roles.all("item"), apart)) if apart != "NAME" else "NAME,NAME"),
                ".",
            ),
        )
    places = items.codes[order], people.codes[order]
    return replace(coded, codes=coded.codes[order]).ratings(items.labels, people.labels, places, described)


def _tells_apart(table: Table, own: Sequence[str], name: str) -> bool:
    column = table.columns[name]
    return column.tally().filled == table.rows and not table.differ([name]) and table.differ([*own, name])


def as_ratings(data: Any, keep: Sequence[str] = ()) -> Ratings:
    """Give ratings as they are, or make them of items x annotators: lists, an array, a frame, {annotator: labels}."""
    if isinstance(data, Ratings):
        return data
    if is_frame(data):
        return read_ratings(data, keep=keep)
    if isinstance(data, str | bytes) or hasattr(data, "read") or hasattr(data, "__fspath__"):
        raise InputError("a path was given where ratings are expected.", fix="read it first: nf.read_ratings(path).")
    if isinstance(data, np.ndarray) and data.ndim != 2:
        raise InputError(f"the array has {data.ndim} dimension(s).", fix=SHAPE)
    if isinstance(data, np.ndarray) and data.dtype.kind in "iuf":
        names = [str(number) for number in range(1, len(data) + 1)]
        coded = code_labels(np.ascontiguousarray(data).ravel())
        return coded.ratings(names, _numbered(data.shape[1]), in_a_row(*data.shape))
    if not isinstance(data, Mapping):
        rows = _rows(data)
        data = dict(zip(_numbered(len(rows[0])), zip(*rows, strict=True), strict=True)) if rows else {}
    columns = {str(name): list(column) for name, column in data.items()}
    if len(set(map(len, columns.values()))) > 1:
        raise InputError("annotators have different numbers of ratings.", fix="write None where one is missing.")
    if not any(columns.values()):
        raise InputError("there are no ratings.", fix=SHAPE)
    table = table_of_columns(columns, "mapping", "ratings")
    return _wide(table, Roles({"annotator": tuple(columns)}), (), None)


def _rows(data: Any) -> list[Any]:
    try:
        rows = list(data)
    except TypeError:
        raise InputError(f"ratings cannot be made of {type(data).__name__}.", fix=SHAPE) from None
    for number, row in enumerate(rows, 1):
        if isinstance(row, str | bytes | Mapping) or not hasattr(row, "__len__"):
            raise InputError(f"row {number} is {str(row)[:40]!r}, not a list of ratings.", fix=SHAPE)
        if len(row) != len(rows[0]):
            raise InputError(
                f"row {number} has {counted(len(row), 'rating')}, and row 1 has {len(rows[0])}.", fix=SHAPE
            )
    return rows


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(f"annotator {number}" for number in range(1, count + 1))


def _listed(column: Any) -> Sequence[Any]:
    listed: Sequence[Any] = column.tolist() if isinstance(column, np.ndarray) else column
    return listed
