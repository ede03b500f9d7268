"""Margins: is A at least not worse by more than m, judged by a test that is valid for the kind of scores?"""

from __future__ import annotations

import math

from nofluke.inference.recommending.rules import facts_of
from nofluke.inference.significance.one_lost_item import items_if_identical
from nofluke.inference.significance.sides import significant
from nofluke.types import Interval, Sample, TestResult

BLIND = "blind:"
UNTESTED = "margin not tested:"

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


def margin_sentence(
    verdict: str, names: tuple[str, str], margin: float, interval: Interval | None, *, lead_at_risk: bool = False
) -> str:
    """Say the verdict in words; where A leads, and one lost item leaves the margin undecided, also why."""
    a, b = names
    loser, winner = (a, b) if verdict == "worse" else (b, a)
    bounded = interval is not None and (interval.low > -margin if verdict == "worse" else interval.high < margin)
    by = f"but by less than {margin:g}" if bounded else f"and a gap above {margin:g} cannot be ruled out"
    claim = {
        "better": f"{winner} is better than {loser}, {by}",
        "worse": f"{loser} is worse than {winner}, {by}",
        "equivalent": f"{a} and {b} differ by less than {margin:g} in either direction",
        "not worse": f"{a} is not worse than {b} by more than {margin:g}",
        "not better": f"{a} is not better than {b} by more than {margin:g}, and may be worse by more than that",
        "undecided": f"whether {a} is worse than {b} by more than {margin:g} is undecided",
    }[verdict]
    if verdict == "undecided" and lead_at_risk:
        claim += "; the lead would not outlast one badly lost item"
    level = "" if interval is None else f" (read from the {interval.level * 100:g}% interval)"
    return f"With the margin {margin:g}: {claim}{level}."


def lead_at_risk(tested: TestResult, verdict: str) -> bool:
    """Whether the main test found A better, its mean leads too, and the margin was judged with one lost item."""
    leads = tested.estimate is not None and tested.estimate > 0
    return verdict == "better" and leads and tested.method == "one_lost_item"


def blind_note(tested: TestResult, margin: float, alpha: float, names: tuple[str, str]) -> tuple[str, ...]:
    """Say where the items are too few for the margin: not even B's own outputs would pass."""
    if tested.method == "tango":
        # All n items agree with probability (1 - margin)^n although A is worse by the margin.
        needed = math.ceil(math.log(alpha) / math.log1p(-margin) * (1 - 1e-12)) if margin < 1 else 1
    elif tested.method == "one_lost_item":
        needed = items_if_identical(tested.details["largest_loss"], margin, alpha)
    else:
        return ()
    if tested.n >= needed or significant(tested.p_value, alpha):
        return ()
    a, b = names
    return (
        f"{BLIND} {tested.n:,} items are too few for a margin of {margin:g}. {a} would not pass even with {b}'s own "
        f"outputs; that takes {needed:,} items, and outputs that differ take more.",
    )
