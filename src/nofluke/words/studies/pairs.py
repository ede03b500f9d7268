"""What the studies of all pairs of systems say alike: gains, thresholds with what they rest on, and warnings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from nofluke.registry import TESTS
from nofluke.types import Study
from nofluke.types.base import counted
from nofluke.words.numbers import figure

# Whose questions the studies of thresholds are.
PAPER = "Berg-Kirkpatrick et al. (2012)"
# Below so many comparisons a 95th percentile is little more than their largest gain.
FEW = 20
# A threshold within so much of another is not called smaller.
CLEARLY = 0.95
_BOOTSTRAP = "bootstrap"
# What a threshold is called: a gain with which nearly all pairs are significant.
ENOUGH = "usually enough"
Columns = Mapping[str, tuple[Any, ...]]
_FEW_FOR_BOOTSTRAP = ("study.few_items", "study.few_clusters")


@dataclass(frozen=True, slots=True)
class Limit:
    """A threshold and how many just significant comparisons it rests on; nan where there are none."""

    value: float
    near: int

    @property
    def firm(self) -> bool:
        """Whether it rests on more than a handful of comparisons."""
        return self.near >= FEW


def main_table(study: Study) -> Columns:
    """The one table of such a study."""
    return next(iter(study.tables.values()))


def limits(study: Study) -> dict[str, Limit]:
    """The thresholds of the main table, by the name of their row."""
    table = main_table(study)
    names = (f"{name:,} items" if isinstance(name, int) else str(name) for name in next(iter(table.values())))
    return {
        name: Limit(float(value), int(near))
        for name, value, near in zip(names, table["threshold"], table["just significant"], strict=True)
    }


def amount(value: float) -> str:
    """A gain with the two digits that matter.

    >>> amount(0.38123), amount(1.104), amount(0.00512), amount(math.nan)
    ('0.38', '1.1', '0.0051', 'none')
    """
    if math.isnan(value):
        return "none"
    return figure(value, abs(value)) if value else "0"


def level(study: Study) -> float:
    """The level that just significant comparisons reach: the middle of their range of p-values."""
    low, high = study.settings["window"]
    return float(round((low + high) / 2, 12))


def errors(study: Study) -> float:
    """How many standard errors a gain has that just reaches the level: 1.645 for 0.05."""
    return NormalDist().inv_cdf(1 - level(study))


def near(study: Study) -> str:
    """The p-values of just significant comparisons."""
    low, high = study.settings["window"]
    return f"p from {low:g} to {high:g}"


def metric(study: Study) -> str:
    """What gains are gains in."""
    return str(study.settings["metric"])


def subject(study: Study) -> str:
    """What was compared."""
    systems, items = study.settings["systems"], study.settings["n"]
    return f"all pairs of {counted(systems, 'system')} on {counted(items, 'item')}"


def rule_text(study: Study) -> str:
    """Where threshold, needed gain and p-values of a table come from."""
    return (
        f"Usually enough: {study.settings['percentile']:g}th percentile of the gains of just significant comparisons "
        f"({near(study)}). Typically needed: median over pairs of {errors(study):.3f} standard errors of the "
        f"difference. {p_value_text(study)}"
    )


def p_value_text(study: Study) -> str:
    """How p-values were computed, for a caption."""
    settings, resamples = study.settings, study.facts.get("resamples")
    if settings["method"] == _BOOTSTRAP:
        how = "paired bootstrap, how often a resampled test set shows more than twice the gain"
    else:
        how = TESTS[settings["method"]].label
    draws = ""
    if settings.get("draws"):
        draws = f" (linear approximation of the metric, corrected by {settings['draws']:,} shared resamples)"
    elif "draws" in settings:
        draws = " (linear approximation of the metric, not corrected by resamples)"
    elif resamples is not None:
        draws = f" ({resamples:,} resamples)" if resamples else " (computed without resampling)"
    return f"P-values: {how}{draws}, one-sided in the direction of the gain."


def how_tested(study: Study) -> str:
    """How pairs were compared, in a short answer."""
    method = study.settings["method"]
    label = "paired bootstrap" if method == _BOOTSTRAP else TESTS[method].label
    return f"{label[:1].upper()}{label[1:]} of every pair, one-sided (about half of compare's p)."


def caution(found: Iterable[Limit]) -> str:
    """Say beside a finding that it rests on a handful of comparisons."""
    return "" if all(limit.firm for limit in found) else "; with so few comparisons this may be chance"


def not_firm(study: Study) -> str:
    """Why an answer gives the gain that the typical pair needs, and no thresholds."""
    return f"Too few pairs have {near(study)} to say what is usually enough."


def limit_text(limit: Limit) -> str:
    """A threshold with the comparisons it rests on.

    >>> limit_text(Limit(0.0391, 1))
    '0.039 (1 just significant comparison)'
    """
    return f"{amount(limit.value)} ({counted(limit.near, 'just significant comparison')})"


def few_remarks(study: Study, found: Mapping[str, Limit]) -> tuple[str, ...]:
    """Warn where a percentile rests on a handful, or on nothing."""
    few = [f"{name} ({limit.near})" for name, limit in found.items() if limit.near and not limit.firm]
    none = [name for name, limit in found.items() if not limit.near]
    told = []
    if few:
        told.append(
            f"A gain from fewer than {FEW} comparisons is little more than their largest gain: {', '.join(few)}."
        )
    if none:
        told.append(f"No comparison has {near(study)}, so it is not known what is usually enough: {', '.join(none)}.")
    return tuple(told)


COMMON_REMARKS = (
    "What is usually enough holds for this test set, this metric and systems like these. Size and domain of the test "
    "set and the similarity of the systems all move it (Berg-Kirkpatrick et al. 2012, sections 3 and 4).",
    "It does not replace a significance test: use it only where outputs of past systems are not available.",
    f"P is one-sided in the observed direction, as in {PAPER}; the two-sided p-value of compare is about twice as "
    "large.",
    "Comparisons share systems and items, so they are not independent: that gain has no error bar.",
)


def remarks(study: Study) -> tuple[str, ...]:
    """Warn of thresholds that rest on little, and say what a threshold is not."""
    return (*few_remarks(study, limits(study)), *COMMON_REMARKS)


def caveats(study: Study) -> tuple[str, ...]:
    """What a short answer says of all pairs: that p-values are too small, otherwise what a threshold is not."""
    few = tuple(str(note) for note in study.notes if note.code in _FEW_FOR_BOOTSTRAP)
    return few[:1] or ("These gains hold for this test set and such systems, and do not replace a test.",)


# What columns hold; the caption explains all others.
HEADINGS = {"threshold": ENOUGH, "needed by the usual pair": "typically needed"}
MEANINGS = {
    "comparisons": "pairs of systems that were compared",
    "just significant": "comparisons with a p-value in the window (0.04 to 0.06 by default); what is usually "
    "enough rests on them",
    "usual gain": "the median gain of the just significant comparisons",
    "threshold": "a gain that is usually significant: nearly all just significant comparisons had a smaller one",
    "needed by most": "a gain with which nearly all pairs would be significant",
    "needed by the usual pair": "the gain with which half of the pairs would be significant",
    "significant above": "of the comparisons with at least this gain, the share that is significant",
    "significant below": "of the comparisons with a smaller gain, the share that is significant",
    "times the size before": "the gain that the typical pair needs, against that of the row above",
    "by the square-root law": "the same, if only the number of items mattered",
    "items there": "how many items the test set has",
    "items taken": "how many of them were compared",
}
