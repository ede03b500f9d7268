"""What the benchmarks say of time and memory is that of the command alone, and no command takes the time of others."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

ALONE = Path(__file__).parents[1] / "benchmarks" / "alone.py"
MEGABYTE = 1 << 20


def measured(code: str, longest: int = 60) -> list[float]:
    command = [sys.executable, "-I", "-S", str(ALONE), str(longest), sys.executable, "-I", "-S", "-c", code]
    return [float(number) for number in subprocess.run(command, capture_output=True, check=True).stdout.split()]


def test_memory_is_that_of_the_command_and_not_of_its_parent() -> None:
    ballast = b"x" * (300 * MEGABYTE)
    _, _, nothing, _ = measured("pass")
    _, _, known, _ = measured(f"b'x' * (200 * {MEGABYTE})")
    assert 2 < nothing < 60
    assert 195 < known - nothing < 215
    assert len(ballast) == 300 * MEGABYTE


def test_seconds_and_the_exit_status_are_those_of_the_command() -> None:
    wall, cpu, _, status = measured("import time; time.sleep(0.3); raise SystemExit(7)")
    assert wall >= 0.3
    assert cpu < wall
    assert status == 7


def test_a_command_that_takes_too_long_is_ended() -> None:
    _, cpu, _, status = measured("while True: pass", longest=1)
    assert 0.5 < cpu < 2.5  # the kernel counts in ticks, and on a busy machine roughly
    assert status == -signal.SIGXCPU
