"""Margins: is A at least not worse by more than m, judged by a test that is valid for the kind of scores?"""

from __future__ import annotations

import math

from nofluke.inference.recommending.rules import facts_of
from nofluke.inference.significance.one_lost_item import items_if_identical
from nofluke.inference.significance.sides import significant
from nofluke.types import Interval, Note, Sample, TestResult, note

# Codes of what keeps a margin from being judged: too few items that differ, or too few for any outcome.
FEW_DIFFERENT = "compare.margin_few_different"
TOO_FEW = "compare.margin_too_small"

Range = tuple[float | None, float | None]


def margin_method(sample: Sample, score_range: Range = (None, None)) -> str:
    """Name the test to use with a margin: tango for 0/1, the t-test with one lost item for other means.

    Scores that are all 0 or 1, and could have been others by the stated range, are not of the 0/1 kind.
    """
    if not sample.aggregate.linear:
        return "bootstrap"
    binary = facts_of(sample).binary and score_range in ((None, None), (0, 1))
    return "tango" if binary and sample.clusters is None else "one_lost_item"


def margin_verdict(interval: Interval | None, margin: float, verdict: str) -> str:
    """Read better, worse, equivalent, not worse, not better or undecided from one interval.

    "better" and "worse" also need the main test to say so: interval and p-value come from different tests. Swapping A
    and B mirrors the interval and the main verdict, and so every word: better and worse, not worse and not better.
    """
    if interval is None:
        return "undecided"
    if interval.low > 0 and verdict == "better":
        return "better"
    if interval.high < 0 and verdict == "worse":
        return "worse"
    not_worse, not_better = interval.low > -margin, interval.high < margin
    if not_worse and not_better:
        return "equivalent"
    return "not worse" if not_worse else "not better" if not_better else "undecided"


def too_few_items(tested: TestResult, margin: float, alpha: float, names: tuple[str, str]) -> tuple[Note, ...]:
    """Note where the items are too few for the margin: not even B's own outputs would pass."""
    if tested.method == "tango":
        # All n items agree with probability (1 - margin)^n although A is worse by the margin.
        needed = math.ceil(math.log(alpha) / math.log1p(-margin) * (1 - 1e-12)) if margin < 1 else 1
    elif tested.method == "one_lost_item":
        needed = items_if_identical(tested.details["largest_loss"], margin, alpha)
    else:
        return ()
    if tested.n >= needed or significant(tested.p_value, alpha):
        return ()
    return (note(TOO_FEW, n=tested.n, margin=margin, needed=needed, a=names[0], b=names[1]),)
