"""What the study of domains says: what is needed on which test set, and whether the test set matters."""

from __future__ import annotations

import math

from nofluke.errors import listing
from nofluke.types import Study, Table
from nofluke.words.studies import pairs
from nofluke.words.studies.pairs import ENOUGH, PAPER, amount, level, metric, near

QUESTION = "Is another gain needed on another test set of the same size?"
LIKE, ORDERED = pairs, True
# Needed gains of test sets within this factor are called alike.
_ALIKE = 1.25


def title(study: Study) -> str:
    """Name the metric."""
    return f"Is another gain in {metric(study)} needed on another test set?"


def headline(study: Study) -> str:
    """Answer with the thresholds, or, where one of them rests on few comparisons, with what the typical pair needs."""
    found = pairs.limits(study)
    firm = all(limit.firm for limit in found.values())
    needed = {name: limit.value for name, limit in found.items()} if firm else _needed(study)
    low, high = min(needed, key=lambda name: needed[name]), max(needed, key=lambda name: needed[name])
    size, taken = study.settings["size"], pairs.main_table(study)["items taken"]
    where = f"On {'' if set(taken) == {size} else 'about '}{size:,} items each,"
    range_ = f"{amount(needed[low])} ({low}) to {amount(needed[high])} ({high})"
    if firm:
        return f"{where} a gain in {metric(study)} of {range_} is usually significant at {level(study):g}."
    return f"{where} the typical pair needs a gain in {metric(study)} of {range_}. {pairs.not_firm(study)}"


def _needed(study: Study) -> dict[str, float]:
    """The gain that the typical pair needs, of test sets on which the scores of some pair vary."""
    table = pairs.main_table(study)
    columns = zip(table["test set"], table["needed by the usual pair"], strict=True)
    return {str(name): float(usual) for name, usual in columns if math.isfinite(usual)}


def sentences(study: Study) -> tuple[str, ...]:
    """Say whether the test set matters once its size is fixed, and of which nothing can be said."""
    known = _needed(study)
    flat = [str(name) for name in pairs.main_table(study)["test set"] if name not in known]
    silent = (f"Nothing can be said of {listing(flat)}: no difference of two systems varies there.",) if flat else ()
    if len(known) < 2:
        return silent
    ratio = max(known.values()) / min(known.values())
    finding = (
        f"As in {PAPER}, the test set matters little once its size is fixed."
        if ratio <= _ALIKE
        else f"Unlike in {PAPER}, the test set matters even at a fixed size: what is enough on one is not on another."
    )
    return (
        f"Needed gains differ by a factor of {ratio:.2f} between test sets. {finding}",
        *silent,
    )


def shown(study: Study) -> Table:
    """Threshold and needed gain by test set, from the smallest gain to the largest."""
    table = pairs.main_table(study)
    columns = ("test set", "items taken", "just significant", "threshold", "needed by the usual pair")
    rows = sorted(
        zip(*(table[column] for column in columns), strict=True),
        key=lambda row: math.inf if math.isnan(row[-1]) else row[-1],
    )
    headings = ("test set", "items", near(study), ENOUGH, "typically needed")
    cells = ((str(name), f"{n:,}", f"{few:,}", amount(limit), amount(usual)) for name, n, few, limit, usual in rows)
    return Table(headings, tuple(cells), figures=headings[1:])


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """Whether the test set matters, and the test."""
    return (*(("Domain", line) for line in sentences(study)), ("Test", pairs.how_tested(study)))


def captions(study: Study) -> dict[str, str]:
    """Say what the columns of the table are."""
    size, first = study.settings["size"], study.settings["take"] == "first"
    which = f"the first {size:,} items" if first else f"{size:,} random items (one draw)"
    return {
        "domains": f"All pairs of {study.settings['systems']:,} systems on {which} of every test set, gain in "
        f"{metric(study)}. {pairs.rule_text(study)}"
    }
