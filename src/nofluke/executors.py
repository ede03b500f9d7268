"""Who runs chunks of work: this process, several, any executor or a cluster; the result never depends on which.

A plan is a fixed sequence of chunks, each with its own random stream; an executor only decides who runs what and when,
and answers are put back into the order of the plan. What all chunks need is sent once. `using` says who works; nothing
else changes, so that it is no option of any method. Worker processes have one BLAS thread each: inside sums there are
only whole numbers, so this changes the time and not the numbers.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from nofluke.errors import By, Fix, InputError

if TYPE_CHECKING:
    from multiprocessing.shared_memory import SharedMemory

Progress = Callable[[int, int], None]
Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Shared = TypeVar("Shared")

# Tasks handed out ahead of time, per worker: enough to keep them busy, few enough to stop at once.
_AHEAD = 3
# Tasks that a plan is cut into, per worker: those who are fast take more of them.
_TASKS = 32
# A process that ends takes its tasks with it; they are given out again so often.
_TRIES = 3
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS"), "1")


class Crew(Protocol):
    """Those who work: how many, and how they are given what all of them need and what each is to do."""

    @property
    def width(self) -> int:
        """How many work at a time."""

    def share(self, value: Any) -> Any:
        """Send a value once; give what stands for it."""

    def submit(self, function: Callable[..., Any], shared: Any, tasks: Sequence[Any]) -> Future[Any]:
        """Let somebody do these tasks."""

    def release(self, sent: Any) -> None:
        """Forget what was shared."""

    def renew(self) -> bool:
        """Replace those who were lost; say whether that can be done."""

    def explained(self, error: Exception) -> Exception:
        """Say in plain words what happened to the workers; an error of the work itself is given back."""

    def close(self) -> None:
        """Send everybody home, at once: what was asked for is here, or nobody wants it any more."""


_crew: ContextVar[Crew | None] = ContextVar("crew", default=None)


@contextmanager
def using(executor: int | str | Executor | None) -> Iterator[None]:
    """Let all chunks of what is computed inside be run by this executor.

    A number of processes; any `concurrent.futures.Executor`, which stays open; "dask" (a cluster on this machine), or
    the address of a scheduler: "tcp://host:port" or "dask://host:port". None changes nothing, 1 is this process.
    """
    if executor is None:
        yield
        return
    crew = _crew_of(executor)
    token = _crew.set(crew)
    try:
        yield
    finally:
        _crew.reset(token)
        if crew is not None:
            crew.close()


def _crew_of(executor: int | str | Executor) -> Crew | None:
    if isinstance(executor, Executor):
        return _Given(executor)
    if isinstance(executor, str):
        from nofluke.cluster import crew_at

        return crew_at(executor)
    if isinstance(executor, bool) or not isinstance(executor, int):
        raise InputError(
            f"{executor!r} is no executor.",
            fix="give a number of processes, a concurrent.futures.Executor, or the address of a Dask scheduler.",
        )
    if executor < 1:
        raise InputError(f"{executor} workers cannot work.", fix="give at least 1.")
    return None if executor == 1 else _Processes(executor)


def is_spread() -> bool:
    """Say whether others than this process do the work now."""
    return at_once() > 1


def at_once() -> int:
    """Say how many chunks are worked on at a time."""
    crew = _crew.get()
    return 1 if crew is None else crew.width


def ordered(
    function: Callable[[Shared, Chunk], Result],
    shared: Shared,
    chunks: Sequence[Chunk],
    progress: Progress | None = None,
    *,
    must_travel: bool = False,
) -> Iterator[Result]:
    """Give function(shared, chunk) of every chunk, in their order, by whoever works now; `progress` gets (done, all).

    What cannot be sent to other processes is done in this one, or refused if it must travel. Whoever has seen enough
    may stop: what has not begun is cancelled.

    >>> list(ordered(pow, 2, [3, 1, 2]))
    [8, 2, 4]
    """
    crew = _crew.get()
    results: Iterator[Result] = (function(shared, chunk) for chunk in chunks)
    if crew is not None and crew.width > 1 and len(chunks) > 1:
        try:
            results = _by_crew(crew, function, shared, chunks)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            if must_travel:
                raise _not_sent(error) from None
    for done, result in enumerate(results, start=1):
        if progress is not None:
            progress(done, len(chunks))
        yield result


def in_replicates(progress: Progress | None, each: int, total: int) -> Progress | None:
    """Let progress be told in replicates, of which every chunk but the last has `each`."""
    return None if progress is None else lambda done, _chunks: progress(min(done * each, total), total)


def _by_crew(
    crew: Crew, function: Callable[[Any, Any], Result], shared: Any, chunks: Sequence[Any]
) -> Iterator[Result]:
    """Cut the plan into tasks of several chunks and give them out."""
    pickle.dumps(function)
    sent = crew.share(shared)
    size = -(-len(chunks) // (_TASKS * crew.width))
    tasks = [chunks[first : first + size] for first in range(0, len(chunks), size)]
    return (result for results in _in_order(crew, partial(_each, function), sent, tasks) for result in results)


def _each(function: Callable[[Any, Any], Result], shared: Any, chunks: Sequence[Any]) -> list[Result]:
    return [function(shared, chunk) for chunk in chunks]


def _in_order(crew: Crew, function: Callable[..., Any], sent: Any, tasks: Sequence[Any]) -> Iterator[Any]:
    """Give the answers in the order of the tasks; those of a lost process are asked for again."""
    upcoming = deque(enumerate(tasks))
    pending: dict[Future[Any], int] = {}
    waiting: dict[int, Any] = {}
    following = lost = 0
    try:
        while following < len(tasks):
            while upcoming and len(pending) < _AHEAD * crew.width:
                place, task = upcoming.popleft()
                pending[crew.submit(function, sent, task)] = place
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            try:
                for future in finished:
                    waiting[pending[future]] = future.result()
                    del pending[future]
                    lost = 0
            except BrokenProcessPool:
                lost += 1
                if lost > _TRIES or not crew.renew():
                    raise _ended() from None
                upcoming.extendleft((place, tasks[place]) for place in sorted(pending.values(), reverse=True))
                pending.clear()
            except Exception as error:
                raise crew.explained(error) from None
            while following in waiting:
                yield waiting.pop(following)
                following += 1
    finally:
        # Nobody waits for what nobody will look at.
        running = [future for future in pending if not future.cancel()]
        if running:
            crew.renew()
        crew.release(sent)


def _not_sent(error: Exception) -> InputError:
    return InputError(
        f"your function cannot be sent to other processes: {error}.",
        fix="define it at the top of a module (not as a lambda or inside a function), or use one worker.",
    )


def _ended() -> InputError:
    return InputError(
        "a worker process ended before it was done.",
        fix=Fix(
            "it may have run out of memory. A metric of your own must be defined in a module that other processes can "
            "import, and the calling script guard its entry point (if __name__ == '__main__'); or use ",
            By("one worker (executor=1)", "--workers 1"),
            ".",
        ),
    )


class _Given:
    """An executor of the caller's own: what all need goes with every task, which are few."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.width = int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1)

    def share(self, value: Any) -> Any:
        if not hasattr(self._executor, "_thread_name_prefix"):
            pickle.dumps(value)
        return value

    def submit(self, function: Callable[..., Any], shared: Any, tasks: Sequence[Any]) -> Future[Any]:
        return self._executor.submit(function, shared, tasks)

    def release(self, sent: Any) -> None:
        """It went with the tasks."""

    def renew(self) -> bool:
        return False

    def explained(self, error: Exception) -> Exception:
        return error

    def close(self) -> None:
        """It is its owner's to close."""


class _Processes:
    """Processes of this machine; what all need lies in shared memory, and each process reads it once."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._pool = _pool(width)
        self._blocks: dict[str, SharedMemory] = {}

    def share(self, value: Any) -> tuple[str, int]:
        from multiprocessing.shared_memory import SharedMemory

        packed = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        block = SharedMemory(create=True, size=len(packed))
        memoryview(block.buf or b"")[: len(packed)] = packed
        self._blocks[block.name] = block
        return block.name, len(packed)

    def submit(self, function: Callable[..., Any], shared: tuple[str, int], tasks: Sequence[Any]) -> Future[Any]:
        with _one_thread():
            return self._pool.submit(_unpacked, function, shared, tasks)

    def release(self, sent: tuple[str, int]) -> None:
        block = self._blocks.pop(sent[0])
        block.close()
        block.unlink()

    def renew(self) -> bool:
        _end(self._pool, finished=False)
        self._pool = _pool(self.width)
        return True

    def explained(self, error: Exception) -> Exception:
        return error

    def close(self) -> None:
        _end(self._pool, finished=False)
        for name in list(self._blocks):
            self.release((name, 0))


# The value that this process read last: all tasks of a plan need the same one.
_read: tuple[str, Any] = ("", None)


def _unpacked(function: Callable[..., Any], shared: tuple[str, int], tasks: Sequence[Any]) -> Any:
    from multiprocessing.shared_memory import SharedMemory

    global _read
    name, size = shared
    if _read[0] != name:
        block = SharedMemory(name)
        try:
            _read = name, pickle.loads(bytes(memoryview(block.buf or b"")[:size]))
        except (AttributeError, ImportError) as error:
            # What was defined in a notebook, or below the guard of a script, is not there in another process.
            raise _not_sent(error) from None
        finally:
            block.close()
    return function(_read[1], tasks)


def completed(
    chunks: Sequence[Chunk],
    function: Callable[[Chunk], Result],
    workers: int = 1,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Result]]:
    """Apply the function to every chunk; give (position of the chunk, result) as they are completed, in any order.

    For work that belongs to this machine, such as reading its files. One worker is this process. For more of them the
    function, the chunks and the results must be picklable, and the calling script must guard its entry point
    (`if __name__ == "__main__"`). An exception, or Ctrl-C, cancels what has not begun, ends worker processes, and is
    raised again. `progress` gets (done, all).

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
    workers = min(workers, max(1, len(chunks)))
    pool, finished = _pool(workers), False
    try:
        pending: dict[Future[Result], int] = {}
        upcoming = deque(enumerate(chunks))
        while upcoming or pending:
            while upcoming and len(pending) < _AHEAD * workers:
                index, chunk = upcoming.popleft()
                with _one_thread():
                    pending[pool.submit(function, chunk)] = index
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield pending.pop(future), future.result()
        finished = True
    finally:
        _end(pool, finished=finished)


def _pool(workers: int) -> ProcessPoolExecutor:
    from multiprocessing import get_context

    # "spawn" is the same on every system, and safe where threads (BLAS) already run.
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes that are started inside have one BLAS thread each."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _end(pool: ProcessPoolExecutor, *, finished: bool) -> None:
    children = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=finished, cancel_futures=True)
    if not finished:
        for child in children:
            with suppress(OSError):
                child.terminate()
        for child in children:
            child.join()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches the whole group of processes; only the one that gave out the work answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
