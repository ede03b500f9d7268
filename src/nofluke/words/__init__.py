"""Every sentence nofluke speaks, made of values alone: a file for each kind of result, notes/ for remarks."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from nofluke.types import Answer, Value

# Name of the type, or type:name for one that speaks differently -> module with `answer(result) -> Answer`.
ANSWERS: dict[str, str] = {
    "Agreement": "agreement",
    "Choices": "profile",
    "Comparison": "comparison",
    "Contents": "contents",
    "Corrected": "corrected",
    "Estimate": "estimate",
    "Estimate:bayes_factor": "bayes_factor",
    "Gate": "gate",
    "MetricsComparison": "metrics_comparison",
    "MetricsReplication": "metrics_replication",
    "PValues": "sources",
    "Posterior": "posterior",
    "PowerCurve": "power_curve",
    "PowerPlan": "plan",
    "Profile": "profile",
    "Ranking": "ranking",
    "Ratings": "sources",
    "Replication": "replication",
    "Scored": "scored",
    "SelfCheck": "self_check",
    "Study": "studies",
    "SystemScore": "system_score",
    "TestResult": "test_result",
}
# Parts of results that are said in one line: name of the type -> module with `line(value) -> str`.
LINES: dict[str, str] = {
    "Alignment": "sources",
    "Computed": "computed",
    "Distribution": "computed",
    "Interval": "computed",
    "Sample": "sources",
    "Scores": "sources",
    "Stored": "sources",
    "Source": "sources",
}


def answer(result: Value) -> Answer | None:
    """Give the short answer of a result; None for values that are no results."""
    kind = type(result).__name__
    named = f"{kind}:{getattr(result, 'name', '')}"
    kind = named if named in ANSWERS else kind
    if kind not in ANSWERS:
        return None
    made: Callable[[Value], Answer] = import_module(f"{__name__}.{ANSWERS[kind]}").answer
    return made(result)


def text_of(result: Value) -> dict[str, Any]:
    """What stands in JSON beside the facts, for people; nothing for values that are no results."""
    made = answer(result)
    return {} if made is None else {"text": {"verdict": made.verdict, "points": dict(made.points)}}


def short(result: Value) -> str:
    """The short answer as plain text of 80 columns; the bare value for those that are no results."""
    from nofluke.words.layout import as_lines

    kind = type(result).__name__
    if kind in LINES:
        said: Callable[[Value], str] = import_module(f"{__name__}.{LINES[kind]}").line
        return said(result)
    made = answer(result)
    return repr(result) if made is None else "\n".join(as_lines(made))
