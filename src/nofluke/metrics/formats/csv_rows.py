"""Rows of a CSV or TSV file with the line each begins on; a quoted cell of a CSV file may hold line breaks."""

from __future__ import annotations

import csv

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines
from nofluke.types.bounds import refuse_columns


def csv_rows(lines: Lines) -> list[tuple[int, list[str]]]:
    """Split the lines that are not blank at tabs, or at commas where the first line has no tab."""
    if "\t" in lines.lines[0]:
        refuse_columns(lines.lines[0].count("\t") + 1, lines.where(0))
        return [(index, line.split("\t")) for index, line in enumerate(lines.lines) if line.strip()]
    reader = csv.reader((f"{line}\n" for line in lines.lines), strict=True)
    rows = []
    start = 0
    try:
        for row in reader:
            refuse_columns(len(row), lines.where(start))
            if len(row) > 1 or (row and row[0].strip()):
                rows.append((start, row))
            start = reader.line_num
    except csv.Error as error:
        raise _broken(error, lines, start) from None
    return rows


def _broken(error: csv.Error, lines: Lines, start: int) -> InputError:
    if "end of data" in str(error):
        return InputError(
            "a quoted cell begins in this row and never ends.",
            where=lines.where(start),
            fix="close the quotation mark, or remove it.",
        )
    if "field limit" in str(error):
        return InputError(
            f"a cell that begins in this row is longer than {csv.field_size_limit():,} characters.",
            where=lines.where(start),
            fix="check that quotation marks are closed.",
        )
    return InputError(
        f"the row cannot be split: {error}.", where=lines.where(start), fix='write a quote inside a cell as "".'
    )
