"""What is worth knowing about a ranking."""

from __future__ import annotations

import shlex

from nofluke.errors import By, Fix, Option, Verb, listing
from nofluke.types.base import counted
from nofluke.words.notes import Sayings

_NAMED = 5
_PERMUTATION = Option("method", "permutation")


def _identical(unit: str, groups: tuple[tuple[str, ...], ...]) -> str:
    shown = "; ".join(" = ".join(group) for group in groups[:_NAMED])
    more = f" and {len(groups) - _NAMED:,} more" if len(groups) > _NAMED else ""
    return f"The same score on every {unit}, so that no test can tell them apart: {shown}{more}."


def _on_disk(files: int, exact: bool) -> str:
    how = "differences were tallied exactly" if exact else "differences were tallied to 4 digits, their squares exactly"
    return f"The scores lay on disk in {counted(files, 'part')}: {how}, and near a verdict all items were read."


def _too_few(n: int, unit: str, smallest: float, needed: int) -> str:
    return (
        f"With {counted(n, unit)} the smallest possible p-value is {smallest:.2g}. After the correction no difference "
        f"can be shown; at least {counted(needed, unit)} are needed."
    )


def _skewed(
    pairs: int,
    n: int,
    unit: str,
    most: tuple[str, str],
    skewness: float,  # noqa: ARG001 (a fact, not said)
    averaged: bool = False,
) -> str:
    which, check = ("One pair has", "it") if pairs == 1 else (f"{pairs:,} pairs have", "the worst")
    a, b = most
    audit = By(
        python=f"nf.studies.audit(scores.pair({a!r}, {b!r}))",
        shell=str(Verb("study audit", f"FILE --a {shlex.quote(a)} --b {shlex.quote(b)}")),
        page=f"{a} and {b}, by study audit on the command line",
    )
    advice = "Take a p near alpha as undecided" if averaged else f"Check {check}: {audit}"
    return f"{which} skewed differences: with {counted(n, unit)} p may be too small. {advice}."


def _one_side_tested(alternative: str) -> str:
    tested, other = ("better", "worse") if alternative == "greater" else ("worse", "better")
    return (
        f"Only whether systems are {tested} than the baseline was tested; whether any is {other} was not, and this "
        "says nothing about it."
    )


def _items_of_pairs(low: int, median: int, high: int, common: int, items: int) -> str:
    size = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    middle = "" if low == high else f" (median {median:,})"
    return (
        f"Each pair was tested on the items that both systems have: {size} of {items:,}{middle}. Scores and order come "
        f"from the {counted(common, 'item')} ({common / items:.0%}) that all systems have, so a difference may not "
        "match the scores shown."
    )


def _datasets_are_items(low: int, high: int) -> str:
    size = counted(low, "item") if low == high else f"{low:,} to {high:,} items"
    return f"The dataset is the unit ({size} each), and the result speaks of datasets like these."


def _datasets_dropped(datasets: tuple[str, ...]) -> str:
    were = "was" if len(datasets) == 1 else "were"
    return f"{counted(len(datasets), 'dataset')} without a score for every system {were} left out: {listing(datasets)}."


def _items_dropped(datasets: tuple[str, ...], items: tuple[int, ...]) -> str:
    shown = [f"{count:,} of {name}" for name, count in zip(datasets, items, strict=True)]
    more = f" and of {counted(len(shown) - _NAMED, 'more dataset')}" if len(shown) > _NAMED else ""
    were = "was" if sum(items) == 1 else "were"
    told = f"{counted(sum(items), 'item')} without a score for every system {were} left out"
    return f"{told}: {', '.join(shown[:_NAMED])}{more}."


def _t_undefined(pairs: int) -> str:
    differ = "1 pair differs" if pairs == 1 else f"{pairs:,} pairs differ"
    return f"{differ} by the same amount on every item, so t is undefined there; {_PERMUTATION} is valid."


def _bootstrap_undefined(pairs: int) -> str:
    return (
        f"The bootstrap has no p-value for {counted(pairs, 'pair')}, because no resample reaches twice the observed "
        f"difference; {_PERMUTATION} has one."
    )


def _runs(low: int, high: int) -> str:
    often = f"{low:,} times" if low == high else f"{low:,} to {high:,} times"
    return f"Each system was trained {often}; the claims are about training it again."


RANK: Sayings = {
    "runs": _runs,
    "identical": _identical,
    "too_few": _too_few,
    "on_disk": _on_disk,
    "skewed": _skewed,
    "baseline_only": "Only pairs with the baseline were tested, which is fair if it was fixed before the scores were "
    "seen. To find the best system, compare all pairs.",
    "one_side_tested": _one_side_tested,
    "side_from_scores": "Each pair was tested one-sided for the system with the better score. The side comes from the "
    "data, so the chance of a false claim is up to twice the level stated; use this only to reproduce published "
    "figures.",
    "bh": Fix(
        "Benjamini-Hochberg needs positive dependence, which pairs that share systems need not have; ",
        Option("adjust", "by"),
        " is always valid. Only the share of false claims is bounded, so ranks carry no joint confidence.",
    ),
    "by": "Only the share of false claims is bounded, so ranks and groups carry no joint confidence.",
    "max_t": lambda resamples: (
        "max_t holds the level exactly if the differences of all systems are jointly symmetric, and approximately as a "
        f"test of the means. No corrected p-value can be below 1 / {resamples + 1:,}."
    ),
    "no_joint_intervals": "Simultaneous intervals are not available with clusters.",
    "items_of_pairs": _items_of_pairs,
    "t_undefined": _t_undefined,
    "bootstrap_undefined": _bootstrap_undefined,
    "bootstrap_optimistic": "The bootstrap is approximate. With fewer than about {enough} items (here {n}) its "
    "smallest p-values are too small; those of the default test are not.",
    "linearised": "{metric} was tested through a linear approximation, corrected by random swaps wherever a verdict "
    "was close. Other p-values may differ from those of compare in the second digit, and very small ones by far: "
    "compare gives a bound there.",
    # Why no detectable difference is given.
    "unmatched": "the systems were not scored on the same items",
    "no_spread": "the differences do not vary",
    "few_differ": "too few items differ in a typical pair to reach the level {level:.2g} that each pair has to meet",
    "gap_out_of_range": "so few items, varying this much, show no possible gap (at most {widest:g}) that often",
    "out_of_reach": "with so few of them no swap test can reach {level:.3g}",
    "clusters_ignored": "The clusters were ignored: items are taken as independent, which they may not be.",
    "datasets_are_items": _datasets_are_items,
    "datasets_dropped": _datasets_dropped,
    "items_dropped": _items_dropped,
}
