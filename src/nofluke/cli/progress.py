"""A progress bar on stderr for work that takes more than two seconds, on a terminal only."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 2.0


@contextmanager
def progress_bar(label: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
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
