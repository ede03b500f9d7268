"""Look at the beginning of a file and say what it is: format, delimiter, header."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass

from nofluke.readers.aliases import is_known_name
from nofluke.readers.decode import decode_head, without_frame
from nofluke.readers.numbers import BLANKS, meant_as_number
from nofluke.readers.trec import looks_like_trec

SAMPLE_LINES = 50
# Tried in this order: a comma in a file with semicolons is most likely a decimal comma.
DELIMITERS = ("\t", ";", "|", ",")
WHITE_SPACE = " "
ONE_COLUMN = ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text table is laid out; the delimiter is "" for one column and " " for runs of white space."""

    delimiter: str
    headed: bool

    @property
    def format(self) -> str:
        """The name of the format this dialect belongs to."""
        return {"\t": "tsv", WHITE_SPACE: "text", ONE_COLUMN: "text"}.get(self.delimiter, "csv")


def sniff_format(head: bytes) -> str:
    """Name the format of a file by its first bytes, never by its suffix; "csv" stands for any text table."""
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        return "inspect"
    text = decode_head(head).lstrip()
    if _begins_as_inspect_log(text):
        return "inspect"
    if looks_like_trec(text):
        return "trec"
    if text.startswith(("{", "[")):
        return "json" if _is_one_json_value(text) else "jsonl"
    return "csv"


def _begins_as_inspect_log(text: str) -> bool:
    start = text[:2000]
    return start.startswith("{") and all(f'"{key}"' in start for key in ("version", "status", "eval"))


def _is_one_json_value(text: str) -> bool:
    """An array, or an object over several lines; several lines that begin alike are objects of their own."""
    if re.match(r"\[\s*(\{|\]\s*$)|\{[ \t]*\r?\n", text):
        return True
    if f"\n{text[0]}" in text:
        return False
    try:
        json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        # A value that goes on below, the first of several columns, or of a whole table in one long line.
        return "\n" in text.rstrip() or re.match(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[\[{]', text) is not None
    return text.startswith("[") or re.match(r'\{\s*"columns"\s*:\s*\[', text) is not None


def sniff_dialect(head: bytes, delimiter: str | None = None) -> Dialect:
    """Find the delimiter (unless it is given) and whether the first line is a header."""
    lines = [line for line in _lines(without_frame(decode_head(head))) if line.strip()][:SAMPLE_LINES]
    if delimiter is None:
        delimiter = _delimiter_of(lines)
    elif delimiter == WHITE_SPACE and all(len(line.split()) == 1 for line in lines):
        delimiter = ONE_COLUMN
    rows = [split_line(line, delimiter) for line in lines[:2]]
    return Dialect(delimiter, bool(rows) and _is_header(rows))


def header_of(head: bytes) -> list[str]:
    """The names of columns in the first line of a text table; none where it has none."""
    dialect = sniff_dialect(head)
    first = next((line for line in _lines(without_frame(decode_head(head))) if line.strip()), "")
    return [cell.strip().strip('"') for cell in split_line(first, dialect.delimiter)] if dialect.headed else []


def split_line(line: str, delimiter: str) -> list[str]:
    """Split one line; a quoted cell with a line break in it is cut, which is good enough for a look."""
    if delimiter == ONE_COLUMN:
        return [line]
    if delimiter == WHITE_SPACE:
        return line.split()
    if line.count('"') % 2 or '"' not in line:
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _lines(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in io.StringIO(text, newline="")]


def _delimiter_of(lines: list[str]) -> str:
    if _are_numbers_between_spaces(lines):
        return WHITE_SPACE
    for delimiter in DELIMITERS:
        if _is_regular([len(split_line(line, delimiter)) for line in lines]):
            return delimiter
    # No delimiter gives a regular table: take the one of the first line, and let the reader name the odd line.
    first = lines[0] if lines else ""
    present = [d for d in DELIMITERS if d in first and 2 * sum(d in line for line in lines) >= len(lines)]
    if present:
        return max(present, key=first.count)
    return WHITE_SPACE if _is_regular([len(line.split()) for line in lines]) else ONE_COLUMN


def _are_numbers_between_spaces(lines: list[str]) -> bool:
    """Whether the first line is two or more numbers, spaces between them; the commas in 0,5 0,6 are decimal ones."""
    words = lines[0].split() if lines and "\t" not in lines[0] else []
    return len(words) > 1 and all(map(meant_as_number, words))


def _is_regular(widths: list[int]) -> bool:
    """Every line has the same number of fields; a header may have one less (row names, as R writes them)."""
    if len(widths) < 2:
        return bool(widths) and widths[0] > 1
    rest = set(widths[1:])
    return len(rest) == 1 and max(rest) > 1 and max(rest) - widths[0] in (0, 1)


def _is_header(rows: list[list[str]]) -> bool:
    cells = [cell.strip(BLANKS) for cell in rows[0]]
    if not any(cells):
        return False
    numeric = [meant_as_number(cell) for cell in cells if cell]
    if not any(numeric):
        return True
    return not all(numeric) and any(is_known_name(cell) for cell in cells)
