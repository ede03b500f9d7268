"""Look at the beginning of a file and say what it is: format, delimiter, header."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from nofluke.errors import InputError, unknown
from nofluke.readers.aliases import is_known_name
from nofluke.readers.decode import decode_head, without_frame
from nofluke.readers.numbers import BLANKS, meant_as_number
from nofluke.registry import FORMATS, Method

SAMPLE_LINES = 50
# Tried in this order: a comma in a file with semicolons is most likely a decimal comma.
DELIMITERS = ("\t", ";", "|", ",")
WHITE_SPACE = " "
ONE_COLUMN = ""
# A cell between spaces, in quotation marks as R writes names; marks that do not enclose a text are plain characters.
_WORD = re.compile(r'"(|[^"\s](?:[^"]*[^"\s])?)"(?=\s|$)|(\S+)')


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text table is laid out; the delimiter is "" for one column and " " for runs of white space."""

    delimiter: str
    headed: bool

    @property
    def format(self) -> str:
        """The name of the format this dialect belongs to."""
        return {"\t": "tsv", WHITE_SPACE: "text", ONE_COLUMN: "text"}.get(self.delimiter, "csv")


def format_names(question: str = "scores") -> tuple[str, ...]:
    """Name the formats that can hold the answer to a question (scores, ratings, outputs or p_values): tables first."""
    return tuple(one.name for one in sorted(_formats(question), key=lambda one: one.facts["gives"] == "logs"))


def check_format(format: str, question: str = "scores", *others: str) -> None:
    """Refuse a format that is none of those of a question, nor one of the other words."""
    known = ("auto", *others, *format_names(question))
    if format not in known:
        if Path(str(format)).exists():
            raise InputError(
                f"{str(format)!r} is a file where the name of a format is meant.",
                fix="give several files as a list: nf.read([FILE, FILE]).",
            )
        raise unknown("format", str(format), known)


def sniff_format(look: bytes | Path, question: str = "scores", name: str = "") -> str:
    """Name the format of a file by its first bytes, or of a folder by its path; never by the suffix of a name alone.

    A format whose lines any table could have needs the `name` that its harness gives to files besides. What is sure
    comes first: a mark at the beginning, then a layout that only one program writes, then the syntax of the whole, and
    at last any text; "csv" stands for any text table.
    """
    found = _sniffed(look, question, name)
    if found is None:
        raise LookupError(f"no format of {question} takes any text")
    return found.name


def marked_format(head: bytes) -> Method | None:
    """Give the format that a file has by the mark it begins with, if any: it need not be text."""
    return next((one for one in _beginning(_formats(), head) if _has_mark(one, head)), None)


def _has_mark(format: Method, head: bytes) -> bool:
    return format.facts["told_by"] == "mark" and bool(format.facts["sniff"](head))


def is_read_as_folder(path: Path) -> bool:
    """Whether a folder as a whole is a source that some format reads."""
    return _sniffed(path) is not None


def _sniffed(look: bytes | Path, question: str = "", name: str = "") -> Method | None:
    source = "folder" if isinstance(look, Path) else "file"
    able = [one for one in _formats(question) if one.facts["source"] == source and one.facts["sniff"] is not None]
    able = [one for one in able if one.facts["names"] is None or one.facts["names"].search(name)]
    told_by = FORMATS.facts["told_by"]
    able.sort(key=lambda one: told_by.index(one.facts["told_by"]))  # type: ignore[union-attr]  # a tuple of words
    asked = _beginning(able, look) if isinstance(look, bytes) else able
    return next((one for one in asked if one.facts["sniff"](look)), None)


def _beginning(formats: list[Method], head: bytes) -> list[Method]:
    """Those whose files may begin like this."""
    start = decode_head(head).lstrip()
    return [one for one in formats if not one.facts["begins"] or start.startswith(one.facts["begins"])]


def _formats(question: str = "") -> list[Method]:
    return [one for one in FORMATS if not question or question in one.facts["holds"]]


def sniff_dialect(head: bytes, delimiter: str | None = None) -> Dialect:
    """Find the delimiter (unless it is given) and whether the first line is a header."""
    lines = [line for line in _lines(without_frame(decode_head(head))) if line.strip()][:SAMPLE_LINES]
    if delimiter is None:
        delimiter = _delimiter_of(lines)
    elif delimiter == WHITE_SPACE and all(len(split_line(line, WHITE_SPACE)) == 1 for line in lines):
        delimiter = ONE_COLUMN
    rows = [split_line(line, delimiter) for line in lines[:2]]
    return Dialect(delimiter, bool(rows) and _is_header(rows))


def header_of(head: bytes) -> list[str]:
    """The names of columns in the first line of a text table; none where it has none."""
    dialect = sniff_dialect(head)
    first = next((line for line in _lines(without_frame(decode_head(head))) if line.strip()), "")
    return [cell.strip().strip('"') for cell in split_line(first, dialect.delimiter)] if dialect.headed else []


def first_rows(head: bytes, number: int) -> list[list[str]]:
    """The cells of the first lines of a text table as they are written, without its header; for a look at it."""
    dialect = sniff_dialect(head)
    lines = [line for line in _lines(without_frame(decode_head(head))) if line.strip()][dialect.headed :]
    return [[cell.strip() for cell in split_line(line, dialect.delimiter)] for line in lines[:number]]


def split_line(line: str, delimiter: str) -> list[str]:
    """Split one line; a quoted cell with a line break in it is cut, which is good enough for a look."""
    if delimiter == ONE_COLUMN:
        return [line]
    if delimiter == WHITE_SPACE:
        return [bare or quoted for quoted, bare in _WORD.findall(line)] if '"' in line else line.split()
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
    return WHITE_SPACE if _is_regular([len(split_line(line, WHITE_SPACE)) for line in lines]) else ONE_COLUMN


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
