"""Work for other processes, which find it by its name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nofluke.errors import Fix, InputError, Option


def square(_shared: object, chunk: int) -> int:
    return chunk * chunk


def square_slowly_once(flag: str, chunk: int) -> int:
    """The first to come takes its time."""
    if _is_first(flag):
        time.sleep(1.0)
    return chunk * chunk


def square_or_die_once(flag: str, chunk: int) -> int:
    """The first to come to chunk 5 does not live to tell."""
    if chunk == 5 and _is_first(flag):
        os.kill(os.getpid(), signal.SIGKILL)
    return chunk * chunk


def die(_shared: object, _chunk: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def refuse(_shared: object, _chunk: int) -> int:
    raise InputError("it is too low.", fix=Fix("give ", Option("low", "3"), "."))


def wait(_shared: object, chunk: int) -> int:
    time.sleep(0.2)
    return chunk


def share_right(outputs: Sequence[str], golds: Sequence[str]) -> float:
    """A metric of one's own."""
    return sum(map(str.__eq__, outputs, golds)) / len(golds)


def share_right_after_5_ms(outputs: Sequence[str], golds: Sequence[str]) -> float:
    """The same by a model elsewhere, which lets one wait."""
    time.sleep(0.005)
    return share_right(outputs, golds)


class Nearest:
    """The answer of the nearest training example."""

    def fit(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def predict(self, x: Any) -> Any:
        return self.y[abs(x[:, :1] - self.x[:, 0]).argmin(axis=1)]


def _is_first(flag: str) -> bool:
    try:
        Path(flag).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
