"""Results that somebody shared as a JSON file: read, checked, and kept with the run that the file tells of."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from nofluke.errors import InputError, NoflukeError
from nofluke.reports.provenance import Run, run_from
from nofluke.types import Value
from nofluke.types.load import from_dict
from nofluke.web.picturing import Look, drawn, labels_of
from nofluke.web.store import Store
from nofluke.web.uploads import TooLargeError, readable_name
from nofluke.web.worker import headline_of

LARGEST_SHARED = 50 * 2**20
_CHOOSE = "choose a .json report."
_PROBABILITIES = frozenset({"p_value", "p_values", "adjusted"})
_LEVELS = frozenset({"alpha", "level"})


def take_in(store: Store, content: bytes, name: str) -> str:
    """Keep a result that came as a file, and give its id; what cannot be true or shown is refused."""
    if len(content) > LARGEST_SHARED:
        raise TooLargeError(f"the file is larger than {LARGEST_SHARED // 2**20} MB.", fix="use `nofluke report`.")
    called = readable_name(name or "shared result")
    try:
        value, run = _read(content)
        text = json.dumps({"ok": True, **value.to_dict(), "run": run.to_dict()}, allow_nan=False)
        # Half a surrogate pair can be escaped, but not shown.
        json.dumps([value.to_dict(), run.to_dict()], ensure_ascii=False).encode("utf-8")
        _show_once(value)
    except NoflukeError as error:
        raise InputError(error.message, where=called, fix=_CHOOSE) from None
    except Exception:  # whatever a damaged or made-up file leads to, it is no result
        raise InputError("this is no result that nofluke wrote.", where=called, fix=_CHOOSE) from None
    return store.add_finished("shared", called, text, headline_of(value))


def run_of(content: str) -> Run:
    """What a stored text says of the run behind it."""
    return run_from(json.loads(content).get("run"))


def _read(content: bytes) -> tuple[Value, Run]:
    data = json.loads(content, parse_constant=_no_number)
    if not isinstance(data, dict):
        raise TypeError("a result is an object")
    value = from_dict(data)
    for name, figure in _figures(data, ""):
        if not (0 <= figure <= 1 if name in _PROBABILITIES else 0 < figure < 1):
            raise InputError(f"{name} is {figure:g}, which cannot be.")
    if math.isnan(getattr(value, "alpha", 0.0)):
        raise InputError("alpha is missing.")
    return value, run_from(data.get("run"))


def _figures(value: Any, name: str) -> Iterator[tuple[str, float]]:
    """Every number that stands under a name that limits it, however deep."""
    if isinstance(value, Mapping):
        for key, found in value.items():
            yield from _figures(found, name if name in _PROBABILITIES else str(key))
    elif isinstance(value, list):
        for found in value:
            yield from _figures(found, name)
    elif isinstance(value, int | float) and not isinstance(value, bool) and name in _PROBABILITIES | _LEVELS:
        yield name, value


def _no_number(name: str) -> NoReturn:
    raise InputError(f"{name} stands where a number belongs.")


def _show_once(value: Value) -> None:
    """Make all that a page would show, now: what fails must not be found by whoever opens the page."""
    from nofluke.reports.build import build

    build(value)
    for name in labels_of(value):
        drawn(value, name, Look("json"))
