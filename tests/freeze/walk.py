"""The numbers of a result: field by field, down to the last one, without any words.

Words are free to change and fields free to come; a number that is here once stays, digit for digit. Names of methods
and of the user's own systems, datasets and labels are facts too and stand beside the numbers; sentences, verdicts and
remarks are left out.
"""

from __future__ import annotations

import dataclasses
import hashlib
import numbers
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from nofluke.registry import REGISTRIES

# Fields that hold prose, in whatever result they stand. Whatever is inside them is no fact.
PROSE = frozenset(
    {
        "notes",
        "headline",
        "sentences",
        "assumptions",
        "signature",
        "captions",
        "meanings",
        "citation",
        "citations",
        "charts",
        "reasons",
        "words",
        "alignment",
    }
)
# Fields whose strings are names: of registered methods, or of what the user brought.
NAMES = frozenset(
    {
        "adjust",
        "against",
        "annotators",
        "baseline",
        "categories",
        "datasets",
        "groups",
        "identified",
        "identified_by",
        "item",
        "method",
        "names",
        "out_of_order",
        "standing",
        "subset",
        "systems",
        "tests_run",
    }
)
# Such a field may also hold a description (how an interval was made); only what is registered is a name there.
REGISTERED = frozenset({"method", "tests_run"})
# Longer rows of numbers stand as one checksum; shorter ones number by number, so that a difference names its place.
LONGEST = 12


def numbers_of(value: Any) -> dict[str, str]:
    """Give every number and name of a value by its path, such as `test.interval.low`."""
    return dict(_walk(value, (), named=False))


def _walk(value: Any, path: tuple[str, ...], *, named: bool) -> Iterator[tuple[str, str]]:
    if isinstance(value, np.ndarray):
        yield from _array(value, path)
    elif isinstance(value, bool | np.bool_ | numbers.Real):
        yield _joined(path), written(value)
    elif isinstance(value, str):
        if named and (not REGISTERED.intersection(path[-2:]) or value in _registered()):
            yield _joined(path), f"'{value}'"
    elif isinstance(value, list | tuple) and len(value) > LONGEST and all(map(_is_number, value)):
        yield _joined(path), checksum([written(item) for item in value], (len(value),))
    else:
        for name, part in _parts(value):
            if name not in PROSE:
                yield from _walk(part, (*path, name), named=named or name in NAMES)


@cache
def _registered() -> frozenset[str]:
    return frozenset(name for registry in REGISTRIES.values() for name in registry.names())


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
    elif isinstance(value, Mapping):
        yield from ((str(name), part) for name, part in value.items())
    elif isinstance(value, list | tuple):
        yield from ((str(place), part) for place, part in enumerate(value))


def _array(value: np.ndarray, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if value.dtype.kind not in "fiub":
        return
    flat = value.ravel().tolist()
    if value.ndim == 1 and len(flat) <= LONGEST:
        yield from ((_joined((*path, str(place))), written(item)) for place, item in enumerate(flat))
    else:
        yield _joined(path), checksum([written(item) for item in flat], value.shape)


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | np.bool_ | numbers.Real)


def written(value: Any) -> str:
    """Every digit of a number; a numpy number reads like Python's own."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def checksum(row: list[str], shape: tuple[int, ...]) -> str:
    """The shape, the sum (for a machine that rounds otherwise) and the checksum of all digits."""
    total = sum(number for number in map(_plain, row) if number == number and abs(number) != np.inf)
    digest = hashlib.sha256(" ".join(row).encode()).hexdigest()[:24]
    return f"{'x'.join(map(str, shape))} sum {total!r} sha256 {digest}"


def _plain(text: str) -> float:
    return float(text) if text not in ("True", "False") else float(text == "True")


def _joined(path: tuple[str, ...]) -> str:
    return ".".join(path) or "value"
