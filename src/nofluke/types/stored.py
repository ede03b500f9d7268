"""Scores that stay on disk because memory does not hold them, and the table of their items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.types.base import Value, frozen
from nofluke.types.data import Alignment, Axis, Grid, Sample, Scores, Source
from nofluke.types.notes import Note

Progress = Callable[[int, int], None] | None
# What a row takes in memory while it is read and ranked [measured: 50 systems, 10 million rows].
BYTES_A_ROW = 100


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """Which of the scores are wanted; None where all are."""

    systems: tuple[str, ...] | None = None
    dataset: str | None = None
    metric: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stored(Value):
    """A long table of scores on disk: what it holds is known, its rows are read when a question needs them.

    A question about two systems reads the rows of these (`load`); the ranking of all of them reads the table once and
    puts it in order item by item, on disk (`spread`). `memory` is how many bytes either may take.
    """

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    higher_is_better: Mapping[str, bool]
    rows: int
    memory: int
    clustered: bool
    several_runs: bool
    sources: tuple[Source, ...]
    notes: tuple[Note, ...]
    load: Callable[[Wanted], Scores]
    spread: Callable[[Wanted, str, Progress], Items]

    @property
    def system(self) -> Axis:
        """The names of the systems; there are no rows."""
        return Axis(self.systems, frozen(np.empty(0), np.int64))

    @property
    def cluster(self) -> bool | None:
        """Whether clusters are known."""
        return True if self.clustered else None

    def pair(self, a: str | None = None, b: str | None = None, **options: Any) -> Sample:
        """Align two systems by item id, as `Scores.pair` does."""
        from nofluke.align.choose import two_systems

        names = two_systems(self, a, b)  # type: ignore[arg-type]  # it says what it holds, as Scores do
        return self.of(names, options).pair(*names, **options)

    def unpaired(self, a: str | None = None, b: str | None = None, **options: Any) -> Sample:
        """Take two systems as independent groups, as `Scores.unpaired` does."""
        from nofluke.align.choose import two_systems

        names = two_systems(self, a, b)  # type: ignore[arg-type]  # it says what it holds, as Scores do
        return self.of(names, options).unpaired(*names, **options)

    def of(self, systems: Sequence[str] | None, options: Mapping[str, Any]) -> Scores:
        """Read the scores that a question with these options is about."""
        named = None if systems is None else tuple(systems)
        return self.load(Wanted(named, options.get("dataset"), options.get("metric")))


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The scores of all systems item by item, on disk: every file holds the (S, m) scores of m items.

    `rows` says in which row of the files each system is, `different` are all scores that occur, where they are few;
    `keep` holds the folder while this is in use.
    """

    systems: tuple[str, ...]
    metric: str
    dataset: str
    higher_is_better: bool
    n: int
    files: tuple[Path, ...]
    grid: Grid
    different: tuple[float, ...] | None
    alignment: Alignment
    notes: tuple[Note, ...]
    rows: tuple[int, ...]
    keep: Any
