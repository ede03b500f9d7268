"""Results that somebody shared as a report: read, checked, and kept with the run that the file tells of."""

from __future__ import annotations

import json
import math

from nofluke.errors import InputError, NoflukeError
from nofluke.reports.plain import parsed
from nofluke.reports.provenance import Run, run_from
from nofluke.types import Value
from nofluke.web.pictures import Look, labels_of, picture_bytes
from nofluke.web.store import Store
from nofluke.web.uploads import TooLargeError, readable_name
from nofluke.web.worker import headline_of

LARGEST_SHARED = 50 * 2**20
_CHOOSE = "choose a .json or .html report."
HEAD = 2**12  # bytes that tell a report from data
_WRITTEN_HERE = b'<meta name="generator" content="nofluke'


def is_report(head: bytes) -> bool:
    """Whether a file that begins like this is a page that nofluke wrote, not data."""
    return _WRITTEN_HERE in head


def take_in(store: Store, content: bytes, name: str) -> str:
    """Keep a result that came as a file, and give its id; what cannot be true or shown is refused."""
    if len(content) > LARGEST_SHARED:
        raise TooLargeError(f"the file is larger than {LARGEST_SHARED // 2**20} MB.", fix="use `nofluke report`.")
    called = readable_name(name or "shared result")
    try:
        value, run = _read(content, called)
        text = json.dumps({"ok": True, **value.to_dict(), "run": run.to_dict()}, allow_nan=False)
        # Half a surrogate pair can be escaped, but not shown.
        json.dumps([value.to_dict(), run.to_dict()], ensure_ascii=False).encode("utf-8")
        _show_once(value)
    except NoflukeError as error:
        raise InputError(error.message, where=error.where, fix=_CHOOSE) from None
    except Exception:  # whatever a damaged or made-up file leads to, it is no result
        raise InputError("this is no result that nofluke wrote.", where=called, fix=_CHOOSE) from None
    return store.add_finished("shared", called, text, headline_of(value))


def run_of(content: str) -> Run:
    """What a stored text says of the run behind it."""
    return run_from(json.loads(content).get("run"))


def _read(content: bytes, name: str) -> tuple[Value, Run]:
    value, run = parsed(content.decode("utf-8"), name)
    if not math.isfinite(getattr(value, "alpha", 0.0)):
        raise InputError("alpha is missing, so nofluke did not write this.", where=name)
    return value, run


def _show_once(value: Value) -> None:
    """Make all that a page would show, now: what fails must not be found by whoever opens the page."""
    from nofluke.reports.build import build

    build(value)
    for name in labels_of(value):
        picture_bytes(value, name, Look("json"))
