"""The options of one swap test of a corpus metric."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.inference.significance.sides import Progress

DEFAULT_DRAWS = 29_999


@dataclass(frozen=True, slots=True)
class SwapSettings:
    """The options of one call."""

    alternative: str
    level: float
    form: str
    monte_carlo: int | None
    seed: int
    progress: Progress
    stop: str = "never"
    stop_alpha: float = 0.05

    @property
    def sides(self) -> int:
        """How many tails the p-value adds up."""
        return 2 if self.alternative == "two-sided" else 1
