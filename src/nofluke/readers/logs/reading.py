"""What readers of logs share: JSON with its place in the file, and a field within it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from nofluke.errors import Fix, InputError, listing, named_as


def load_json(text: str, name: str, line: int = 0) -> Any:
    """Read JSON, in which harnesses write the bare words NaN and Infinity; `line` is where the text stands."""
    try:
        return json.loads(text)
    except RecursionError:
        where = f"{name} line {line}" if line else name
        raise InputError("the JSON is nested too deep.", where=where, fix="give the file as it was written.") from None
    except json.JSONDecodeError as error:
        broken_off = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated string")
        ends = "ends too early" if broken_off else "is not JSON"
        raise InputError(
            f"the log {ends} ({error.msg}, column {error.colno}).",
            where=f"{name} line {line or error.lineno}",
            fix="copy the file again; a run that was broken off has to be finished first.",
        ) from None
    except ValueError:
        # Python reads whole numbers of some thousand digits at most.
        where = f"{name} line {line}" if line else name
        raise InputError("a number has too many digits.", where=where, fix="give the file as it was written.") from None


def within(value: Any, *keys: str) -> Mapping[str, Any]:
    """Give the mapping that lies within others; an empty one where there is something else, or nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def field_of(record: Mapping[str, Any], path: str, name: str, line: int) -> str:
    """Give the text of a field of a record, such as doc.passage."""
    value: Any = record
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            known = [str(one) for one in value] if isinstance(value, Mapping) else []
            raise InputError(
                f"there is no field {path!r}.",
                where=f"{name} line {line}" if line else name,
                fix=Fix(f"fields there: {listing(known)}; name one: ", named_as(cluster="NAME"), "."),
            )
        value = value[key]
    return str(value)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number; truth values are 0 and 1."""
    # A whole number may be too large for what is computed with.
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max
