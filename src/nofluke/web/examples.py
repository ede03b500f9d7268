"""Built-in data one click away: simulated systems, labelled as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nofluke.errors import unknown
from nofluke.types import Scores


@dataclass(frozen=True, slots=True)
class Example:
    """One set of data; `actions` are the pages it fits, `pair` the systems compared where it has more than two."""

    name: str
    title: str
    actions: tuple[str, ...]
    make: Callable[[], Scores]
    pair: tuple[str, str] | tuple[()] = ()

    def to_dict(self) -> dict[str, Any]:
        """Give what a page's twin shows."""
        return {"name": self.name, "title": self.title, "actions": list(self.actions)}


def _simulated(abilities: dict[str, float], **settings: object) -> Callable[[], Scores]:
    def make() -> Scores:
        from nofluke.studies import simulate_scores

        return simulate_scores(abilities, **settings)  # type: ignore[arg-type]

    return make


EXAMPLES = (
    Example(
        "questions",
        "Simulated: 800 right or wrong answers of two systems",
        ("compare",),
        _simulated({"new": 0.16, "baseline": 0.0}, n=800, kind="binary", seed=3),
    ),
    Example(
        "documents",
        "Simulated: 800 scores of two systems on questions about 80 documents",
        ("compare",),
        _simulated({"new": 0.12, "baseline": 0.0}, n=800, kind="continuous", correlation=0.7, clusters=80, seed=7),
    ),
    Example(
        "close-call",
        "Simulated: two equally good systems, 300 ratings",
        ("compare",),
        _simulated({"left": 0.0, "right": 0.0}, n=300, kind="ratings", seed=5),
    ),
    Example(
        "shared-task",
        "Simulated: a shared task of 12 systems, 600 items",
        ("rank", "compare"),
        _simulated({f"team {chr(65 + i)}": 0.05 * (i // 2) for i in range(12)}, n=600, kind="continuous", seed=11),
        ("team A", "team B"),
    ),
)


def pair_in(name: str | None) -> dict[str, str]:
    """The two systems that are compared first in an example of many; nothing where there is no choice."""
    pairs = {example.name: example.pair for example in EXAMPLES}
    return dict(zip(("a", "b"), pairs.get(name or "", ()), strict=False))


def example_scores(name: str) -> Scores:
    """Make the scores of a built-in example."""
    for example in EXAMPLES:
        if example.name == name:
            return example.make()
    raise unknown("example", name, [example.name for example in EXAMPLES])
