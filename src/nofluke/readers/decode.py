"""Bytes to text: UTF-8 with or without a byte order mark, and a clear word about anything else."""

from __future__ import annotations

import re

from nofluke.errors import InputError
from nofluke.readers.numbers import meant_as_number
from nofluke.registry import FORMATS
from nofluke.types.file_kinds import not_text

# Lines of delimiters alone, or of nothing, and the line below them.
_BARE = re.compile(r"((?:[ ,;|\t]*\r?\n)+)(.*)")
_CELL = re.compile(r"[,;|\t]")
_EXCEL = re.compile(r"\s*\"?sep=[\t,;|]\"?\r?\n")
# As Markdown has them, and databases: |---|---|, ----+----, +====+====+.
_RULE = re.compile(r"[|+]?(?:\s*:?[-=]+:?\s*[|+])+(?:\s*:?[-=]+:?\s*)?")
_BLANK = re.compile(r"\s*")
_EDGES = re.compile(r"^\s*\||\|\s*$")


def decode(data: bytes, name: str) -> str:
    """Give the text of a file; bytes that are not UTF-8 text are refused with their line."""
    other = not_text(data)
    if other is not None:
        # One NUL byte in a text is found by its line.
        line = f" line {_line_of(data, data.index(0))}" if other[0].startswith("binary") else ""
        raise InputError(f"the file is {other[0]}.", where=f"{name}{line}", fix=other[1])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text.",
            where=f"{name} line {_line_of(data, error.start)}",
            fix="save the file as UTF-8 (iconv -f LATIN1 -t UTF-8 IN > OUT).",
        ) from None


def tables_in_words() -> str:
    """Name the formats of any table, for advice.

    >>> tables_in_words()
    'CSV, TSV, columns between spaces, JSON lines, JSON or Parquet'
    """
    *others, last = (one.label for one in FORMATS if "outputs" in one.facts["holds"])
    return f"{', '.join(others)} or {last}"


def decode_head(head: bytes) -> str:
    """Give the complete lines of a file's first bytes, however they are encoded: only for a look."""
    text = head.decode("utf-8-sig", errors="replace")
    return text if len(head) < 1 << 16 else text[: text.rfind("\n") + 1] or text


def without_frame(text: str) -> str:
    """Take what is no cell off a text table: the word on its delimiter that Excel reads, lines of bare delimiters above
    the names of columns, the rules of drawn tables.

    Every line keeps its number.

    >>> without_frame("| a | b |\\n|---|---|\\n| 1 | 2 |\\n")
    ' a | b \\n\\n 1 | 2 \\n'
    """
    if _EXCEL.match(text):
        return without_frame(_EXCEL.sub("\n", text, count=1))
    bare = _BARE.match(text)
    # Above numbers such a line is an item that has no score.
    cells = _CELL.split(bare[2]) if bare and _CELL.search(bare[1]) else []
    if bare and any(cell.strip() for cell in cells) and not any(map(meant_as_number, cells)):
        return "\n" * bare[1].count("\n") + text[bare.end(1) :]
    if not _is_drawn(text):
        return text
    lines = ["" if _RULE.fullmatch(line.strip()) else _EDGES.sub("", line) for line in text.split("\n")]
    return "\n".join(lines)


def _is_drawn(text: str) -> bool:
    """Whether a rule is or follows the first line that is not blank; found by index, as lines may be very long."""
    start = _BLANK.match(text).end()  # type: ignore[union-attr]  # matches nothing too
    end = text.find("\n", start)
    if end < 0:
        return False
    if text[start] == "+" and _RULE.fullmatch(text[start:end].strip()):
        return True
    if text.find("|", start, end) < 0:
        return False
    after = text.find("\n", end + 1)
    return _RULE.fullmatch(text[end + 1 : after if after >= 0 else None].strip()) is not None


def _line_of(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
