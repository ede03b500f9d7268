"""A Dask cluster as those who run the chunks: one on this machine, or a scheduler that runs already."""

from __future__ import annotations

import logging
import platform
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from nofluke import __version__
from nofluke.errors import InputError, MissingExtra

LOCAL = "dask"
# A scheduler that does not answer for so long is not there.
_SECONDS = 10
_LOGGER = logging.getLogger("distributed")


def crew_at(address: str) -> Crew:
    """Find the cluster at an address, and see that its workers can do our work."""
    try:
        import distributed
    except ImportError:
        raise MissingExtra("a cluster needs Dask.", fix="pip install 'nofluke[cluster]'") from None
    dask: Any = distributed
    if address == LOCAL:
        own = dask.LocalCluster(threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL)
        try:
            return Crew(_client(dask, own), LOCAL, own)
        except BaseException:
            own.close()
            raise
    try:
        client = _client(dask, _full(address))
    except (OSError, TimeoutError, ValueError):
        raise InputError(
            f"no Dask scheduler answers at {address}.",
            fix="start one with `dask scheduler`, and give the address that it prints, such as tcp://127.0.0.1:8786.",
        ) from None
    crew = Crew(client, address)
    try:
        crew.refuse_others()
    except BaseException:
        crew.close()
        raise
    return crew


def _full(address: str) -> str:
    bare = address.removeprefix("dask://")
    return bare if "://" in bare else f"tcp://{bare}"


def places_of(address: str) -> frozenset[tuple[str, int]]:
    """Give host and port of a scheduler, by its name and by its numbers: all that a client of it connects to."""
    there = urlsplit(_full(address))
    host, port = there.hostname or "", there.port or 0
    return frozenset({(host, port), *((str(found[4][0]), port) for found in socket.getaddrinfo(host, port))})


def _client(dask: Any, where: Any) -> Any:
    """Connect; a client that cannot is closed at once.

    Left to the garbage collector, it may be closed in the middle of the next connection, by the thread that holds
    the lock which closing waits for.
    """

    class Client(dask.Client):  # type: ignore[misc]
        def start(self, **options: Any) -> None:
            try:
                super().start(**options)
            except BaseException:
                self.close()
                self._loop_runner.stop()
                raise

    try:
        return Client(where, timeout=_SECONDS)
    except AssertionError:
        # Dask takes it for granted that a thread starts within ten seconds; on a busy machine it may not.
        return Client(where, timeout=_SECONDS)


class Crew:
    """The workers of a cluster: what all need is scattered once, and a lost worker's tasks are done by another."""

    def __init__(self, client: Any, address: str, own: Any = None) -> None:
        self._client, self._address, self._own = client, address, own
        self._executor = client.get_executor(pure=False)
        # What happens to the cluster is told once, as an error.
        self._loud = _LOGGER.level
        _LOGGER.setLevel(logging.CRITICAL)

    @property
    def width(self) -> int:
        """How many threads work at a time; workers may come and go."""
        return max(1, sum(map(int, self._client.nthreads().values())))

    def share(self, value: Any) -> Any:
        """Scatter a value to all workers."""
        return self._client.scatter(value, broadcast=True, hash=False)

    def submit(self, function: Callable[..., Any], shared: Any, tasks: Sequence[Any]) -> Future[Any]:
        """Let somebody do these tasks."""
        found: Future[Any] = self._executor.submit(function, shared, tasks)
        return found

    def release(self, sent: Any) -> None:
        """Let the workers forget a value."""
        with suppress(Exception):
            sent.release()

    def renew(self) -> bool:
        """The scheduler does this itself."""
        return False

    def explained(self, error: Exception) -> Exception:
        """Workers that die of a task, and a scheduler that ends, are told in words."""
        if type(error).__module__.partition(".")[0] != "distributed" and not isinstance(error, CancelledError):
            return error
        if self._client.status == "running":
            return InputError(
                "workers of the cluster died of their task, several times.",
                fix="look at their logs: they may have run out of memory.",
            )
        return InputError(
            f"the scheduler at {self._address} is gone: {type(error).__name__}.",
            fix="start it again, and run this again: the same seed gives the same result.",
        )

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self._executor.shutdown(wait=False)
        self._client.close()
        if self._own is not None:
            self._own.close()
        _LOGGER.setLevel(self._loud)

    def refuse_others(self) -> None:
        """Refuse workers with another version of Python, NumPy or nofluke: their digits might be others."""
        mine = versions()
        found = self._client.run(versions)
        if not found:
            raise InputError(
                f"the scheduler at {self._address} has no workers.",
                fix=f"start some with `dask worker {self._address}`.",
            )
        for worker, theirs in found.items():
            other = [f"{name} {theirs[name]} (here {mine[name]})" for name in mine if theirs[name] != mine[name]]
            if other:
                raise InputError(
                    f"the worker {worker} has {', '.join(other)}.", fix="install the same versions everywhere."
                )


def versions() -> dict[str, str]:
    """Say which versions decide over digits in this process."""
    import numpy as np

    return {"Python": platform.python_version(), "NumPy": np.__version__, "nofluke": __version__}
