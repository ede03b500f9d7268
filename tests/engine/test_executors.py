"""Executors give the same whatever runs the chunks, stop at once, and stopping rules keep their promises."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nofluke.engine.flips.draws import flip_draws
from nofluke.engine.resample import resampled_sums
from nofluke.engine.sequential import Decision, SequentialP, besag_clifford, decide_sequentially
from nofluke.errors import InputError
from nofluke.executors import completed

ITEMS = np.random.default_rng(4).integers(-50, 60, 200)


def run(chunks: Sequence[Any], function: Callable[[Any], Any], *how: Any) -> list[Any]:
    """The results in the order of the chunks."""
    return [result for _, result in sorted(completed(chunks, function, *how), key=lambda pair: pair[0])]


@pytest.mark.parametrize("workers", [2, pytest.param(7, marks=pytest.mark.slow)])
def test_processes_give_the_same(workers: int) -> None:
    # worker processes must find the function by its name, so it is the package's own
    draw = partial(resampled_sums, ITEMS, seed=3)
    serial, spread = run([300, 5, 40, 1_000, 77], draw), run([300, 5, 40, 1_000, 77], draw, workers)
    assert [sums.tobytes() for sums in serial] == [sums.tobytes() for sums in spread]


def test_processes_have_one_blas_thread_each_and_leave_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "5")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    assert run(["OPENBLAS_NUM_THREADS"], os.getenv, 2) == ["1"]
    assert os.environ["OPENBLAS_NUM_THREADS"] == "5"
    assert "MKL_NUM_THREADS" not in os.environ


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_is_raised_again(workers: int) -> None:
    with pytest.raises(ValueError, match=r"math domain|nonnegative"):
        run([1, -2, 3], math.sqrt, workers)


def test_progress_counts_chunks() -> None:
    seen: list[tuple[int, int]] = []
    run(range(4), abs, 1, lambda done, every: seen.append((done, every)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert run([], abs, 2) == []


def test_nobody_cannot_work() -> None:
    with pytest.raises(InputError, match="0 workers"):
        run([1], abs, 0)


SCRIPT = """
import os, sys, time
from nofluke.executors import completed

def slow(number):
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
    time.sleep(300)

if __name__ == "__main__":
    try:
        list(completed(range(50), slow, 2))
    except KeyboardInterrupt:
        sys.exit(42)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_leaves_no_worker_behind(tmp_path: Path) -> None:
    script, pids = tmp_path / "script.py", tmp_path / "pids"
    script.write_text(textwrap.dedent(SCRIPT))
    # its own group of processes, all of which get the signal, as from a keyboard
    main = subprocess.Popen(
        [sys.executable, str(script), str(pids)], start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    try:
        workers = wait_for_workers(pids, 2)
        os.killpg(main.pid, signal.SIGINT)
        started = time.monotonic()
        _, errors = main.communicate(timeout=90)
        assert main.returncode == 42, errors
        assert time.monotonic() - started < 90  # nobody waited for the work
        assert "Traceback" not in errors
        assert not [pid for pid in workers if is_alive(pid)]
        assert len(set(pids.read_text().split())) == 2
    finally:
        if main.poll() is None:
            os.killpg(main.pid, signal.SIGKILL)


def wait_for_workers(pids: Path, number: int) -> list[int]:
    for _ in range(900):
        found = {int(line) for line in pids.read_text().split()} if pids.exists() else set()
        if len(found) >= number:
            return sorted(found)
        time.sleep(0.1)
    raise AssertionError("the workers did not start")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def coin(rng: np.random.Generator, p: float, most: int = 2_000, size: int = 64) -> Iterator[np.ndarray]:
    for _ in range(most):
        yield rng.random(size) < p


def test_flip_chunks_through_executors() -> None:
    whole = flip_draws(ITEMS, None, 700, resamples=12_000, seed=2)

    def one(chunk: int) -> int:
        return flip_draws(ITEMS, None, 700, resamples=12_000, seed=2, chunks=[chunk]).at_least

    assert sum(run([2, 0, 1], one)) == whole.at_least


@pytest.mark.parametrize(("p", "below"), [(0.005, True), (0.02, True), (0.1, False), (0.5, False)])
def test_decisions_are_right_and_early(p: float, below: bool, rng: np.random.Generator) -> None:
    decisions = [decide_sequentially(coin(rng, p), 0.05) for _ in range(60)]
    assert all(decision.below is below for decision in decisions)
    assert np.mean([decision.draws for decision in decisions]) < 3_000


def test_the_chance_of_a_wrong_decision_is_bounded(rng: np.random.Generator) -> None:
    # at p = alpha itself every decision for "above" may be wrong; error = 0.1 makes it visible
    decided = [decide_sequentially(coin(rng, 0.05, most=60, size=16), 0.05, error=0.1).below for _ in range(1_000)]
    assert sum(answer is not None for answer in decided) <= 1_000 * 0.1 + 3.3 * 9.5


def test_undecided_when_the_draws_run_out(rng: np.random.Generator) -> None:
    assert decide_sequentially(coin(rng, 0.05, most=3), 0.05).below is None
    assert decide_sequentially([], 0.05) == Decision(None, 0, 0)


def test_besag_and_clifford_is_a_valid_p_value(rng: np.random.Generator) -> None:
    # under the null the chance of an exceedance is itself uniform
    found = [besag_clifford(coin(rng, float(rng.random())), stop_at=5, most=199).p_value for _ in range(3_000)]
    for level in (0.01, 0.05, 0.2, 0.5):
        count = sum(p <= level for p in found)
        assert count <= 3_000 * level + 3.3 * np.sqrt(3_000 * level * (1 - level))
    assert sum(p <= 0.2 for p in found) > 3_000 * 0.15


def test_besag_and_clifford_by_hand() -> None:
    flags = [np.array([False, True]), np.array([False, False, True, True])]
    assert besag_clifford(flags, stop_at=2) == SequentialP(2 / 5, 2, 5)
    assert besag_clifford(flags, stop_at=9) == SequentialP(4 / 7, 3, 6)
    assert besag_clifford(flags, stop_at=9, most=3) == SequentialP(2 / 4, 1, 3)
    # the chunks do not matter
    assert besag_clifford([np.concatenate(flags)], stop_at=2) == SequentialP(2 / 5, 2, 5)


def test_stopping_rules_refuse_nonsense() -> None:
    with pytest.raises(InputError, match="alpha = 2"):
        decide_sequentially([], 2)
    with pytest.raises(InputError, match="stop_at = 0"):
        besag_clifford([], stop_at=0)
