"""What the studies of pairs say in words, with the paper's warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nofluke.inference.significance.bootstrap_notes import FEW_CLUSTERS, FEW_ITEMS
from nofluke.registry import TESTS
from nofluke.studies.pairs.comparisons import BOOTSTRAP, Comparisons
from nofluke.studies.pairs.thresholds import FEW, Rule, Threshold
from nofluke.types.base import counted
from nofluke.words.numbers import figure

CITATION = "Berg-Kirkpatrick et al. 2012"


def amount(value: float) -> str:
    """A gain in figures: two digits that matter.

    >>> amount(0.38123), amount(1.104), amount(0.00512)
    ('0.38', '1.1', '0.0051')
    """
    return figure(value, abs(value)) if value else "0"


def subject(found: Comparisons) -> str:
    """Say what was compared."""
    return f"all pairs of {counted(len(found.systems), 'system')} on {counted(found.n, 'item')}"


def rule_text(found: Comparisons, rule: Rule) -> str:
    """Say in a caption where threshold, needed gain and p-values come from."""
    return (
        f"Threshold: {rule.percentile:g}th percentile of the gains of the just significant comparisons, those with "
        f"{rule.near}. Needed by the usual pair: median over pairs of {rule.errors:.3f} standard errors of the "
        f"difference. {p_value_text(found)}"
    )


def p_value_text(found: Comparisons) -> str:
    """Say how p-values were computed."""
    if found.method == BOOTSTRAP:
        how = "paired bootstrap, how often a resampled test set shows more than twice the gain"
    else:
        how = TESTS[found.method].label
    draws = f"{found.resamples:,} draws" if found.resamples else "without draws"
    if found.corrected:
        correction = f"{found.resamples:,} shared draws correct" if found.resamples else "no draws correct"
        draws = f"{correction} the tangent of the metric"
    return f"P-values: {how} ({draws}), one-sided in the direction of the gain."


def caution(limits: Iterable[Threshold]) -> str:
    """Say beside a finding that it rests on a handful of comparisons."""
    return "" if all(limit.firm for limit in limits) else "; with so few comparisons this may be chance"


def no_firm_thresholds(rule: Rule) -> str:
    """Say in a headline why it gives what the usual pair needs, and no thresholds."""
    return f"too few comparisons have {rule.near} for firm thresholds"


def threshold_text(limit: Threshold) -> str:
    """A threshold with the comparisons it rests on.

    >>> threshold_text(Threshold(0.0391, 0.03, 1, 10, 1.0, 0.0))
    '0.039 (1 just significant comparison)'
    """
    return f"{amount(limit.value)} ({counted(limit.near, 'just significant comparison')})"


def few_note(limits: Mapping[str, Threshold], rule: Rule) -> tuple[str, ...]:
    """Warn where a percentile rests on a handful, or on nothing."""
    few = [f"{label} ({row.near})" for label, row in limits.items() if row.near and not row.firm]
    none = [label for label, row in limits.items() if not row.near]
    notes = []
    if few:
        notes.append(
            f"thresholds of fewer than {FEW} comparisons are little more than their largest gain: {', '.join(few)}."
        )
    if none:
        notes.append(f"no comparison with {rule.near}, so no threshold: {', '.join(none)}.")
    return tuple(notes)


def common_notes(found: Mapping[str, Comparisons]) -> tuple[str, ...]:
    """The paper's warnings, and what is special about p-values; `found` are the comparisons on every test set."""
    return (
        "the threshold belongs to this test set, this metric and systems like these; size and domain of the test set "
        "and the similarity of the systems all move it (Berg-Kirkpatrick et al. 2012, sections 3 and 4).",
        "a threshold does not replace a significance test: use it only where outputs of past systems cannot be had.",
        "p is one-sided in the direction that came out, as in the paper; the p-value that compare gives for a pair is "
        "about twice as large.",
        "comparisons share systems and items, so they are not independent: no error bar can be put on the threshold.",
        *_small(found.values()),
        *_said_of(found, "identical", "with the same scores on every item left out"),
        *_said_of(found, "without_p", "to which the test gives no p-value left out"),
        *_said_of(
            found,
            "by_flips",
            "with the p-value of the sign-flip permutation test, because no resample can show more than twice the gain",
        ),
    )


def _small(found: Iterable[Comparisons]) -> tuple[str, ...]:
    """Warn where the bootstrap is known to promise too much; its size is told in the notes of the test itself."""
    drawn = [one for one in found if one.method == BOOTSTRAP]
    few = sorted({one.units for one in drawn if one.unit != "cluster" and one.units < FEW_ITEMS})
    clusters = sorted({one.units for one in drawn if one.unit == "cluster" and one.units < FEW_CLUSTERS})
    notes = []
    if few:
        notes.append(
            f"with {_either(few)} items the bootstrap's p-values are too small (below .05 in .078, .062, .055 of test "
            "sets without a difference at 10, 20, 50 items); --method permutation keeps its level."
        )
    if clusters:
        notes.append(
            f"with {_either(clusters)} clusters the bootstrap's p-values are far too small (at 10 clusters they are "
            "below .05 two to four times as often as they should be); --method permutation keeps its level."
        )
    return tuple(notes)


def _either(numbers: list[int]) -> str:
    """Join numbers.

    >>> _either([20]), _either([20, 50, 1200])
    ('20', '20, 50 or 1,200')
    """
    *first, last = [f"{number:,}" for number in numbers]
    return f"{', '.join(first)} or {last}" if first else last


def _said_of(found: Mapping[str, Comparisons], count: str, what: str) -> tuple[str, ...]:
    """Give the number of pairs something is said of; of several test sets, the number on each."""
    numbers = {name: int(getattr(one, count)) for name, one in found.items()}
    total = sum(numbers.values())
    if not total:
        return ()
    if len(found) == 1:
        return (f"{counted(total, 'pair')} of systems {what}.",)
    places = ", ".join(f"{number:,} on {name}" for name, number in numbers.items() if number)
    return (f"pairs of systems {what}: {places}.",)


# What columns are; the caption explains all others.
MEANINGS = {
    "comparisons": "pairs of systems that were compared",
    "just significant": "comparisons with a p-value in the window (0.04 to 0.06 if not said otherwise): the threshold "
    "rests on them",
    "usual gain": "the median gain of the just significant comparisons",
    "threshold": "a gain that is usually significant: nearly all just significant comparisons had a smaller one",
    "needed by most": "a gain with which nearly all pairs would be just significant",
    "needed by the usual pair": "the gain with which half of the pairs would be just significant",
    "significant above": "share of the comparisons with at least the threshold that are significant",
    "significant below": "share of the comparisons with less than the threshold that are significant",
    "times the size before": "the gain needed by the usual pair, against that of the row above",
    "by the square-root law": "the same, if only the number of items mattered",
    "items there": "how many items the test set has",
    "items taken": "how many of them were compared",
}
