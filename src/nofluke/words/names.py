"""What systems, metrics and effect sizes are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nofluke.registry import EFFECTS
from nofluke.types import Estimate

# Statistics of the user's own have no name but the one that the user gave the metric.
_NO_NAMES = ("table", "callable:")
_ROLES = "AB"


def metric_in_full(metric: str, scored_by: str) -> str:
    """Name a metric with its settings, which its own signature records.

    >>> metric_in_full("bleu", "BLEU|nrefs:1|tok:13a"), metric_in_full("accuracy", "")
    ('BLEU (nrefs:1|tok:13a)', 'accuracy')
    """
    name, _, settings = scored_by.partition("|")
    return f"{metric if name.startswith(_NO_NAMES) else name} ({settings})" if settings else metric


def effect_label(estimate: Estimate, metric: str = "") -> str:
    """Name an effect size; the difference of a corpus metric is no mean difference."""
    if metric and not estimate.signature:
        return f"difference in {metric}"
    return EFFECTS[estimate.name].label if estimate.name in EFFECTS else estimate.name.replace("_", " ")


def effect_meaning(estimate: Estimate, metric: str = "", systems: tuple[str, str] = ("A", "B")) -> str:
    """Say in half a line what an effect size is, and where there would be no difference."""
    first = systems[0]
    if estimate.name not in EFFECTS or (metric and not estimate.signature):
        return f"{effect_label(estimate, metric)}; positive means that {first} is better"
    method = EFFECTS[estimate.name]
    summary = by_name(method.summary, systems)
    return f"{summary} No difference is {float(method.facts['null']):g}; more is better for {first}."


def by_name(text: str, systems: Sequence[str]) -> str:
    """Speak of two systems by name in a text that everybody shares, which calls them A and B.

    >>> by_name("Histograms of A, B and A - B", ("new", "old"))
    'Histograms of new, old and new - old'
    """
    if len(systems) != len(_ROLES):
        return text
    return re.sub(r"\b[AB]\b", lambda found: systems[_ROLES.index(found[0])], text)
