"""What a chart needs of a result, and what is said where a result cannot be drawn: in users' words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nofluke.errors import MethodError, NoflukeError, unknown
from nofluke.registry import CHARTS
from nofluke.types import Value

# Every result that can be reported, as people call it.
KINDS = {
    "Agreement": "an agreement of annotators",
    "Choices": "a recommendation of methods",
    "Comparison": "a comparison of two systems",
    "Corrected": "a list of corrected p-values",
    "Estimate": "an effect size",
    "Gate": "a gate",
    "MetricsComparison": "a comparison by several metrics",
    "MetricsReplication": "a count of datasets by several metrics",
    "Posterior": "a Bayesian comparison",
    "PowerCurve": "a power curve",
    "PowerPlan": "a plan of items and power",
    "Profile": "a description of two systems' scores",
    "Ranking": "a ranking of systems",
    "Replication": "a count of datasets",
    "Contents": "a count of what files hold",
    "Scored": "a table of scores",
    "SelfCheck": "a check of runs against each other",
    "Study": "a study",
    "SystemScore": "the score of one system",
    "TestResult": "a single test",
}


@dataclass(frozen=True, slots=True)
class Needs:
    """Whether a chart applies to a result, with the condition in words: "it needs" them."""

    words: str
    hold: Callable[[Any], bool]

    def __call__(self, result: Any) -> bool:
        """Say whether this result has what the chart shows."""
        return self.hold(result)


def refusal(result: Value, name: str, possible: Sequence[str]) -> NoflukeError:
    """Build the error for a chart that this result does not have; `possible` are those that it has."""
    if name and name not in CHARTS:
        return unknown("chart", name, possible or CHARTS.names())
    this = KINDS.get(type(result).__name__, "this result")
    takes = CHARTS[name].facts["takes"] if name else ()
    if type(result).__name__ not in {kind for method in CHARTS for kind in method.facts["takes"]}:
        return MethodError(f"there is no chart of {this}.", fix=f"print it; charts are drawn of {_drawn()}.")
    if name and type(result).__name__ not in takes:
        said = f"the chart {name!r} shows {_either(takes)}; this is {this}."
    elif name:
        said = f"the chart {name!r} does not fit this result{_needs(name)}."
    else:
        fitting = [method.name for method in CHARTS if type(result).__name__ in method.facts["takes"]]
        said = f"there is nothing to draw of this result{_needs(fitting[0]) if len(fitting) == 1 else ''}."
    return MethodError(said, fix=_instead(result, possible))


def _needs(name: str) -> str:
    applies = CHARTS[name].facts["applies"]
    return f": it needs {applies.words}" if isinstance(applies, Needs) else ""


def _instead(result: Value, possible: Sequence[str]) -> str:
    if possible:
        return f"draw one of: {', '.join(possible)}."
    from nofluke.words import answer

    made = answer(result)
    said = getattr(result, "headline", "") if made is None else made.verdict
    return f"read what it says: {said}" if said else "print it: its words and tables say what was found."


def _drawn() -> str:
    kinds = {kind for method in CHARTS for kind in method.facts["takes"]}
    return ", ".join(words for kind, words in KINDS.items() if kind in kinds)


def _either(kinds: Sequence[str]) -> str:
    return " or ".join(KINDS[kind] for kind in kinds)
