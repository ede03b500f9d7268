"""Margins: is A at least not worse by more than m, judged by a test that is valid for the kind of scores?"""

from __future__ import annotations

import numpy as np

from nofluke.align import cluster_totals, differences
from nofluke.inference.recommending.rules import facts_of
from nofluke.inference.significance.permutation import MOST_TIED
from nofluke.types import Interval, Sample


def margin_method(sample: Sample) -> str:
    """Name the test to use with a margin: tango for 0/1, flips for scores with few ties, otherwise a bounded mean."""
    if not sample.aggregate.linear:
        return "bootstrap"
    if sample.clusters is None and facts_of(sample).binary:
        return "tango"
    totals, _ = cluster_totals(differences(sample).whole, sample.clusters)
    return "permutation" if float(np.mean(totals == 0)) <= MOST_TIED else "bounded_mean"


def margin_verdict(interval: Interval | None, margin: float, verdict: str) -> str:
    """Read better, equivalent, not worse, worse or undecided from one interval.

    "better" also needs the main test to say so: interval and p-value may come from different tests on 0/1 scores.
    """
    if interval is None:
        return "undecided"
    if interval.low > 0 and verdict == "better":
        return "better"
    if interval.low > -margin:
        return "equivalent" if interval.high < margin else "not worse"
    return "worse" if interval.high < 0 else "undecided"


def margin_sentence(verdict: str, names: tuple[str, str], margin: float, level: float) -> str:
    """Say the verdict in words."""
    a, b = names
    claim = {
        "better": f"{a} is better than {b}, and so not worse by more than {margin:g}",
        "equivalent": f"{a} and {b} differ by less than {margin:g} in either direction",
        "not worse": f"{a} is not worse than {b} by more than {margin:g}",
        "worse": f"{a} is worse than {b}; that it is not worse by more than {margin:g} is not shown",
        "undecided": f"whether {a} is worse than {b} by more than {margin:g} is undecided",
    }[verdict]
    return f"With the margin {margin:g}: {claim} (read from the {level * 100:g}% interval)."
