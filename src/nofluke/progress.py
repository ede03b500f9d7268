"""A progress bar for work that takes more than two seconds: on a terminal's stderr, or in a notebook."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

Report = Callable[[int, int], None]
_PATIENCE = 2.0
_PAUSE = 0.2  # between two drawings of a notebook's bar


@contextmanager
def progress_bar(label: str, *, quiet: bool) -> Iterator[Report | None]:
    """Give a callback (done, total) that starts to draw after two seconds; None where nobody would see it."""
    # Where lines cannot be drawn anew, rich would write an empty one.
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    started, bar = time.monotonic(), Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=None)

    def report(done: int, total: int) -> None:
        if not bar.live.is_started and time.monotonic() - started > _PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        bar.stop()


@contextmanager
def notebook_bar() -> Iterator[Report | None]:
    """Give a callback that draws into the running cell of a notebook after two seconds; None elsewhere."""
    if not _in_notebook():
        yield None
        return
    notebook: Any = import_module("IPython.display")
    started = drawn = time.monotonic()
    shown: Any = None

    def report(done: int, total: int) -> None:
        nonlocal drawn, shown
        now = time.monotonic()
        if now - started < _PATIENCE or now - drawn < _PAUSE:
            return
        drawn = now
        picture = notebook.HTML(f'<progress value="{done}" max="{total}"></progress> {done:,} of {total:,}')
        if shown is None:
            shown = notebook.display(picture, display_id=True)
        else:
            shown.update(picture)

    try:
        yield report
    finally:
        if shown is not None:
            shown.update(notebook.HTML(""))


def _in_notebook() -> bool:
    """Whether a kernel runs this: only then IPython is loaded already, and its shell has one."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(running, "kernel")
