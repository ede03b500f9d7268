"""What the simulation of many datasets says, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nofluke.types import Study
from nofluke.words.numbers import hundredths

TITLE = "How many datasets does each way of counting claim?"
QUESTION = "How often does counting significant datasets claim too many?"
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


def headline(study: Study) -> str:
    """Say the main finding in one sentence."""
    table, alpha, effects = _rates(study), study.settings["alpha"], study.settings["effects"]
    rates = dict(zip(table["method"], table["k-hat > k"], strict=True))
    truth = f"better on {effects} of {study.settings['datasets']} datasets" if effects else "better on no dataset"
    kept = [name for name, value in rates.items() if name != "count" and value <= alpha + _slack(table, name)]
    broken = [name for name in rates if name != "count" and name not in kept]
    text = f"When A is truly {truth}, counting p-values claims too many in {percent(rates['count'])} of all studies"
    if kept:
        text += f"; {_joined(kept)} {'keeps' if len(kept) == 1 else 'keep'} to {percent(alpha)}"
    if broken:
        text += f"; {_joined(broken)} {'does' if len(broken) == 1 else 'do'} not"
    return text + "."


def _rates(study: Study) -> Table:
    return study.tables["too many claimed"]


def _is_independent(study: Study) -> bool:
    """Whether no two test statistics are correlated."""
    return all(_is_alone(study, *group) for group in study.facts["groups"])


def _is_alone(study: Study, size: int, correlation: float) -> bool:
    return correlation == 0 or (size == 1 and not study.settings.get("shared_factor"))


def _slack(table: Table, name: str) -> float:
    """How far a rate may lie above alpha by chance alone."""
    index = table["method"].index(name)
    return float(table["k-hat > k"][index] - table["from"][index])


def _joined(names: list[str]) -> str:
    words = [_NAMES[name] for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def sentences(study: Study) -> tuple[str, ...]:
    """Say what was simulated and what came out, method by method."""
    settings, table = study.settings, _rates(study)
    groups = "all independent" if _is_independent(study) else ", ".join(_groups(study))
    lines = [
        f"Simulated: {settings['repetitions']:,} studies of {settings['datasets']} datasets, {groups}; tests at level "
        f"{settings['alpha']:g}."
    ]
    if settings["effects"]:
        lines.append(f"Where A is truly better, the test statistic is raised by {settings['shift']:g} standard errors.")
    return (*lines, *(_of_method(table, index) for index in range(len(table["method"]))))


def _groups(study: Study) -> list[str]:
    told = [
        f"{size} independent" if _is_alone(study, size, correlation) else f"{size} correlated at {correlation:g}"
        for size, correlation in study.facts["groups"]
    ]
    factor = "one common factor" if study.settings.get("shared_factor") else "a factor for each group"
    return [*told[:-1], f"{told[-1]} ({factor})"]


def _of_method(table: Table, index: int) -> str:
    name, theory = table["method"][index], table["in theory"][index]
    known = "" if math.isnan(theory) else f", {percent(theory)} in theory"
    return (
        f"{_NAMES[name][0].upper()}{_NAMES[name][1:]} claims more than the truth in "
        f"{percent(table['k-hat > k'][index])} of the studies{known}; it claims {table['mean k-hat'][index]:.2f} "
        "datasets on average."
    )


def remarks(study: Study) -> tuple[str, ...]:
    """State the erratum, and what each method needs."""
    table, preset, found = _rates(study), study.settings["dependence"], []
    if "printed" in table and preset == "independent":
        found.append(_erratum(table))
    if "printed" in table and preset == "dror":
        found.append(
            f"{_PAPER} print {_listed(table, 'printed')}. Their count fits one common factor for both groups, their "
            "Fisher a factor for each group; the text does not say which was used."
        )
    if not _is_independent(study) and "fisher" in table["method"]:
        found.append("Fisher's method needs independent datasets; these are not, and it may claim too many.")
    if not _is_independent(study) and "simes" in table["method"]:
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


def captions(study: Study) -> dict[str, str]:
    """Say what the tables show."""
    settings = study.settings
    truth = f"k = {settings['effects']} of {settings['datasets']} datasets"
    return {
        "too many claimed": f"How often each way of counting claims more datasets than the truth ({truth}), in "
        f"{settings['repetitions']:,} simulated studies at level {settings['alpha']:g}; from and to: 95% range of the "
        "simulation.",
        "claims": "In how many simulated studies each number of datasets was claimed.",
    }
