"""Tables of outputs and gold: when a file is one and not lines of text, and which of its columns holds what."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from nofluke.errors import By, Fix, InputError, listing, named_as
from nofluke.readers.aliases import (
    DATASET,
    EITHER,
    GOLD,
    ITEM,
    OUTPUT,
    SOURCE,
    SYSTEM,
    is_alias,
    is_never_score,
    is_numbered_gold,
    is_size,
    names,
    normal,
)
from nofluke.readers.columns import objects_of, table_of_columns
from nofluke.readers.decode import decode_head
from nofluke.readers.formats.delimited import read_delimited
from nofluke.readers.formats.jsonl import first_members, read_json, read_jsonl, turned
from nofluke.readers.given import HEAD_BYTES, Given, opened
from nofluke.readers.numbers import meant_as_number
from nofluke.readers.roles import Roles, Search
from nofluke.readers.sniff import DELIMITERS, ONE_COLUMN, format_names, split_line
from nofluke.readers.table import Table
from nofluke.registry import FORMATS

# What a file is that has no columns: every line is an output.
LINES = "lines"
_WORDS, _SENTENCE = names("token tokens word words form", "sentence sentence_id sent sent_id sentence_number")
# Ids by name before columns that may hold what a system was given; tags of tokens are put together by sentence first.
_ITEM = (*ITEM[:3], ITEM[4], ITEM[3])
_SENTENCES = (_SENTENCE, *_ITEM)
_SAID = frozenset.union(EITHER, *GOLD, *OUTPUT)
_KNOWN = frozenset.union(_SAID, SOURCE, _WORDS, *ITEM, *SYSTEM, *DATASET)
# So many lines with as many commas each are hardly prose.
_ENOUGH_LINES = 10
# A line with so many commas is none either.
_WIDE, _VERY_WIDE = 20, 1_000


def table_of(given: Given, format: str, kind: str, wanted: Collection[str], role: str) -> Table | None:
    """Read a table, or give None where the file holds lines; what may be either is refused.

    Content decides: JSON objects, Parquet, or a first line of names, of which one is known or among the `wanted`.
    """
    if format == LINES or (kind == "trees of words" and format == "auto"):
        return None
    if format != "auto":
        return _read_as(format, given)
    try:
        head = given.head()
    except InputError:
        # Whoever reads the lines says what is wrong with the file.
        return None
    text = decode_head(head).lstrip("\r\n")
    if not text.strip():
        return None
    found = given.format("outputs")
    if FORMATS[found].facts["told_by"] in ("mark", "layout"):
        return _read_as(found, given)
    if found == "json" and re.match(r'\[\s*\{|\{\s*"(?:[^"\\]|\\.)*"\s*:', text):
        return _by_id(read_json(given), wanted, role)
    if (first := _first_object(text)) is not None:
        # The lists of a lone sentence hold its tags.
        return _by_id(read_jsonl(given, in_rows=kind == "tags" and not _lists_sentences(first)), wanted, role)
    lines = [line.rstrip("\r") for line in text.split("\n")]
    delimiter = _header_delimiter(lines, wanted, role)
    if delimiter is not None:
        return read_delimited(given, delimiter, texts=True)
    _refuse_nameless_columns(given, lines, kind, role)
    return None


def _by_id(table: Table, wanted: Collection[str], role: str) -> Table:
    """The table that ids with an answer each are, {"q1": "Paris", "q2": "Rome"}; else the same table."""
    if any(normal(name) in _KNOWN or name in wanted for name in table.columns):
        return table
    by_id = turned(table)
    if by_id is table or table.rows == by_id.rows:
        return table
    key, value = by_id.columns.values()
    return table_of_columns({"item": key.values_as_given(), role: value.values_as_given()}, "json", table.name)


def _read_as(format: str, given: Given) -> Table:
    method = FORMATS[format]
    table: Table = method.function(given, **({"texts": True} if "texts" in method.option_names() else {}))
    return table


def _first_object(text: str) -> dict[str, Any] | None:
    """Give the JSON object that a file of JSON lines begins with, alone on its line."""
    first = [line for line in text.split("\n", _ENOUGH_LINES)[:_ENOUGH_LINES] if line.strip()]
    if not all(line.startswith("{") for line in first):
        return None
    try:
        found = json.loads(first[0])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _lists_sentences(value: Mapping[str, Any]) -> bool:
    """Whether lists are columns, whose cells are sentences: a tag, unlike a word, has no blanks."""
    lists = [cells for name, cells in value.items() if isinstance(cells, list) and normal(name) not in _WORDS]
    return any(isinstance(cell, list) or len(str(cell).split()) > 1 for cells in lists for cell in cells)


def _header_delimiter(lines: list[str], wanted: Collection[str], role: str) -> str | None:
    """Give what separates the names in the first line, where they are names of columns."""
    below = [line for line in lines[1:] if line.strip()]
    for delimiter in DELIMITERS:
        cells = [cell.strip() for cell in split_line(lines[0], delimiter)]
        known = _names_known(cells, wanted) if len(cells) > 1 else 0
        # One such word may begin a prose; then all lines must have as many fields.
        if known > (not _is_regular(lines, delimiter)) and not _comes_again(cells, below, delimiter):
            return delimiter
        numbered = any(name.isdigit() and int(name) <= len(cells) for name in wanted)
        if len(cells) > 1 and numbered and _is_regular(lines, delimiter):
            return delimiter
    only = lines[0].strip()
    is_name = normal(only) in _SAID or (role == "output" and only in wanted)
    return ONE_COLUMN if below and is_name and not _comes_again([only], below, ONE_COLUMN) else None


def _names_known(cells: list[str], wanted: Collection[str]) -> int:
    """Count the cells that are names of columns, known or wanted; none where the line cannot be a header."""
    filled = [cell for cell in cells if cell]
    if len(set(filled)) < len(filled) or len(cells) - len(filled) > 1:
        return 0
    if any(re.match(r"[-+.]?\d", cell) for cell in filled):
        return 0
    return sum(
        normal(cell) in _KNOWN or is_numbered_gold(cell) or cell in wanted or cell.casefold() in wanted
        for cell in filled
    )


def _comes_again(names: list[str], lines: list[str], delimiter: str) -> bool:
    """Whether a name stands in its column below too: then it is a token, a tag or a label, and no name."""
    for line in lines:
        cells = [cell.strip() for cell in split_line(line, delimiter)]
        if len(cells) == len(names) and any(one and one == other for one, other in zip(names, cells, strict=True)):
            return True
    return False


def _is_regular(lines: list[str], delimiter: str) -> bool:
    widths = {len(split_line(line, delimiter)) for line in lines if line.strip()}
    return len(widths) == 1 and max(widths) > 1


def _refuse_nameless_columns(given: Given, lines: list[str], kind: str, role: str) -> None:
    """Refuse columns of which none is named: taken as lines they would be scored with their ids and separators."""
    if kind in ("tags", "answers"):
        return
    filled = [line for line in lines[:200] if line.strip()]
    for delimiter in DELIMITERS:
        width = len(split_line(filled[0], delimiter))
        enough = 2 if delimiter == "\t" or width >= _WIDE else _ENOUGH_LINES
        if len(filled) < (1 if width >= _VERY_WIDE else enough) or f"{delimiter} " in filled[0]:
            continue
        if _is_regular(filled, delimiter):
            # What is wrong with the file as a whole comes first.
            read_delimited(given, delimiter, texts=True)
            raise which_column(split_line(filled[0], delimiter), role, f"{given.name} line 1")


def which_column(names: Sequence[str], role: str, where: str) -> InputError:
    """The error of a table whose column of outputs or of gold is not clear."""
    what = "predictions" if role == "output" else "gold labels"
    beside = ("call the system like its column", By(" ({NAME: FILE})", " (NAME=FILE)"), ", or ")
    return InputError(
        f"which column holds the {what}? The first line has {listing(names)}.",
        where=where,
        fix=Fix(
            *(beside if role == "output" else ()),
            "name it: ",
            named_as(**{role: "NAME"}),
            By("; format='lines' takes every line as it is", "; --input-format lines takes every line as it is"),
            ".",
        ),
    )


def output_roles(table: Table, asked: Mapping[str, Any], kind: str, *, alone: bool = False) -> Roles:
    """Find the columns of a table of outputs or gold.

    Where no column is named as an output, the role "candidate" has all that may be a system's; "words" are tokens. A
    column called label or answer is the output, or gold if `alone`: no gold is given elsewhere, and others are like it.
    """
    search = Search(table, asked)
    search.found["words"] = [name for name in search.free if normal(name) in _WORDS][:1]
    search.settle("system", lambda name: not search.is_numeric(name))
    search.settle("gold", take="all")
    if not search.has("gold"):
        search.found["gold"] = [name for name in search.free if is_numbered_gold(name)]
    # Beside a premise, a hypothesis is what a system was asked about.
    about = "hypothesis" if any(normal(name) == "premise" for name in search.free) else ""
    search.settle("output", lambda name: normal(name) != about, take="all")
    either = [name for name in search.free if normal(name) in EITHER]
    if either and search.has("gold") != search.has("output"):
        search.found["output" if search.has("gold") else "gold"] = either
    search.settle("dataset", take="all")
    search.settle("run")
    search.settle_item(_SENTENCES if kind == "tags" else _ITEM, lambda name: not _holds_sentences(table, name))
    search.settle("cluster")
    search.note_groups()
    if not search.has("output"):
        others = [name for name in search.free if name not in either and _may_be_output(search, name, kind)]
        if alone and len(either) == 1 and any(_is_like(table, name, either[0], kind) for name in others):
            search.found["gold"] = either
        plain = [name for name in others if not objects_of(table.columns[name])] or others
        search.found["candidate"] = either if either and not search.has("gold") else plain
    return search.roles()


def _is_like(table: Table, name: str, gold: str, kind: str) -> bool:
    """Whether a column may hold outputs for what another holds as gold: its labels, or other texts."""
    cells = [cell.strip() for cell in table.texts(name) if cell]
    if kind in ("labels", "tags"):
        known = {(cell or "").strip() for cell in table.texts(gold)}
        return bool(cells) and 2 * sum(cell in known for cell in cells) >= len(cells)
    return kind == "numbers" or not table.columns[name].tally().is_numeric


def outputs_in(roles: Roles) -> tuple[str, ...]:
    """The columns that hold outputs, or may do so where none is named like one."""
    return roles.all("output") or roles.all("candidate")


def gold_columns(roles: Roles, table: Table) -> tuple[str, ...]:
    """The column of gold, or columns of several references; a lone column is no choice, whatever it is called."""
    found = roles.all("gold") or tuple(name for name in table.columns if normal(name) in EITHER)
    if not found and not roles.all("output"):
        found = roles.all("candidate") if len(roles.all("candidate")) == 1 else lone_column(roles, table)
    if len(found) == 1 or (found and ("gold" in roles.asked or all(map(is_numbered_gold, found)))):
        return found
    raise which_column(tuple(table.columns), "gold", first_line(table))


def gold_beside_outputs(source: Any, kind: str, systems: Sequence[str], format: str) -> bool:
    """Whether a file is a table of outputs that also has gold, and not a table of scores: its first rows tell."""
    try:
        given = opened(source)
        if "outputs" not in FORMATS[given.format()].facts["holds"]:
            return False
        named = format if format in (LINES, *format_names("outputs")) else "auto"
        table = table_of(_beginning(given), named, kind, systems, "output")
        if table is None or any(is_alias("metric", name) for name in table.columns):
            return False
        roles = output_roles(table, {}, kind, alone=True)
    except InputError:
        return False
    return bool(roles.all("gold")) and bool(outputs_in(roles))


def _beginning(given: Given) -> Given:
    """The header and first rows of a large text table as a file of their own; else the file itself."""
    head = given.head()
    found = given.format("outputs")
    if len(head) < HEAD_BYTES or FORMATS[found].facts["told_by"] in ("mark", "layout"):
        return given
    if found == "json":
        first = first_members(head.decode("utf-8-sig", "ignore"), given.name)
        rows = json.dumps(first).encode() if first else b""
    else:
        rows = _whole_rows(head, quoted=found != "jsonl")
    return Given(given.name, given.system, _data=rows) if rows else given


def _whole_rows(head: bytes, *, quoted: bool) -> bytes:
    """Cut after the last row that is whole, not within a quoted cell; nothing where no row below the first is."""
    last = end = head.rfind(b"\n")
    quotes = head.count(b'"', 0, end + 1) if quoted else 0
    while quotes % 2 and end > 0:
        before = head.rfind(b"\n", 0, end)
        quotes -= head.count(b'"', before + 1, end)
        end = before
    # Quotation marks that never match are characters of the text.
    rows = head[: (end if end > 0 else last) + 1]
    return rows if len([line for line in rows.split(b"\n") if line.strip()]) > 1 else b""


def lone_column(roles: Roles, table: Table) -> tuple[str, ...]:
    """The only column beside those that say what a row is; empty where there are several."""
    labels = {name for role in ("item", "system", "dataset", "run", "cluster") for name in roles.all(role)}
    others = tuple(name for name in table.columns if name not in labels)
    return others if len(others) == 1 else ()


def first_line(table: Table) -> str:
    """Name the place of a table's header."""
    return f"{table.name} line 1" if table.place.lines is not None else table.name


def _holds_sentences(table: Table, name: str) -> bool:
    """Whether a column that may be called after what a system was given holds just that, and no ids."""
    return normal(name) in ITEM[3] and any(" " in (cell or "") for cell in table.texts(name))


def _may_be_output(search: Search, name: str, kind: str) -> bool:
    told = is_size(name) and (search.is_numeric(name) or normal(name).endswith(("_id", "_ids")))
    if told or normal(name) in SOURCE or name in search.table.unnamed:
        return False
    if kind != "numbers":
        return True
    cells = [cell for cell in search.table.texts(name) if cell]
    return 2 * sum(map(meant_as_number, cells)) >= len(cells) and not is_never_score(name)
