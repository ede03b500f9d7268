"""Runs chunks of work serially, in threads or in processes; the result never depends on which, or on how many.

A plan is a fixed sequence of chunks, each with its own random stream; workers only decide who runs what and when.
Processes are started with one BLAS thread each (environment variables). Threads share the BLAS of this process: it is
held at one thread while they run when threadpoolctl is installed; otherwise set OPENBLAS_NUM_THREADS=1 beforehand, or
accept that workers compete. It changes the time, not the numbers: inside sums there are only whole numbers.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Literal, TypeVar

from nofluke.errors import InputError

ExecutorName = Literal["serial", "threads", "processes"]
Progress = Callable[[int, int], None]
Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

# Chunks handed out ahead of time, per worker: enough to keep them busy, few enough to stop at once.
_AHEAD = 3
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS"), "1")


def run(
    chunks: Sequence[Chunk],
    function: Callable[[Chunk], Result],
    executor: ExecutorName = "serial",
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Apply the function to every chunk and give the results in the order of the chunks.

    `workers` is the number of processors unless given. For "processes" the function, the chunks and the results must
    be picklable, and the calling script must guard its entry point (`if __name__ == "__main__"`). An exception, or
    Ctrl-C, cancels what has not begun, ends worker processes, and is raised again. `progress` gets (done, all).

    >>> run([1, 2, 3], abs, "threads", workers=2)
    [1, 2, 3]
    """
    results: dict[int, Result] = dict(completed(chunks, function, executor, workers, progress))
    return [results[index] for index in range(len(chunks))]


def run_and_add(
    chunks: Sequence[Chunk],
    function: Callable[[Chunk], Any],
    executor: ExecutorName = "serial",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Any:
    """Apply the function to every chunk and add the results up as they come; they must be whole numbers.

    Whole numbers (or arrays of them) add up to the same in any order, and no list of results is kept.

    >>> run_and_add([1, 2, 3], abs)
    6
    """
    total: Any = 0
    for _, result in completed(chunks, function, executor, workers, progress):
        total = total + result
    return total


def completed(
    chunks: Sequence[Chunk],
    function: Callable[[Chunk], Result],
    executor: ExecutorName = "serial",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Result]]:
    """Give (position of the chunk, result) as chunks are completed, in any order."""
    if executor not in ("serial", "threads", "processes"):
        raise InputError(f"there is no executor {executor!r}.", fix="choose serial, threads or processes.")
    number = (os.cpu_count() or 1) if workers is None else workers
    if number < 1:
        raise InputError(f"{number} workers cannot work.", fix="give at least 1.")
    source = _serial(chunks, function) if executor == "serial" else _pooled(chunks, function, executor, number)
    for done, pair in enumerate(source, start=1):
        if progress is not None:
            progress(done, len(chunks))
        yield pair


def _serial(chunks: Sequence[Chunk], function: Callable[[Chunk], Result]) -> Iterator[tuple[int, Result]]:
    for index, chunk in enumerate(chunks):
        yield index, function(chunk)


def _pooled(
    chunks: Sequence[Chunk], function: Callable[[Chunk], Result], executor: ExecutorName, workers: int
) -> Iterator[tuple[int, Result]]:
    make = _processes if executor == "processes" else _threads
    with make(min(workers, max(1, len(chunks)))) as pool:
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
def _threads(workers: int) -> Iterator[Executor]:
    with _blas_at_one_thread():
        pool = ThreadPoolExecutor(workers, thread_name_prefix="nofluke")
        try:
            yield pool
        finally:
            # Chunks that run are short and end by themselves; the others are never begun.
            pool.shutdown(wait=True, cancel_futures=True)


def _blas_at_one_thread() -> AbstractContextManager[Any]:
    try:
        import threadpoolctl  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[Any] = threadpoolctl.threadpool_limits(limits=1)
    return limits


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
