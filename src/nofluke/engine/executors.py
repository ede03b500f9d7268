"""Runs chunks of work in this process or in several; the result never depends on which, or on how many.

A plan is a fixed sequence of chunks, each with its own random stream; workers only decide who runs what and when.
Worker processes are started with one BLAS thread each (environment variables). It changes the time, not the numbers:
inside sums there are only whole numbers.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from nofluke.errors import InputError

Progress = Callable[[int, int], None]
Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

# Chunks handed out ahead of time, per worker: enough to keep them busy, few enough to stop at once.
_AHEAD = 3
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS"), "1")


def completed(
    chunks: Sequence[Chunk],
    function: Callable[[Chunk], Result],
    workers: int = 1,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Result]]:
    """Apply the function to every chunk; give (position of the chunk, result) as they are completed, in any order.

    One worker is this process. For more of them the function, the chunks and the results must be picklable, and the
    calling script must guard its entry point (`if __name__ == "__main__"`). An exception, or Ctrl-C, cancels what has
    not begun, ends worker processes, and is raised again. `progress` gets (done, all).

    >>> dict(completed([-1, 2, -3], abs))
    {0: 1, 1: 2, 2: 3}
    """
    if workers < 1:
        raise InputError(f"{workers} workers cannot work.", fix="give at least 1.")
    here = ((index, function(chunk)) for index, chunk in enumerate(chunks))
    for done, pair in enumerate(here if workers == 1 else _pooled(chunks, function, workers), start=1):
        if progress is not None:
            progress(done, len(chunks))
        yield pair


def _pooled(chunks: Sequence[Chunk], function: Callable[[Chunk], Result], workers: int) -> Iterator[tuple[int, Result]]:
    with _processes(min(workers, max(1, len(chunks)))) as pool:
        pending: dict[Future[Result], int] = {}
        upcoming = iter(enumerate(chunks))
        _hand_out(pool, function, upcoming, pending, _AHEAD * workers)
        while pending:
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                yield pending.pop(future), future.result()
            _hand_out(pool, function, upcoming, pending, _AHEAD * workers)


def _hand_out(
    pool: Executor,
    function: Callable[[Chunk], Result],
    upcoming: Iterator[tuple[int, Chunk]],
    pending: dict[Future[Result], int],
    most: int,
) -> None:
    while len(pending) < most:
        following = next(upcoming, None)
        if following is None:
            return
        pending[pool.submit(function, following[1])] = following[0]


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    from multiprocessing import get_context

    # "spawn" is the same on every system, and safe where threads (BLAS) already run.
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts)
    finished = False
    try:
        yield pool
        finished = True
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        children = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=finished, cancel_futures=True)
        if not finished:
            for child in children:
                child.terminate()
            for child in children:
                child.join()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches the whole group of processes; only the one that gave out the work answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
