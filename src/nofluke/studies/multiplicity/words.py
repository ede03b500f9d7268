"""What the simulation of many datasets says, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nofluke.registry import COMBINATIONS
from nofluke.studies.recording import hundredths

if TYPE_CHECKING:
    from nofluke.studies.multiplicity.tables import Plan

_PAPER = "Dror, Baumer, Bogomolov and Reichart 2017"
_NAMES = {
    "count": "counting p-values",
    "bonferroni": "Bonferroni's k-hat",
    "fisher": "Fisher's k-hat",
    "simes": "Simes' k-hat",
}
_PRINTED_NAMES = {"count": "counting", "bonferroni": "Bonferroni", "fisher": "Fisher"}
Table = Mapping[str, tuple[Any, ...]]


def percent(share: float) -> str:
    """Print a share of runs.

    >>> percent(0.9941), percent(0.0488), percent(0.0)
    ('99.4%', '4.9%', '0%')
    """
    return f"{hundredths(share, 1)}%"


def headline(plan: Plan, table: Table) -> str:
    """Say the main finding in one sentence."""
    rates = dict(zip(table["method"], table["k-hat > k"], strict=True))
    truth = f"better on {plan.effects} of {plan.datasets} datasets" if plan.effects else "better on no dataset"
    kept = [name for name, value in rates.items() if name != "count" and value <= plan.alpha + _slack(table, name)]
    broken = [name for name in rates if name != "count" and name not in kept]
    text = f"When A is truly {truth}, counting p-values claims too many in {percent(rates['count'])} of all studies"
    if kept:
        text += f"; {_joined(kept)} {'keeps' if len(kept) == 1 else 'keep'} to {percent(plan.alpha)}"
    if broken:
        text += f"; {_joined(broken)} {'does' if len(broken) == 1 else 'do'} not"
    return text + "."


def _slack(table: Table, name: str) -> float:
    """How far a rate may lie above alpha by chance alone."""
    index = table["method"].index(name)
    return float(table["k-hat > k"][index] - table["from"][index])


def _joined(names: list[str]) -> str:
    words = [_NAMES[name] for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _group(plan: Plan, size: int, correlation: float) -> str:
    alone = correlation == 0 or (size == 1 and not plan.shared_factor)
    return f"{size} independent" if alone else f"{size} correlated at {correlation:g}"


def sentences(plan: Plan, table: Table, repetitions: int) -> tuple[str, ...]:
    """Say what was simulated and what came out, method by method."""
    groups = "all independent" if plan.independent else ", ".join(_group(plan, *group) for group in plan.groups)
    factor = "" if plan.independent else " (one common factor)" if plan.shared_factor else " (a factor for each group)"
    lines = [
        f"Simulated: {repetitions:,} studies of {plan.datasets} datasets, {groups}{factor}; tests at {plan.alpha:g}."
    ]
    if plan.effects:
        lines.append(f"Where A is truly better, the test statistic is raised by {plan.shift:g} standard errors.")
    for index, name in enumerate(table["method"]):
        theory = table["in theory"][index]
        known = "" if math.isnan(theory) else f", {percent(theory)} in theory"
        line = (
            f"{_NAMES[name][0].upper()}{_NAMES[name][1:]} claims more than the truth in "
            f"{percent(table['k-hat > k'][index])} of the studies{known}; it claims {table['mean k-hat'][index]:.2f} "
            "datasets on average."
        )
        lines.append(line)
    return tuple(lines)


def notes(plan: Plan, table: Table) -> tuple[str, ...]:
    """State the erratum, and what each method needs."""
    found = []
    if "printed" in table and plan.preset == "independent":
        found.append(_erratum(table))
    if "printed" in table and plan.preset == "dror":
        found.append(
            f"{_PAPER} print {_listed(table, 'printed')}. Their count fits one common factor for both groups, their "
            "Fisher a factor for each group; the text does not say which was used."
        )
    if not plan.independent and "fisher" in table["method"]:
        found.append("Fisher's method needs independent datasets; these are not, and it may claim too many.")
    if not plan.independent and "simes" in table["method"]:
        found.append("Simes' method is valid for positive dependence of this kind; Bonferroni's for any dependence.")
    return tuple(found)


def _erratum(table: Table) -> str:
    """The printed rates of the independent case are those of another event; say so from our own figures."""
    above_one = {
        name: value if math.isnan(theory) else theory
        for name, value, theory in zip(table["method"], table["k-hat > k + 1"], table["in theory too"], strict=True)
    }
    return (
        f"{_PAPER} print {_listed(table, 'printed')} as P(k-hat > 0). These are the chances of k-hat > 1 "
        f"(here {_figures(above_one)}); those of k-hat > 0 are {_listed(table, 'in theory')}. So "
        "Bonferroni and Fisher are at about 0.05 here, not far below it."
    )


def _listed(table: Table, column: str) -> str:
    return _figures(dict(zip(table["method"], table[column], strict=True)))


def _figures(values: Mapping[str, float]) -> str:
    """The figures of the ways of counting that the paper has."""
    return ", ".join(f"{word} {values[name]:.3f}" for name, word in _PRINTED_NAMES.items() if name in values)


def citations(plan: Plan, methods: tuple[str, ...]) -> tuple[str, ...]:
    """Cite the paper, and the methods used."""
    cited = ["Dror et al. 2017", "Benjamini and Heller 2008"]
    if not plan.independent:
        cited.append("Benjamini, Krieger and Yekutieli 2006")
    cited += [COMBINATIONS[name].cite for name in methods if name in COMBINATIONS]
    return tuple(dict.fromkeys(cited))


def captions(plan: Plan, repetitions: int) -> dict[str, str]:
    """Say what the tables show."""
    truth = f"k = {plan.effects} of {plan.datasets} datasets"
    return {
        "too many claimed": f"How often each way of counting claims more datasets than the truth ({truth}), in "
        f"{repetitions:,} simulated studies at alpha = {plan.alpha:g}; from and to: 95% range of the simulation.",
        "claims": "In how many simulated studies each number of datasets was claimed.",
    }
