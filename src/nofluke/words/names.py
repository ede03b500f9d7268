"""What systems, metrics and effect sizes are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nofluke.registry import EFFECTS
from nofluke.types import Estimate

# Statistics of the user's own have no name but the one that the user gave the metric.
_NO_NAMES = ("table", "callable:")
_ROLES = "AB"


def metric_in_full(metric: str, signature: str) -> str:
    """Name a metric with the settings that a result's signature records of it.

    >>> metric_in_full("bleu", "nofluke:0.1.0|test:permutation|scored_by:BLEU;nrefs:1;tok:13a|n:9")
    'BLEU (nrefs:1|tok:13a)'
    >>> metric_in_full("accuracy", "nofluke:0.1.0|test:mcnemar|n:9")
    'accuracy'
    """
    scored_by = next((part for part in signature.split("|") if part.startswith("scored_by:")), "")
    name, _, settings = scored_by.removeprefix("scored_by:").partition(";")
    if not settings:
        return metric
    return f"{metric if name.startswith(_NO_NAMES) else name} ({settings.replace(';', '|')})"


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
