"""From the dictionary that `to_dict` gives back to the typed value: guided by the types of the fields."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.types.base import SCHEMA_VERSION, Value, frozen
from nofluke.types.notes import Note, note

# What stands beside a value's fields: the sentences are made anew from the facts.
_ENVELOPE = frozenset({"ok", "type", "schema", "run", "text"})
_INFINITIES = {"Infinity": math.inf, "-Infinity": -math.inf}
# Three types that are one today, by what each of them found: the second schema had them too at first.
PLANS = {"SampleSize": "n", "PlannedPower": "power", "DetectableEffect": "difference"}
_NOT_THIS = "give a result that nofluke wrote as JSON."


def kind_today(name: str) -> str:
    """The type that a value stored under this name has today."""
    return "PowerPlan" if name in PLANS else name


def from_dict(data: Mapping[str, Any], *, where: str = "") -> Value:
    """Give the value that `to_dict` described; null becomes nan again where a number is expected."""
    import nofluke.types

    name, schema = data.get("type"), data.get("schema")
    if schema not in (1, SCHEMA_VERSION) or isinstance(schema, bool):
        told = f"has schema {schema!r}; this nofluke reads schemas 1 and {SCHEMA_VERSION}."
        raise InputError(told, where=where, fix="update nofluke, or write the result again with this version.")
    asked = PLANS.get(name) if isinstance(name, str) else None
    kind: Any = getattr(nofluke.types, kind_today(name), None) if isinstance(name, str) else None
    if not _is_value(kind):
        raise InputError(f"holds a {name!r}, which is no result of nofluke.", where=where, fix=_NOT_THIS)
    body = {field: value for field, value in data.items() if field not in _ENVELOPE}
    if schema == 1:
        from nofluke.types.upgrade import upgraded

        body = upgraded(str(name), body)
    if asked is not None:
        body = {"power": body.get("target"), **body, "asked": asked}
    if "signature" in body and "call" not in body:
        from nofluke.types.upgrade_calls import with_calls

        body = with_calls(kind.__name__, body)
    value: Value = _value_of(kind, body, where)
    return value


def _is_value(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Value) and dataclasses.is_dataclass(kind)


@cache
def _hints(kind: type) -> dict[str, Any]:
    import nofluke.types

    # Types that name each other only for the type checker are known to the package.
    return typing.get_type_hints(kind, localns=vars(nofluke.types))


def _value_of(kind: type, data: Any, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise _wrong(where, f"a {kind.__name__}", data)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    unknown = [name for name in data if name not in fields]
    if unknown:
        raise InputError(f"a {kind.__name__} has no field {unknown[0]!r}.", where=where, fix=_NOT_THIS)
    required = [
        name
        for name, field in fields.items()
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    missing = [name for name in required if name not in data]
    if missing:
        raise InputError(f"a {kind.__name__} without {missing[0]!r} is not complete.", where=where, fix=_NOT_THIS)
    hints = _hints(kind)
    return kind(**{name: _convert(hints[name], value, f"{where}: {name}") for name, value in data.items()})


def _convert(hint: Any, value: Any, where: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is np.ndarray:
        return _array(arguments, value, where)
    if origin in (typing.Union, types.UnionType):
        return _one_of(arguments, value, where)
    if origin is tuple:
        return _tuple(arguments, value, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(arguments, value, where)
    if origin is typing.Literal:
        return value
    if hint is Note:
        return _note(value, where)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _value_of(hint, value, where)
    return _scalar(hint, value, where)


def _note(value: Any, where: str) -> Note:
    if not isinstance(value, Mapping) or set(value) != {"code", "facts"} or not isinstance(value["facts"], Mapping):
        raise _wrong(where, "a note with its code and facts", value)
    return note(_convert(str, value["code"], where), **_open(dict(value["facts"])))


def _scalar(hint: Any, value: Any, where: str) -> Any:
    if hint is Any:
        return _open(value)
    if hint is float:
        return _number(value, where)
    if hint in (int, str, bool) and type(value) is hint:
        return value
    raise _wrong(where, getattr(hint, "__name__", str(hint)), value)


def _number(value: Any, where: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, str) and value in _INFINITIES:
        return _INFINITIES[value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(where, "a number", value)
    return value  # a whole number stays one, as it was written


def _open(value: Any) -> Any:
    """A field of any type: lists become tuples, as values hold them; everything else stays."""
    if isinstance(value, list):
        return tuple(_open(item) for item in value)
    if isinstance(value, dict):
        if set(value) == {"code", "facts"}:
            return _note(value, "")
        return {name: _open(item) for name, item in value.items()}
    return _INFINITIES.get(value, value) if isinstance(value, str) else value


def _one_of(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in choices:
        return None
    problem: InputError | None = None
    for choice in choices:
        if choice is type(None):
            continue
        try:
            return _convert(choice, value, where)
        except InputError as error:
            problem = error
    raise problem or _wrong(where, "a value", value)


def _tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(where, "a list", value)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_convert(arguments[0], item, f"{where}[{at}]") for at, item in enumerate(value))
    if len(arguments) != len(value):
        raise _wrong(where, f"a list of {len(arguments)}", value)
    pairs = zip(arguments, value, strict=True)
    return tuple(_convert(hint, item, f"{where}[{at}]") for at, (hint, item) in enumerate(pairs))


def _mapping(arguments: tuple[Any, ...], value: Any, where: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(where, "a table of names and values", value)
    key, item = arguments or (str, Any)
    keys = {int: int, float: float}.get(key, str)
    return {keys(name): _convert(item, entry, f"{where}.{name}") for name, entry in value.items()}


def _array(arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    dtype = typing.get_args(arguments[1])[0] if len(arguments) > 1 and typing.get_args(arguments[1]) else np.float64
    try:
        if np.dtype(dtype).kind == "f":
            return frozen(np.array(_floats(value), dtype=dtype), dtype)
        return frozen(np.array(value, dtype=dtype), dtype)
    except (TypeError, ValueError):
        raise _wrong(where, "a list of numbers", value) from None


def _floats(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_floats(item) for item in value]
    return _number(value, "")


def _wrong(where: str, expected: str, value: Any) -> InputError:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return InputError(f"expected {expected}, found {shown}.", where=where, fix=_NOT_THIS)
