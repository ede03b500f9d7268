"""The losses that would be accepted: one for every task, for single tasks, for the average."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nofluke.check import is_number
from nofluke.errors import Fix, InputError, Option, unknown, without_effect

AVERAGE = "average"


@dataclass(frozen=True, slots=True)
class Margins:
    """The margin of every task, unless it has its own, and that of the average; None where a loss is only forbidden."""

    every: float | None = None
    tasks: Mapping[str, float] = field(default_factory=dict)
    average: float | None = None

    def of(self, task: str) -> float | None:
        """Give the margin of a task."""
        return self.tasks.get(task, self.every)

    @property
    def largest(self) -> float:
        """The largest loss that is accepted anywhere."""
        return max((one for one in (self.every, self.average, *self.tasks.values()) if one is not None), default=0.0)

    def check(self, tasks: Sequence[str], noun: str) -> None:
        """Refuse margins of tasks that are not judged, and one on the average of a single task."""
        for task in self.tasks:
            if task not in tasks and not any(tasks):
                raise InputError(
                    f"the {noun} has no name, and {task!r} is to have a margin.",
                    fix=Fix("give the margin itself: ", Option("margin", f"{self.tasks[task]:g}"), "."),
                )
            if task not in tasks:
                raise unknown(f"{noun} with a margin", task, tasks)
        if self.average is not None and AVERAGE in tasks:
            raise InputError(
                f"a {noun} is called {AVERAGE!r}, which is how the margin of the average is stated.",
                fix=f"give the {noun} another name.",
            )
        if self.average is not None and len(set(tasks)) == 1:
            raise InputError(
                f"there is one {noun}, and no average to have a margin.",
                fix=Fix("give the margin itself: ", Option("margin", f"{self.average:g}"), "."),
            )


def margins_of(require: str | None, margin: Any) -> Margins:
    """Read M, "TASK=M", "average=M", several of these, or {task: M}; a margin is stated where one is required."""
    if require not in (None, "not-worse"):
        raise unknown("claim to require", str(require), ("not-worse",))
    if margin is None and require is None:
        return Margins()
    if require is None:
        raise without_effect(["margin"], "nothing is required", Fix("add ", Option("require", "not-worse"), "."))
    every: float | None = None
    tasks: dict[str, float] = {}
    for name, value in () if margin is None else _stated(margin):
        number = _positive(name, value)
        if name in tasks or (not name and every is not None):
            raise InputError(f"two margins are stated for {name or 'every task'}.", fix="give one of them.")
        if name:
            tasks[name] = number
        else:
            every = number
    if every is None and not tasks:
        raise InputError(
            "a required claim needs a margin: the largest loss you would accept.",
            fix=Fix(
                "state it: ", Option("margin", "0.01"), "; or on the average: ", Option("margin", "average=0.01"), "."
            ),
        )
    average = tasks.pop(AVERAGE, None)
    return Margins(every, tasks, average)


def _stated(margin: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(margin, Mapping):
        yield from ((str(name), value) for name, value in margin.items())
    elif isinstance(margin, str):
        # A task's name may hold a comma: only what has several margins in it is taken apart.
        several = margin.count("=") != 1 or _is_amount(margin.partition(",")[0])
        for part in margin.split(",") if several else [margin]:
            name, _, value = part.strip().rpartition("=")
            yield name.strip(), value
    elif isinstance(margin, Sequence):
        for one in margin:
            yield from _stated(one)
    else:
        yield "", margin


def _is_amount(text: str) -> bool:
    """Whether a text is a number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _positive(name: str, value: Any) -> float:
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        number = math.nan
    if not is_number(number, above=0):
        said = f"{name}={value}" if name else f"{value}"
        raise InputError(
            f"the margin {said!r} is not a positive number.",
            fix="give the largest loss you would accept, in score units: 0.01, TASK=0.01 or average=0.01.",
        )
    return float(number)
