"""JSON lines: one object per line, keys are columns; errors name the line and the character."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import numpy as np

from nofluke.align.decimals import TEXT_DIGITS
from nofluke.errors import InputError
from nofluke.readers.columns import ABSENT, ValueColumn
from nofluke.readers.decode import decode
from nofluke.readers.given import Given
from nofluke.readers.numbers import shown
from nofluke.readers.table import Place, Table
from nofluke.types import frozen
from nofluke.types.bounds import refuse_columns


def read_jsonl(given: Given) -> Table:
    """Read one JSON object per line; blank lines are skipped."""
    text = decode(given.load(), given.name)
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    names: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            objects.append(_object(line, f"{given.name} line {number}"))
            lines.append(number)
            names |= dict.fromkeys(objects[-1])
            refuse_columns(len(names), f"{given.name} line {number}")
    if not names:
        raise InputError("the objects have no keys.", where=given.name, fix='write {"item": 1, "A": 0.5, "B": 0.4}.')
    place = Place(given.name, frozen(lines, np.int64))
    columns = {name: ValueColumn([entry.get(name, ABSENT) for entry in objects], name, place) for name in names}
    return Table("jsonl", columns, len(objects), place, TEXT_DIGITS)


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except _Refused as refused:
        raise InputError(refused.message, where=where, fix=refused.fix) from None
    except json.JSONDecodeError as error:
        if line.lstrip().startswith("["):
            raise _not_an_object("a JSON array", where) from None
        raise InputError(
            f"the line is not valid JSON: {error.msg}.",
            where=f"{where}, character {error.colno}",
            fix="write one complete JSON object per line.",
        ) from None
    except (RecursionError, ValueError) as error:
        what = "is nested too deep" if isinstance(error, RecursionError) else "holds a number of too many digits"
        raise InputError(f"the line {what}.", where=where, fix="write one flat JSON object per line.") from None
    if "\\u" in line and _has_lone_surrogate(value):
        raise InputError(
            "the line holds half of a surrogate pair, which is no character.",
            where=where,
            fix="write the file anew as UTF-8; a character beyond \\uffff is two \\u escapes or none.",
        )
    if not isinstance(value, dict):
        raise _not_an_object("a JSON array" if isinstance(value, list) else shown(value), where)
    return value


def _has_lone_surrogate(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _not_an_object(what: str, where: str) -> InputError:
    return InputError(
        f"the line is {what}, not an object.",
        where=where,
        fix='write one object per line, such as {"item": 1, "A": 0.5, "B": 0.4} (jq -c ".[]" FILE splits an array).',
    )


class _Refused(Exception):  # noqa: N818 (carries the words of an InputError out of the parser)
    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


def _refuse_constant(word: str) -> NoReturn:
    raise _Refused(f"{word} is not a number.", "write null where a score is missing; every score is finite.")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"the key {shown(twice)} is there more than once.", "give every value its own key.")
    return entry
