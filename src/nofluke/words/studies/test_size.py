"""What the study of test sizes says: thresholds or needed gains, the square-root law, and what size does not do."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from nofluke.errors import Option
from nofluke.types import Study, Table
from nofluke.types.base import counted
from nofluke.words.numbers import figure
from nofluke.words.studies import pairs
from nofluke.words.studies.pairs import ENOUGH, PAPER, amount, level, metric, near

QUESTION = "How does the gain that is usually significant shrink as the test set grows?"
LIKE, ORDERED = pairs, True
# The needed gain so many times off the square-root law is not due to size alone.
_FAR_OFF = 1.2
# Fewer items say little about how much scores vary.
_VERY_FEW = 20


def title(study: Study) -> str:
    """Name the metric."""
    return f"How does the needed gain in {metric(study)} shrink with the test set?"


def headline(study: Study) -> str:
    """Answer with the thresholds of the smallest and the largest size; where they rest on few, with needed gains."""
    items = pairs.main_table(study)["items"]
    firm = [(n, limit) for n, limit in zip(items, pairs.limits(study).values(), strict=True) if limit.firm]
    if len(firm) > 1:
        (few, low), (many, high) = firm[0], firm[-1]
        return (
            f"On {few:,} items a gain of {amount(low.value)} in {metric(study)} is usually significant at "
            f"{level(study):g}, on {many:,} items a gain of {amount(high.value)}."
        )
    known = _needed(study)
    first = (
        f"On {counted(known[0][0], 'item')} the typical pair needs a gain of {amount(known[0][1])} in {metric(study)}"
    )
    last = f", on {known[-1][0]:,} items {amount(known[-1][1])}" if len(known) > 1 else ""
    return f"{first}{last}. {pairs.not_firm(study)}"


def _needed(study: Study) -> list[tuple[int, float]]:
    """The sizes at which the scores of some pair vary, with the gain that the typical pair needs."""
    table = pairs.main_table(study)
    columns = zip(table["items"], table["needed by the usual pair"], strict=True)
    return [(int(n), float(usual)) for n, usual in columns if math.isfinite(usual)]


def sentences(study: Study) -> tuple[str, ...]:
    """Say how the needed gain follows the law, whether thresholds fall, and what the gain alone decides."""
    if len(pairs.main_table(study)["items"]) < 2:
        return ()
    return (_law(study), *_falling(study), _leftover(study))


def _law(study: Study) -> str:
    known = _needed(study)
    if len(known) < 2:
        return "How the needed gain shrinks cannot be said: scores vary at one size only."
    (few, first), (many, last) = known[0], known[-1]
    seen, law = last / first, math.sqrt(few / many)
    said = (
        f"With {many / few:.3g} times the items, the typical pair needs {seen:.2f} times the gain; the square-root law "
        f"says {law:.2f}."
    )
    if abs(math.log(seen / law)) < math.log(_FAR_OFF):
        return f"{said} Halving the gain takes four times the items."
    return f"{said} That is far from the law: {_why(study, few)}."


def _why(study: Study, smallest: int) -> str:
    """What may move the needed gain beside the size of the test set."""
    if smallest < _VERY_FEW:
        return f"{counted(smallest, 'item')} hardly show how much scores vary"
    if study.settings["take"] == "first":
        return (
            "the first items seem to differ in kind from the later ones; random items show size alone: "
            f"{Option('take', 'random')}"
        )
    return "random items of another seed may give another figure"


def _falling(study: Study) -> tuple[str, ...]:
    """Whether thresholds fall as in the paper, and of how many sizes that is said."""
    every = list(pairs.limits(study).values())
    known = [limit for limit in every if limit.near]
    if len(known) < 2:
        return ()
    falls = all(later.value < earlier.value for earlier, later in pairwise(known))
    which = "" if len(known) == len(every) else f" that has one ({len(known)} of {len(every)})"
    does = f"As in {PAPER}, the gain that is usually enough falls"
    if not falls:
        does = f"Unlike in {PAPER}, the gain that is usually enough does not fall"
    return (f"{does} with every larger size{which}{pairs.caution(known)}.",)


def _leftover(study: Study) -> str:
    """How far the gain alone decides on the largest set."""
    name = f"{pairs.main_table(study)['items'][-1]:,} items"
    gain, p = (np.asarray(study.series[name].columns[column]) for column in ("gain", "p_value"))
    significant = p <= level(study)
    if not significant.any() or significant.all():
        which = "all comparisons are" if significant.any() else "no comparison is"
        return f"On {name} {which} significant at {level(study):g}: what the gain alone decides cannot be said."
    low, high = float(gain[significant].min()), float(gain[~significant].max())
    if low > high:
        return f"On {name} the gain alone decides which comparisons are significant."
    between = int(((gain >= low) & (gain <= high)).sum())
    ends = [figure(value, high - low) if high > low else amount(value) for value in (low, high)]
    return (
        f"Even on {name}, gains from {ends[0]} to {ends[1]} are significant for some pairs and not for others "
        f"({between:,} of {counted(len(gain), 'comparison')}). A large test set does not replace the test."
    )


def shown(study: Study) -> Table:
    """Threshold and needed gain by size."""
    table = pairs.main_table(study)
    columns = ("items", "just significant", "threshold", "needed by the usual pair")
    rows = [
        (f"{n:,}", f"{few:,}", amount(limit), amount(usual))
        for n, few, limit, usual in zip(*(table[column] for column in columns), strict=True)
    ]
    headings = ("items", near(study), ENOUGH, "typically needed")
    return Table(headings, tuple(rows), figures=headings)


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """The law and the test."""
    if len(pairs.main_table(study)["items"]) < 2:
        return (("Test", pairs.how_tested(study)),)
    return ("Size", _law(study)), ("Test", pairs.how_tested(study))


def captions(study: Study) -> dict[str, str]:
    """Say what the columns of the table are."""
    first = study.settings["take"] == "first"
    which = "the first items" if first else "random items (one draw; larger sets hold the smaller ones)"
    return {
        "sizes": f"All pairs of {study.settings['systems']:,} systems on {which} of {study.settings['n']:,}, gain in "
        f"{metric(study)}. {pairs.rule_text(study)}"
    }
