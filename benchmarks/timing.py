"""How the benchmarks measure: CPU seconds of this process on one BLAS thread, best of many runs.

CPU seconds, because the machine may be shared: other people's work makes wall seconds longer, and CPU seconds less so.
"""

from __future__ import annotations

import contextlib
import io
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

DRAWS = 1_000_000
_MOST_REPEATS = 1_000


@dataclass(frozen=True)
class Row:
    """One line of a table: who, how long for the whole job, and what came out."""

    tool: str
    seconds: float
    answer: str
    remark: str = ""


def best(call: Callable[[], Any], repeats: int = 3, seconds: float = 0.5) -> tuple[float, Any]:
    """The shortest of at least `repeats` runs, of more while `seconds` last, and the last result."""
    shortest, result, spent, runs = float("inf"), None, 0.0, 0
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        while runs < repeats or (spent < seconds and runs < _MOST_REPEATS):
            begin = time.process_time()
            result = call()
            took = time.process_time() - begin
            shortest, spent, runs = min(shortest, took), spent + took, runs + 1
    return shortest, result


def once(call: Callable[[], Any]) -> tuple[float, Any]:
    """One run: what is too slow, or what a second run would find done."""
    return best(call, 1, 0.0)


def scaled(tool: str, draws: int, call: Callable[[], Any], show: Callable[[Any], float], whole: int = DRAWS) -> Row:
    """A peer run with fewer draws, scaled to all of them."""
    seconds, result = once(call)
    remark = "" if draws == whole else f"scaled from {draws:,} draws"
    return Row(tool, seconds * whole / draws, f"{show(result):.5f}", remark)
