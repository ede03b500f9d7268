"""A worker process: takes one job after the other from a pipe, reports progress, sends back the result as JSON."""

from __future__ import annotations

import inspect
import ipaddress
import json
import logging
import signal
import sys
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from nofluke.cluster import places_of
from nofluke.errors import InputError, NoflukeError, speaking_on
from nofluke.executors import using
from nofluke.options import EXECUTOR
from nofluke.types import Value
from nofluke.web.memory import is_want_of_memory, limit_this_process, too_much
from nofluke.web.safety import Limits

_REPORT_EVERY = 0.2  # seconds between two progress messages
_LONGEST_TITLE = 200
_LOG = logging.getLogger(__name__)

# An error that is ours and not the user's; the API answers it with 500.
INSIDE = {
    "message": "something went wrong inside.",
    "where": "",
    "fix": "report this, with what you did.",
    "kind": "inside",
}


def serve(connection: Connection, memory: int | None = None, cluster: str | None = None) -> None:
    """Work until the pipe closes, which it does when the server dies; `cluster` shares what is cut into chunks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which ends its workers
    stay_offline(frozenset() if cluster is None else places_of(cluster))
    _warm_up()
    if memory is not None:
        limit_this_process(memory)
    try:
        connection.send(("ready",))
        while True:
            action, request, files, limits, items = connection.recv()
            connection.send(_answer(action, request, files, _reporter(connection), limits, items, cluster))
    except (EOFError, OSError):
        return


def stay_offline(but: frozenset[tuple[str, int]] = frozenset()) -> None:
    """Let nothing in this process reach for the network: some tokenisers would fetch their model.

    The user was promised that nothing leaves the machine; what is on it already can be used. `but` holds the hosts and
    ports that whoever started the server has named.
    """
    by_name = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
    by_address = frozenset({"socket.connect", "socket.sendto"})

    def refuse(event: str, given: tuple[Any, ...]) -> None:
        # An address that is no tuple is a file of this machine.
        if event in by_name:
            reached = not (_is_number(given[0]) or given[:2] in but)
        else:
            reached = event in by_address and isinstance(given[1], tuple) and given[1][:2] not in but
        if reached:
            raise InputError("the web app fetches nothing from the network.")

    sys.addaudithook(refuse)


def _is_number(host: Any) -> bool:
    """Whether a host is given by its number, which nobody needs to be asked for; bytes of that length may be a name."""
    if not isinstance(host, str):
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _answer(
    action: str,
    request: Mapping[str, Any],
    files: Mapping[str, tuple[str, str]],
    progress: Callable[[int, int], None],
    limits: Limits,
    items: Path,
    cluster: str | None,
) -> tuple[str, ...]:
    from nofluke.web.actions import perform
    from nofluke.words import text_of

    try:
        with using(cluster if _takes_executor(action) else None):
            result = perform(action, request, files, progress, limits, items)
        told = json.dumps({"ok": True, **result.to_dict(), **text_of(result)}, allow_nan=False)
        return ("done", by_names(told, files), by_names(headline_of(result), files), by_names(title_of(result), files))
    except NoflukeError as error:
        return ("failed", by_names(json.dumps(error.to_dict("page")), files))
    except Exception as error:  # whatever else happens must not take the worker down
        if is_want_of_memory(error):
            return ("failed", json.dumps(too_much(limits.memory)))
        _LOG.exception("%s failed", action)
        said = {**INSIDE, "message": f"something went wrong inside: {type(error).__name__}."}
        return ("failed", json.dumps(said))


def _takes_executor(action: str) -> bool:
    import nofluke as nf

    verb = getattr(nf, action, None)
    return verb is not None and EXECUTOR in inspect.signature(verb).parameters


def by_names(said: str, files: Mapping[str, tuple[str, str]]) -> str:
    """A text that speaks of files by the names their users know; where they lie is nobody's business."""
    for path, name in files.values():
        said = said.replace(json.dumps(path)[1:-1], json.dumps(name)[1:-1]).replace(path, name)
    return said


def headline_of(result: Any) -> str:
    """The answer in one line, as the history shows it; only what any database takes."""
    from nofluke.words import answer

    with speaking_on("page"):
        made = answer(result) if isinstance(result, Value) else None
        said = str(result).partition("\n")[0] if made is None else made.verdict
    return said.encode("utf-8", "replace").decode("utf-8")


def title_of(result: Any) -> str:
    """What the result is about, as its report calls it; nothing where it has no report."""
    from nofluke.reports.build import BUILDERS, build
    from nofluke.words.at_a_glance import listed_title

    if type(result).__name__ not in BUILDERS:
        return ""
    title = listed_title(result, build(result).title)
    return title.encode("utf-8", "replace").decode("utf-8")[:_LONGEST_TITLE]


def _reporter(connection: Connection) -> Callable[[int, int], None]:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _REPORT_EVERY:
            last = now
            try:
                connection.send(("progress", done, total))
            except OSError:  # the server is dead: nobody waits for the rest
                raise SystemExit from None

    return report


def _warm_up() -> None:
    """Load what every comparison needs, so that the first user does not wait for it."""
    import nofluke as nf

    title_of(nf.compare([1.0, 2.0, 4.0, 3.5], [0.5, 2.5, 1.0, 3.0]))
