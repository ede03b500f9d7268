"""What files of scores hold, before anything is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nofluke.types.base import Value
from nofluke.types.notes import Note


@dataclass(frozen=True, slots=True)
class Contents(Value):
    """How many of what there are: `metrics` counts the datasets of each, `primary` is what a dataset is judged by.

    `made_by` are the harnesses that wrote logs, as formats with their versions.

    `items` are those of all datasets together, `fewest` and `most` those of one. `runs` are those that a system has of
    an item at most; they and `clusters` are 0 where there are none. `not_scored` counts by system what is missing, and
    why; `superseded` are logs that do not count; `mismatched` are by dataset the items that have one id and ask
    different things, and how many systems share. Tables, unlike logs (`of_logs`), know of neither.
    """

    sources: tuple[str, ...]
    formats: tuple[str, ...]
    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: Mapping[str, int]
    primary: Mapping[str, str]
    items: int
    fewest: int
    most: int
    runs: int = 0
    clusters: int = 0
    not_scored: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    superseded: tuple[str, ...] = ()
    mismatched: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    noun: str = "dataset"
    of_logs: bool = False
    made_by: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()
