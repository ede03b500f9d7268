"""What the simulation of many datasets says, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nofluke.types import Study, Table
from nofluke.words.numbers import hundredths
from nofluke.words.replication import LABELS

TITLE = "How many datasets does each way of counting claim?"
QUESTION = "How often does counting significant datasets claim too many?"
_PAPER = "Dror et al. (2017)"
_NAMES = LABELS | {"count": "counting"}
_PRINTED = ("count", "bonferroni", "fisher")
HEADINGS = {
    **_NAMES,
    "k-hat > k": "claims too many",
    "k-hat > k + 1": "two too many",
    "in theory too": "two, in theory",
    "mean k-hat": "mean claimed",
    "largest k-hat": "most claimed",
    "printed": "in the paper",
    "k-hat": "datasets claimed",
}
Columns = Mapping[str, tuple[Any, ...]]


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
    truth = f"{effects} of {study.settings['datasets']} datasets" if effects else "no dataset"
    kept = [name for name, value in rates.items() if name != "count" and value <= alpha + _slack(table, name)]
    broken = [name for name in rates if name != "count" and name not in kept]
    text = (
        f"When the new system is truly better on {truth}, counting significant datasets claims too many in "
        f"{percent(rates['count'])} of studies."
    )
    if kept:
        text += f" {_joined(kept)} {'keeps' if len(kept) == 1 else 'keep'} to {percent(alpha)}."
    if broken:
        text += f" {_joined(broken)} {'does' if len(broken) == 1 else 'do'} not."
    return text


def _rates(study: Study) -> Columns:
    return study.tables["too many claimed"]


def _is_independent(study: Study) -> bool:
    """Whether no two test statistics are correlated."""
    return all(_is_alone(study, *group) for group in study.facts["groups"])


def _is_alone(study: Study, size: int, correlation: float) -> bool:
    return correlation == 0 or (size == 1 and not study.settings.get("shared_factor"))


def _slack(table: Columns, name: str) -> float:
    """How far a rate may lie above alpha by chance alone."""
    index = table["method"].index(name)
    return float(table["k-hat > k"][index] - table["from"][index])


def _joined(names: list[str]) -> str:
    words = [_NAMES[name] for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def sentences(study: Study) -> tuple[str, ...]:
    """Say what was simulated and what came out, method by method."""
    table = _rates(study)
    return (*_simulated(study), *(_of_method(table, index) for index in range(len(table["method"]))))


def _simulated(study: Study) -> list[str]:
    settings = study.settings
    groups = "all independent" if _is_independent(study) else ", ".join(_groups(study))
    lines = [
        f"{settings['repetitions']:,} studies of {settings['datasets']} datasets were simulated, {groups}; tests at "
        f"{settings['alpha']:g}."
    ]
    if settings["effects"]:
        lines.append(f"A true effect raises the test statistic by {settings['shift']:g} standard errors.")
    return lines


def _groups(study: Study) -> list[str]:
    told = [
        f"{size} independent" if _is_alone(study, size, correlation) else f"{size} correlated at {correlation:g}"
        for size, correlation in study.facts["groups"]
    ]
    factor = "one common factor" if study.settings.get("shared_factor") else "a factor for each group"
    return [*told[:-1], f"{told[-1]} ({factor})"]


def _of_method(table: Columns, index: int) -> str:
    name, theory = table["method"][index], table["in theory"][index]
    known = "" if math.isnan(theory) else f", {percent(theory)} in theory"
    return (
        f"{_NAMES[name][0].upper()}{_NAMES[name][1:]} claims too many datasets in "
        f"{percent(table['k-hat > k'][index])} of the studies{known}; on average it claims "
        f"{table['mean k-hat'][index]:.2f}."
    )


def remarks(study: Study) -> tuple[str, ...]:
    """State the erratum, and what each method needs."""
    table, preset, found = _rates(study), study.settings["dependence"], list[str]()
    if "printed" in table and preset == "independent":
        found.append(_erratum(table))
    if "printed" in table and preset == "dror":
        found.append(
            f"{_PAPER} print {_listed(table, 'printed')}. Their count fits one common factor for both groups, their "
            "Fisher a factor for each group; the text does not say which was used."
        )
    return (*found, *_dependence(study))


def _dependence(study: Study) -> tuple[str, ...]:
    """What the methods need of datasets that depend on each other."""
    methods = () if _is_independent(study) else _rates(study)["method"]
    told = {
        "fisher": "Fisher's method needs independent datasets; these are not, and it may claim too many.",
        "simes": "Simes' method is valid for positive dependence of this kind, Bonferroni's for any dependence.",
    }
    return tuple(said for name, said in told.items() if name in methods)


def _erratum(table: Columns) -> str:
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


def _listed(table: Columns, column: str) -> str:
    return _figures(dict(zip(table["method"], table[column], strict=True)))


def _figures(values: Mapping[str, float]) -> str:
    """The figures of the ways of counting that the paper has."""
    return ", ".join(f"{_NAMES[name]} {values[name]:.3f}" for name in _PRINTED if name in values)


def shown(study: Study) -> Table:
    """How often each way of counting claims too many, and how many it claims."""
    table = _rates(study)
    known = any(not math.isnan(theory) for theory in table["in theory"])
    headings = ("method", "claims too many", *(("in theory",) if known else ()), "datasets claimed")
    rows = [
        (
            _NAMES[name],
            percent(found),
            *((("" if math.isnan(theory) else percent(theory)),) if known else ()),
            f"{mean:.2f}",
        )
        for name, found, theory, mean in zip(
            table["method"], table["k-hat > k"], table["in theory"], table["mean k-hat"], strict=True
        )
    ]
    return Table(headings, tuple(rows), figures=headings[1:])


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """What was simulated."""
    return tuple(("Study" if index == 0 else "Effect", line) for index, line in enumerate(_simulated(study)))


def caveats(study: Study) -> tuple[str, ...]:
    """What dependence breaks."""
    return _dependence(study)[:1]


def cells(_study: Study) -> dict[str, dict[str, str]]:
    """The ways of counting by their names."""
    return {"method": _NAMES}


def captions(study: Study) -> dict[str, str]:
    """Say what the tables show."""
    settings = study.settings
    truth = f"{settings['effects']} of {settings['datasets']} datasets"
    return {
        "too many claimed": f"How often each way of counting claims more datasets than the truth ({truth}), in "
        f"{settings['repetitions']:,} simulated studies at level {settings['alpha']:g}; from and to: 95% range of the "
        "simulation; two too many: how often it claims at least two datasets more than the truth.",
        "claims": "In how many simulated studies each number of datasets was claimed.",
    }
