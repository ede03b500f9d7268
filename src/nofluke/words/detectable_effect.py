"""What a plan says that asked for the difference: what a test set of this size reveals most of the time."""

from __future__ import annotations

import math

from nofluke.types import Note, PowerPlan, Table
from nofluke.words import planning
from nofluke.words.numbers import figure, share_text
from nofluke.words.planning import test_and_terms

TITLE = "What could be found?"


def verdict(result: PowerPlan) -> str:
    """The answer in one sentence; where nothing can be found, why."""
    items = planning.size_of(result)
    if math.isnan(result.difference):
        if isinstance(result.reason, Note) and result.reason.code == "compare.few_differ":
            return f"What {items} {planning.do(result.n, 'reveal')} is unknown: {result.reason}."
        why = "" if result.reason is None else f" {result.reason}"
        return (
            f"No true gap, however large, is revealed by {items} in {planning.often(result.target)} "
            f"{planning.how(result)}.{why}"
        )
    if "margin" in result.terms:
        return planning.margin_sentence(result, f"{shown(result, result.difference)} or higher", result.target)
    if planning.is_untied(result):
        return planning.untied_sentence(result, result.difference, result.target)
    names = planning.names(result)
    between = f" between {' and '.join(names)}{planning.averaged(result)}" if result.systems else ""
    gap = planning.gap_text(shown(result, result.difference), result.difference, names, between)
    reveal = planning.do(result.n, "reveal")
    return f"{items} {reveal} {gap} in {planning.often(result.target)} {planning.how(result)}."


def shown(result: PowerPlan, difference: float) -> str:
    """Print a difference, or the share of untied items won; plans from numbers get one digit more than data."""
    if math.isnan(difference):
        return "none"
    if planning.is_untied(result):
        return share_text((1 + difference) / 2)
    return figure(difference, result.standard_error / (1 if result.systems else 10))


def table(result: PowerPlan) -> Table | None:
    """What is revealed how often; nothing where nothing is."""
    if planning.is_untied(result):
        done, what = "revealed in", "items won by A"
    else:
        done, what = ("shown in", "true difference") if "margin" in result.terms else ("revealed in", "true gap")
    rows = tuple(
        (planning.often(power), shown(result, abs(value) if what == "true gap" else value))
        for power, value in result.by_power
        if not math.isnan(value)
    )
    return Table((done, what), rows, figures=(what,)) if len(rows) > 1 else None


def points(result: PowerPlan) -> tuple[tuple[str, str], ...]:
    """Where significance begins, what the data say and leave open, and what holds for all plans."""
    found = []
    revealed = not math.isnan(result.difference)
    if math.isfinite(result.threshold) and revealed:
        edge = figure(result.threshold, result.standard_error / (1 if result.systems else 10))
        begins = f"Significance begins at an observed difference of about {edge}"
        found.append(("Observed", f"{begins}{', where as many items differ' if result.test == 'mcnemar' else ''}."))
    if not result.systems:
        return (*found, *planning.shared_points(result))
    a, b = planning.names(result)
    found += [("Unseen", f"A smaller true gap between {a} and {b} may stay hidden.")] if revealed else []
    taken = "disagreement is the upper 80% limit of" if result.test == "mcnemar" else "standard deviation is that of"
    runs = ""
    if result.test == "crossed_runs":
        taken, runs = "standard deviations are those of", " and runs"
    found.append(("Data", f"The {taken} these {result.unit}{runs}; the observed difference plays no part."))
    if result.unit == "clusters" and not runs:
        # More than there are: that reads as a mistake unless it is said why.
        offset = "offset each other, so they " if result.design_effect < 1 else ""
        found.append(
            (
                "Clusters",
                f"The {result.n_items:,} items in {result.n:,} clusters {offset}carry the information of about "
                f"{result.n_items / result.design_effect:,.0f} independent ones (design effect "
                f"{result.design_effect:.2g}).",
            )
        )
    return (*found, *(point for point in planning.shared_points(result) if point[0] == "Tests"))


def for_paper(result: PowerPlan) -> tuple[str, str]:
    """The sentence for a paper, short and long."""
    size = shown(result, result.difference)
    sides = test_and_terms(result)
    runs = f" and {planning.runs_text(result.terms['n_runs'])}" if "n_runs" in result.terms else ""
    start, end = f"With n = {result.n:,} {result.unit}{runs}", f"with power {result.target:g} ({sides})."
    if math.isnan(result.difference):
        long = f"{start} no true difference, however large, would be found {end}"
    elif planning.is_untied(result):
        long = f"{start} A would be found better {end[:-1]} if it is truly better on {size} of them."
    else:
        long = f"{start} a true difference of {size} would be found {end}"
    return f"Detectable with power {result.target:g}: {size} ({sides}).", long


def column(result: PowerPlan) -> str:
    """The heading of the differences."""
    return "share of untied items on which A must be better" if planning.is_untied(result) else "true difference"
