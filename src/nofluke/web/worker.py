"""A worker process: takes one job after the other from a pipe, reports progress, sends back the result as JSON."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

_REPORT_EVERY = 0.2  # seconds between two progress messages


def serve(connection: Connection) -> None:
    """Work until the pipe closes, which it does when the server dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which ends its workers
    _warm_up()
    connection.send(("ready",))
    while True:
        try:
            action, request, files = connection.recv()
        except EOFError:
            return
        connection.send(_answer(action, request, files, _reporter(connection)))


def _answer(
    action: str, request: Mapping[str, Any], files: Mapping[str, tuple[str, str]], progress: Callable[[int, int], None]
) -> tuple[str, ...]:
    from nofluke.errors import NoflukeError
    from nofluke.web.actions import perform

    try:
        result = perform(action, request, files, progress)
        text = json.dumps({"ok": True, **result.to_dict()}, ensure_ascii=False, allow_nan=False)
        return ("done", text, _headline(result))
    except NoflukeError as error:
        return ("failed", json.dumps(error.to_dict()))
    except MemoryError:
        said = {"message": "there was not enough memory for this.", "where": "", "fix": "give fewer rows or systems."}
        return ("failed", json.dumps(said))
    except Exception as error:  # whatever else happens must not take the worker down
        said = {"message": f"something went wrong inside: {type(error).__name__}.", "where": "", "fix": "report this."}
        return ("failed", json.dumps(said))


def _headline(result: Any) -> str:
    return str(getattr(result, "headline", "")) or str(result).partition("\n")[0]


def _reporter(connection: Connection) -> Callable[[int, int], None]:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _REPORT_EVERY:
            last = now
            connection.send(("progress", done, total))

    return report


def _warm_up() -> None:
    """Load what every comparison needs, so that the first user does not wait for it."""
    import nofluke as nf

    nf.compare([1.0, 2.0, 4.0, 3.5], [0.5, 2.5, 1.0, 3.0])
