"""What systems score: the totals that a metric gives over all items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nofluke.types.base import Value, counted


@dataclass(frozen=True, slots=True)
class Scored(Value):
    """The score of every system over the same `n` items, as the metric has it; `signature` says how it was scored."""

    metric: str
    higher_is_better: bool
    n: int
    scores: Mapping[str, float]
    dataset: str = ""
    notes: tuple[str, ...] = ()
    signature: str = ""

    @property
    def headline(self) -> str:
        """What was scored, in one line."""
        where = f" on {self.dataset}" if self.dataset else ""
        return f"{self.metric} of {counted(len(self.scores), 'system')}{where} over {counted(self.n, 'item')}"

    def __str__(self) -> str:
        width = max((len(name) for name in self.scores), default=0)
        lines = [f"{name:<{width}}  {value:.4f}" for name, value in self.scores.items()]
        how = f"; signature: {self.signature}" if self.signature else ""
        return "\n".join([*lines, f"{self.metric} over {counted(self.n, 'item')}{how}"])
