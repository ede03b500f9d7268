"""JSON: one object per line, an array of objects, or the columns of a table by name; errors name line and character."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.errors import InputError, listing
from nofluke.readers.aliases import is_alias, is_known_name
from nofluke.readers.columns import ABSENT, ValueColumn, table_of_columns
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.direction import is_metric_name
from nofluke.readers.given import Given
from nofluke.readers.numbers import shown
from nofluke.readers.table import Place, Table
from nofluke.registry import FORMATS
from nofluke.types import frozen, note
from nofluke.types.bounds import refuse_columns

_SHAPES = (
    'give an array of objects, [{"item": 1, "A": 0.5, "B": 0.4}, ...], one object per line, or equally long lists, '
    '{"A": [0.5, ...], "B": [0.4, ...]}.'
)
# So many times more outer keys than inner ones are items rather than systems.
_MANY_MORE = 3
# JSON, or what was meant as such: {x},{y} and [A],[B] and [1];[2] are headers.
_BEGINS = re.compile(
    r"""\{[ \t]*(?:["'}\r\n]|\w+\s*:|$)"""
    r"""|\[(?!\w+\][,;|\t])[ \t]*(?:[\[\]{"'\d.+\r\n-]|(?:true|false|null|none|nan|infinity)\b|$)""",
    re.IGNORECASE,
)
_HOLDS = ("scores", "ratings", "outputs", "p_values")


def _is_one_value(head: bytes) -> bool:
    """Whether a file is an array, or an object over several lines; several lines that begin alike are objects."""
    text = decode_head(head).lstrip()
    if not _BEGINS.match(text):
        return False
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


def _are_several(head: bytes) -> bool:
    return _BEGINS.match(decode_head(head).lstrip()) is not None and not _is_one_value(head)


@FORMATS.register(
    "jsonl",
    label="JSON lines",
    cite="jsonlines.org; RFC 8259",
    sniff=_are_several,
    begins=("{", "["),
    told_by="syntax",
    holds=_HOLDS,
)
def read_jsonl(given: Given, *, in_rows: bool = False) -> Table:
    """Read one JSON object per line, without blank ones; a lone object may hold columns, unless `in_rows`."""
    text = decode(given.load(), given.name)
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            objects.append(_object(line, given.name, number))
            lines.append(number)
    if len(objects) == 1 and not in_rows:
        if (table := _table_of_one(objects[0], given.name)) is not None:
            return table
        if not any(is_alias(role, key) for role in ("item", "output", "gold") for key in objects[0]):
            _refuse_list_within(objects[0], given.name)
    return _table("jsonl", objects, lines, given.name)


def _table_of_one(value: dict[str, Any], name: str) -> Table | None:
    """The table that one object is: {name: list}, {name: {row: cell}}, as pandas writes it, or {row: {name: cell}}."""
    if not value or not all(isinstance(cells, dict | list) for cells in value.values()):
        return None
    if (split := _split(value, name)) is not None:
        return split
    if len(value) == 1 and (members := _list_within(value)) is not None:
        return _table("json", value[members], None, name)
    if all(isinstance(cells, list) for cells in value.values()):
        _refuse_tables_within(value, name)
        return table_of_columns(value, "json", name)
    if any(isinstance(cells, list) for cells in value.values()):
        return None
    rows = list(dict.fromkeys(row for cells in value.values() for row in cells))
    shared = sum(map(len, value.values())) * 2 > len(rows) * len(value)
    if not shared or any(isinstance(cell, dict | list) for cells in value.values() for cell in cells.values()):
        return None
    if _are_items(list(value), rows):
        own = any(is_alias("item", column) for column in rows)
        return _table("json", [({} if own else {"item": row}) | cells for row, cells in value.items()], None, name)
    columns = {column: [cells.get(row, ABSENT) for row in rows] for column, cells in value.items()}
    if not any(is_alias("item", column) for column in columns):
        columns = {"item": list(rows)} | columns
    table = table_of_columns(columns, "json", name)
    unsure = len(value) > len(rows) > 1 and not _are_numbered(rows) and not any(map(is_known_name, value))
    return replace(table, notes=(note("read.inner_keys", inner=rows[0], outer=next(iter(value))),)) if unsure else table


def _refuse_tables_within(value: dict[str, Any], name: str) -> None:
    """Refuse a table of its own for each name: rows with ids are matched by these, and not by their place."""
    cells = [cell for one in value.values() for cell in one]
    if len(value) < 2 or not cells or not all(isinstance(cell, dict) for cell in cells):
        return
    if all(any(is_alias("item", key) for key in cell) for cell in cells):
        each = [f"jq '.[\"{key}\"]' FILE > {key}.json" for key in value]
        raise InputError(
            f"{_one_object(value)}, and each of them holds a table.",
            where=name,
            fix=f"give each as a file: {listing(each, 4)}.",
        )


def _list_within(value: dict[str, Any]) -> str | None:
    """The key of the only list of objects within an object, {"results": [{...}, ...]}."""
    found = [
        key
        for key, cells in value.items()
        if isinstance(cells, list) and cells and all(isinstance(cell, dict) for cell in cells)
    ]
    return found[0] if len(found) == 1 else None


def _are_items(outer: list[str], inner: list[str]) -> bool:
    """Whether the outer keys of objects within an object are items, {"q1": {"A": 1, "B": 0}, ...}, and not columns.

    So they are where they are numbered, or many more than the inner ones; metrics of many systems are just that.
    """
    if any(is_alias("item", key) for key in inner) and _are_numbered(outer):
        return True
    if len(outer) < len(inner) or any(map(is_known_name, outer)):
        return False
    if _are_numbered(outer) != _are_numbered(inner):
        return _are_numbered(outer)
    return len(outer) >= _MANY_MORE * len(inner) > _MANY_MORE and not all(map(is_metric_name, inner))


def _are_numbered(keys: list[str]) -> bool:
    """Whether keys are one word with different numbers: q1, q2, q3, or 0, 1, 2."""
    return all(re.search(r"\d$", key) for key in keys) and len({re.sub(r"\d+$", "", key) for key in keys}) == 1


def turned(table: Table) -> Table:
    """Give names with a number each, {"de": 0.01, "fr": 0.2}, as two columns without a header; else the same table."""
    if table.format not in ("json", "jsonl") or table.rows != 1:
        return table
    values = [table.columns[name].values_as_given()[0] for name in table.columns]
    if not all(isinstance(value, int | float | str) and not isinstance(value, bool) for value in values):
        return table
    return _headless({"key": list(table.columns), "value": values}, table.name)


def _headless(columns: dict[str, list[Any]], name: str) -> Table:
    return replace(table_of_columns(columns, "json", name), headed=False)


@FORMATS.register(
    "json",
    label="JSON",
    cite="RFC 8259; pandas: DataFrame.to_json",
    sniff=_is_one_value,
    begins=("{", "["),
    told_by="syntax",
    holds=_HOLDS,
)
def read_json(given: Given) -> Table:
    """Read an array of objects or of numbers, an object of columns, or columns and data (pandas' orient="split")."""
    text = decode(given.load(), given.name)
    if text.lstrip().startswith("{"):
        try:
            return _of_one_object(_parsed(text, "file", given.name)[0], given.name)
        except InputError as error:
            if "Extra data" in error.message:
                # The first of several objects is longer than the look that told them apart.
                return read_jsonl(given)
            raise
    if not text.lstrip().startswith("["):
        raise InputError("the file is not JSON.", where=f"{given.name} line 1", fix=_SHAPES)
    members = list(_members(text, given.name))
    if members and all(isinstance(value, int | float) for _, value in members):
        return _headless({"column 1": [value for _, value in members]}, given.name)
    objects, lines = [], []
    for number, value in members:
        if not isinstance(value, dict):
            what = "an array" if isinstance(value, list) else shown(value)
            raise InputError(
                f"the array holds {what}, not an object.", where=f"{given.name} line {number}", fix=_SHAPES
            )
        objects.append(value)
        lines.append(number)
    if not objects:
        raise InputError("the array is empty.", where=given.name, fix=_SHAPES)
    return _table("json", objects, lines, given.name)


def _of_one_object(whole: dict[str, Any], name: str) -> Table:
    if (found := _split(whole, name) or _table_of_one(whole, name)) is not None:
        return found
    if whole and not any(isinstance(cell, dict | list) for cell in whole.values()):
        return _table("json", [whole], None, name)
    _refuse_list_within(whole, name)
    raise InputError(f"{_one_object(whole)}, and not a table.", where=name, fix=_SHAPES)


def _split(whole: dict[str, Any], name: str) -> Table | None:
    """The table that names of columns and rows of data are; an index that does more than count the rows names items."""
    columns, data, index = whole.get("columns"), whole.get("data"), whole.get("index")
    if not isinstance(columns, list) or not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        return None
    objects = [_row(columns, row, f"{name}, row {number}") for number, row in enumerate(data, 1)]
    named = any(is_alias("item", str(column)) for column in columns)
    if isinstance(index, list) and len(index) == len(data) and index != list(range(len(data))) and not named:
        objects = [{"index": label} | row for label, row in zip(index, objects, strict=True)]
    return _table("json", objects, None, name)


def _refuse_list_within(whole: dict[str, Any], name: str) -> None:
    if (within := _list_within(whole)) is not None:
        fix = f"if the table is {within!r}, take it out: jq '.[\"{within}\"]' FILE > NEW.json."
        raise InputError(f"{_one_object(whole)}, and not a table.", where=name, fix=fix)


def _one_object(whole: dict[str, Any]) -> str:
    return f"the file is one JSON object (its keys: {listing(map(repr, whole), 6)})"


def first_members(text: str, name: str) -> list[Any]:
    """Give the members of an array that are whole in its beginning; none of anything else."""
    found: list[Any] = []
    if text.lstrip().startswith("["):
        with suppress(InputError):
            for _, value in _members(text, name):
                found.append(value)
    return found


def _members(text: str, name: str) -> Iterator[tuple[int, Any]]:
    """Give the members of an array, each with the line it begins on."""
    blank = re.compile(r"[\s,]*")
    at, line, counted_to = text.index("[") + 1, 1, 0
    while True:
        at = blank.match(text, at).end()  # type: ignore[union-attr]  # matches nothing too
        line, counted_to = line + text.count("\n", counted_to, at), at
        if text[at : at + 1] == "]":
            break
        value, at = _parsed(text, "array", name, line, at)
        yield line, value
    rest = text[at + 1 :].strip()
    if rest:
        raise InputError(
            "there is more after the end of the array.",
            where=f"{name} line {line + text.count(chr(10), counted_to, len(text) - len(rest))}",
            fix=_SHAPES,
        )


def _row(columns: list[Any], row: list[Any], where: str) -> dict[str, Any]:
    if len(row) != len(columns):
        raise InputError(f"the row has not {len(columns)} cells, as columns says.", where=where, fix=_SHAPES)
    return dict(zip(map(str, columns), row, strict=True))


def _table(format: str, objects: list[dict[str, Any]], lines: list[int] | None, name: str) -> Table:
    names: dict[str, None] = {}
    for number, entry in enumerate(objects):
        names |= dict.fromkeys(entry)
        refuse_columns(len(names), name if lines is None else f"{name} line {lines[number]}")
    if not names:
        raise InputError("the objects have no keys.", where=name, fix='write {"item": 1, "A": 0.5, "B": 0.4}.')
    place = Place(name, None if lines is None else frozen(lines, np.int64))
    columns = {key: ValueColumn([entry.get(key, ABSENT) for entry in objects], key, place) for key in names}
    pandas = f"read_json(FILE{', lines=True' * (format == 'jsonl')})"
    return Table(format, columns, len(objects), place, TEXT_DIGITS, pandas=pandas)


def _object(line: str, name: str, number: int) -> dict[str, Any]:
    value = [] if line.lstrip().startswith("[") else _parsed(line, "line", name, number)[0]
    if not isinstance(value, dict):
        what = "a JSON array" if isinstance(value, list) else shown(value)
        raise InputError(
            f"the line is {what}, not an object.",
            where=f"{name} line {number}",
            fix='write one object per line, such as {"item": 1, "A": 0.5, "B": 0.4} '
            '(jq -c ".[]" FILE splits an array).',
        )
    return value


def _parsed(text: str, what: str, name: str, number: int = 1, start: int | None = None) -> tuple[Any, int]:
    """Give the value of a line or file, or that of an array's member which begins at `start`, and where it ends."""
    where = name if what == "file" else f"{name} line {number}"
    fix = "write one complete JSON object per line." if what == "line" else _SHAPES
    try:
        if start is None:
            value, end = _DECODER.decode(text), len(text)
        else:
            value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        place = f"{where}, character {error.colno}" if what == "line" else f"{name} line {error.lineno}"
        whole = "line" if what == "line" else "file"
        raise InputError(f"the {whole} is not valid JSON: {error.msg}.", where=place, fix=fix) from None
    except InputError as error:
        raise InputError(error.message, where=where, fix=error.fix) from None
    except (RecursionError, ValueError) as error:
        how = "is nested too deep" if isinstance(error, RecursionError) else "holds a number of too many digits"
        flat = "write flat objects, and numbers of at most 15 digits."
        raise InputError(f"the {what} {how}.", where=where, fix=flat) from None
    # Text that no file can hold again: only an escape can write it.
    if "\\u" in text[start or 0 : end] and _has_lone_surrogate(value):
        raise InputError(
            f"the {what} holds half of a surrogate pair, which is no character.",
            where=where,
            fix="write the file anew as UTF-8; a character beyond \\uffff is two \\u escapes or none.",
        )
    return value, end


def _has_lone_surrogate(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _refuse_constant(word: str) -> NoReturn:
    raise InputError(f"{word} is not a number.", fix="write null where a score is missing; every score is finite.")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the key {shown(twice)} is there more than once.", fix="give every value its own key.")
    return entry


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
