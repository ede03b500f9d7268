"""Text tables, line by line in plain Python: CSV, TSV, columns between spaces, and one number per line."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from typing import Literal

import numpy as np

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.errors import InputError, listing
from nofluke.readers.aliases import is_alias
from nofluke.readers.columns import TextColumn
from nofluke.readers.decode import decode, without_frame
from nofluke.readers.given import HEAD_BYTES, Given, empty_file
from nofluke.readers.numbers import BLANKS, meant_as_number, shown
from nofluke.readers.sniff import DELIMITERS, ONE_COLUMN, WHITE_SPACE, Dialect, sniff_dialect, split_line
from nofluke.readers.table import Place, Table, how_many
from nofluke.registry import FORMATS
from nofluke.types import Note, frozen, note
from nofluke.types.bounds import refuse_columns

Rows = list[list[str]]
# So many rows, title and subtitles, may stand above the names of columns.
_LONGEST_TITLE = 10
_NAMES = {"\t": "a tab", ",": "','", ";": "';'", "|": "'|'", WHITE_SPACE: "spaces"}


def _register(name: str, label: str, cite: str, delimiter: str | None = None, *, large: bool = False) -> None:
    """Register text tables with a delimiter; without one it is found by looking, and any text may be one."""

    def read(given: Given, *, texts: bool = False) -> Table:
        return read_delimited(given, delimiter, texts=texts)

    def fast(given: Given) -> Table:
        from nofluke.readers.bulk import read_bulk

        return read_bulk(given, delimiter)

    read.__doc__ = f"Read {label}."
    FORMATS.register(
        name,
        label=label,
        cite=cite,
        sniff=(lambda _: True) if delimiter is None else None,
        told_by="text",
        holds=("scores", "ratings", "outputs"),
        fast=fast if large else None,
    )(read)


_register("csv", "CSV", "RFC 4180", large=True)
_register("tsv", "TSV", "IANA text/tab-separated-values", "\t", large=True)
_register("text", "columns between spaces", "R: read.table", WHITE_SPACE)


def read_delimited(given: Given, delimiter: str | None = None, *, texts: bool = False) -> Table:
    """Read a text table; the delimiter is found by looking when it is not given.

    Broken quotation marks are plain characters where that gives a regular table; between commas not in a table of
    texts, whose cells they may belong to.
    """
    data = given.load()
    written = decode(data, given.name)
    text = without_frame(written)
    dialect = sniff_dialect(data[:HEAD_BYTES], delimiter)
    # Before all rows are split: a first line that cannot be a table's is quickly seen.
    refuse_columns(len(split_line(text.lstrip("\r\n").partition("\n")[0], dialect.delimiter)), given.name)
    rows, lines, notes = _split(text, dialect, given.name, lenient=not texts or dialect.delimiter == "\t")
    if not rows:
        raise empty_file(given.name)
    header = rows.pop(0) if dialect.headed else None
    header_line = lines.pop(0) if dialect.headed else 0
    if not rows:
        raise InputError(
            "there is only a header, and no rows.", where=f"{given.name} line {header_line}", fix="add rows of scores."
        )
    place = Place(given.name, frozen(lines, np.int64))
    width = len(header) if header is not None else len(rows[0])
    if header is not None and header[0].lstrip().startswith("#"):
        _refuse_comment(header, rows, dialect, f"{given.name} line {header_line}")
    if header is not None:
        where = f"{given.name} line {header_line}"
        _refuse_title(header, rows, lines, where)
        if dialect.delimiter == ONE_COLUMN and not texts:
            # A title without a delimiter hides that the lines below have one.
            for mark in DELIMITERS:
                _refuse_title(header, [row[0].split(mark) for row in rows], lines, where)
    if header is not None and _have_names(rows, header):
        header, width = ["", *header], width + 1
        notes += (note("read.row_names"),)
    _refuse_ragged(rows, width, place, dialect, header is not None)
    if header is None and dialect.delimiter == ",":
        _refuse_decimal_commas(rows, place)
    names, unnamed = column_names(header, width, f"{given.name} line {header_line}")
    cells = zip(*rows, strict=True)
    columns = {name: TextColumn(column, name, place) for name, column in zip(names, cells, strict=True)}
    made = Table(dialect.format, columns, len(rows), place, TEXT_DIGITS, header is not None, unnamed, notes)
    return replace(made, pandas=in_pandas(dialect.delimiter, written if written != text else ""))


def in_pandas(delimiter: str, framed: str = "") -> str:
    """Write how pandas reads such a text; of a drawn table what is between the bars, without the rule."""
    if framed.lstrip().startswith("|"):
        return r"read_csv(FILE, sep=r'\s*\|\s*', engine='python', dtype=str).iloc[1:, 1:-1]"
    if framed:
        return ""
    mark = {WHITE_SPACE: r"sep=r'\s+'", ",": "", ONE_COLUMN: ""}.get(delimiter, f"sep={delimiter!r}")
    return f"read_csv(FILE, {mark})" if mark else "read_csv(FILE)"


def column_names(header: list[str] | None, width: int, where: str) -> tuple[list[str], frozenset[str]]:
    """Give every column a name, and say which names the file does not give; a repeated name is refused."""
    # A name that a spreadsheet broke over two lines is one.
    given = [re.sub(r"\s*[\r\n]\s*", " ", name).strip(BLANKS) for name in header or [""] * width]
    names = [name or f"column {position}" for position, name in enumerate(given, 1)]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"the header names more than one column {listing(map(shown, twice), 3)}.",
            where=where,
            fix="give every column its own name.",
        )
    return names, frozenset(name for name, written in zip(names, given, strict=True) if not written)


def _split(text: str, dialect: Dialect, name: str, *, lenient: bool) -> tuple[Rows, list[int], tuple[Note, ...]]:
    """Give the rows that are not blank, with the line each begins on."""
    if dialect.delimiter in (ONE_COLUMN, WHITE_SPACE):
        found = [line.rstrip("\r\n") for line in io.StringIO(text, newline="")]
        if dialect.delimiter == ONE_COLUMN:
            # A blank line between numbers is a missing score: leaving it out would shift the items below it.
            while found and not found[-1].strip():
                found.pop()
            return [[line] for line in found], list(range(1, len(found) + 1)), ()
        kept = [(number, split_line(line, WHITE_SPACE)) for number, line in enumerate(found, 1) if line.strip()]
        return [row for _, row in kept], [number for number, _ in kept], ()
    try:
        rows, lines = _csv_rows(text, dialect.delimiter, csv.QUOTE_MINIMAL)
    except csv.Error as error:
        plain = _rows_without_quoting(text, dialect.delimiter) if lenient else None
        if plain is None:
            raise _bad_csv(error, text, dialect.delimiter, name) from None
        return *plain, (note("read.plain_quotes"),)
    return rows, lines, ()


def _csv_rows(text: str, delimiter: str, quoting: Literal[0, 3]) -> tuple[Rows, list[int]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
    rows: Rows = []
    lines: list[int] = []
    start = 1
    for row in reader:
        if len(row) > 1 or (row and row[0].strip()):
            rows.append(row)
            lines.append(start)
        start = reader.line_num + 1
    return rows, lines


def _rows_without_quoting(text: str, delimiter: str) -> tuple[Rows, list[int]] | None:
    try:
        rows, lines = _csv_rows(text, delimiter, csv.QUOTE_NONE)
    except csv.Error:
        return None
    return (rows, lines) if len({len(row) for row in rows}) == 1 else None


def _bad_csv(error: csv.Error, text: str, delimiter: str, name: str) -> InputError:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start = 1
    try:
        for _ in reader:
            start = reader.line_num + 1
    except csv.Error:
        pass
    where = f"{name} line {start}"
    if "field limit" in str(error):
        limit = f"a cell is longer than {csv.field_size_limit():,} characters."
        return InputError(limit, where=where, fix="check that quotation marks are closed, or leave that column out.")
    if "end of data" in str(error):
        return InputError("a quoted cell is not closed.", where=where, fix="close the quotation mark, or remove it.")
    return InputError(f"the line is not valid CSV ({error}).", where=where, fix='write a quote inside a cell as "".')


def _have_names(rows: Rows, header: list[str]) -> bool:
    """Whether each row begins with a name, as R writes them: beside a column of items only if these count the rows."""
    if len(header) < 2 or not all(len(row) == len(header) + 1 for row in rows):
        return False
    counted = [row[0].strip(BLANKS) for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    return counted or not any(is_alias("item", name) for name in header)


def _refuse_comment(header: list[str], rows: Rows, dialect: Dialect, where: str) -> None:
    """Refuse a first line that begins with # and has other fields than the rows, or names below it.

    "# item" may well name a column.
    """
    alone = dialect.delimiter == ONE_COLUMN and any(delimiter in rows[-1][0] for delimiter in DELIMITERS)
    named, *others = ([meant_as_number(cell) for cell in row] for row in rows[:2])
    if alone or any(len(row) != len(header) for row in rows) or (not any(named) and any(map(any, others))):
        raise first_is_comment(header[0], where)


def _refuse_title(header: list[str], rows: Rows, lines: list[int], where: str) -> None:
    """Refuse a first line of one text alone above a line that names columns, as spreadsheets have titles."""
    if sum(bool(cell.strip()) for cell in header) > 1:
        return
    filled = (at for at, row in enumerate(rows[:_LONGEST_TITLE]) if sum(bool(cell.strip()) for cell in row) > 1)
    at = next(filled, None)
    if at is None or len({len(row) for row in rows[at:]}) > 1 or any(map(meant_as_number, rows[at])):
        return
    if at + 1 < len(rows) and all(map(str.strip, rows[at][1:])) and any(map(meant_as_number, rows[at + 1])):
        raise InputError(
            f"this line seems to be a title ({shown(header[0])}), and line {lines[at]} to name the columns.",
            where=where,
            fix=f"delete the lines above it: tail -n +{lines[at]} FILE > NEW.",
        )


def first_is_comment(text: str, where: str) -> InputError:
    """The error of a comment where names of columns are looked for."""
    return InputError(
        f"the first line seems to be a comment ({shown(text)}), and not to name the columns.",
        where=where,
        fix="delete comments: grep -v '^#' FILE > NEW.",
    )


def _refuse_decimal_commas(rows: Rows, place: Place) -> None:
    """Refuse whole numbers in pairs of which the second cannot be one, or the first never changes: 0,05 and 0,5."""
    if len(rows[0]) != 2 or not all(cell.strip(BLANKS).isdecimal() for row in rows for cell in row):
        return
    odd = next((at for at, (_, second) in enumerate(rows) if len(second) > 1 and second.startswith("0")), None)
    if odd is None and len(rows) > 2 and len({first for first, _ in rows}) == 1:
        odd = next((at for at, (_, second) in enumerate(rows) if int(second) > 1), None)
    if odd is not None:
        raise InputError(
            f"{','.join(rows[odd])!r} may be one number or two.",
            where=place.of(odd),
            fix=f"use a decimal point for one ({'.'.join(rows[odd])}); for two, name the columns in a first line: A,B.",
        )


def _refuse_ragged(rows: Rows, width: int, place: Place, dialect: Dialect, headed: bool) -> None:
    if set(map(len, rows)) == {width}:
        return
    odd = [position for position, row in enumerate(rows) if len(row) != width]
    first = len(rows[odd[0]])
    delimiter = _NAMES.get(dialect.delimiter, repr(dialect.delimiter))
    raise InputError(
        f"{first} field{'s' * (first != 1)}, and the {'header' if headed else 'first line'} has {width} "
        f"(separated by {delimiter}).{how_many(len(odd), len(rows))}",
        where=place.of(odd[0]),
        fix=f"give every row {width} fields; write a cell that contains the delimiter in quotation marks."
        if dialect.delimiter in ",;|\t"
        else f"give every row {width} fields.",
    )
