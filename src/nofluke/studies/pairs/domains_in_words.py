"""What the study of domains says: what is needed on which test set, and whether the test set matters."""

from __future__ import annotations

import math

from nofluke.errors import listing
from nofluke.studies.pairs.comparisons import Comparisons
from nofluke.studies.pairs.parts import Parts
from nofluke.studies.pairs.segments import Take
from nofluke.studies.pairs.thresholds import Rule
from nofluke.studies.pairs.words import amount, no_firm_thresholds, rule_text

# Needed gains of test sets within this factor are called alike.
_ALIKE = 1.25


def headline_of(parts: Parts, size: int, rule: Rule) -> str:
    """Answer with the thresholds, or, where one of them rests on few comparisons, with what the usual pair needs."""
    metric = next(iter(parts.values())).found.metric
    firm = all(part.limit.firm for part in parts.values())
    values = {name: part.limit.value if firm else part.usual for name, part in parts.items()}
    known = {name: value for name, value in values.items() if math.isfinite(value)}
    low, high = min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])
    what = f"is usually significant at {rule.level:g}" if firm else "is what the usual pair needs"
    end = "" if firm else f"; {no_firm_thresholds(rule)}"
    about = "" if all(part.found.n == size for part in parts.values()) else "about "
    return (
        f"On {about}{size:,} items each, a gain in {metric} of {amount(known[low])} ({low}) to {amount(known[high])} "
        f"({high}) {what}{end}."
    )


def sentences_of(parts: Parts) -> tuple[str, ...]:
    """Say whether the test set matters once its size is fixed, and of which nothing can be said."""
    known = [part.usual for part in parts.values() if math.isfinite(part.usual)]
    flat = [name for name, part in parts.items() if not math.isfinite(part.usual)]
    silent = (f"Of {listing(flat)} nothing can be said: no difference of two systems varies there.",) if flat else ()
    if len(known) < 2:
        return silent
    ratio = max(known) / min(known)
    finding = (
        "as in the paper, the test set matters little once its size is fixed"
        if ratio <= _ALIKE
        else "unlike in the paper, the test set matters even when its size is fixed, and the threshold of one does not "
        "serve for another"
    )
    return (
        f"The gain that the usual pair needs differs by a factor of {ratio:.2f} between test sets: {finding}.",
        *silent,
    )


def caption_of(one: Comparisons, size: int, take: Take, rule: Rule) -> str:
    """Say what the columns of the table are."""
    which = f"the first {size:,} items" if take == "first" else f"{size:,} random items (one draw)"
    return (
        f"All pairs of {len(one.systems):,} systems on {which} of every test set, gain in {one.metric}. "
        f"{rule_text(one, rule)}"
    )
