"""What a calibration study says, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nofluke.studies.calibration.tables import BY_GAP, BY_P, NEAR
from nofluke.types import Sample

if TYPE_CHECKING:
    from nofluke.studies.calibration.study import Compared

Tables = Mapping[str, Mapping[str, tuple[Any, ...]]]
Settings = Mapping[str, Any]
_FEW = 30


def _p(settings: Settings) -> str:
    return "one-sided p" if settings["sides"] == "one" else "two-sided p"


def _range(settings: Settings) -> str:
    low, high = settings["near"]
    return f"{_p(settings)} between {low:g} and {high:g}"


def headline(built: Tables, settings: Settings, *, across: bool) -> str:
    """Say what a p-value near 0.05 was worth."""
    near = built[NEAR]
    if not near["comparisons"][0]:
        return f"No comparison had a {_range(settings)}; the other ranges are in the table."
    if not across:
        return (
            f"Of {near['comparisons'][0]:,} comparisons with a {_range(settings)}, {near['better'][0]:,} "
            f"({near['share'][0]:.0%}) named the truly better system."
        )
    parts = [
        f"{share:.0%} {where}" for share, where in zip(near["share"], near["winner is better"], strict=True)
        if not math.isnan(share)
    ]  # fmt: skip
    return (
        f"Of {near['comparisons'][0]:,} pairs with a {_range(settings)} on {settings['dataset']}, the winner also "
        f"wins: {', '.join(parts)}."
    )


def sentences(
    found: Compared, built: Tables, settings: Settings, unit: str, sample: Sample, *, across: bool
) -> tuple[str, ...]:
    """Say what was done and what else came out."""
    pairs = len(sample.systems) * (len(sample.systems) - 1) // 2
    lines = []
    if across:
        lines.append(
            f"Tested: all {pairs:,} pairs of {len(sample.systems)} systems on {settings['dataset']} "
            f"({sample.n:,} items)."
        )
    else:
        number = settings.get("clusters", sample.n)
        lines.append(
            f"All {number:,} {unit} are taken for the world; {settings['test_sets']:,} test sets of "
            f"{settings['size']:,} {unit} were drawn from them, with {pairs:,} pairs of {len(sample.systems)} systems "
            f"each: {len(found.p_value):,} comparisons with a winner."
        )
        lines += _mix(built[BY_GAP])
    lines += _ends(built[BY_P], found)
    return tuple(lines)


def _mix(table: Mapping[str, tuple[Any, ...]]) -> list[str]:
    """How different the share is for pairs that are truly close and truly apart."""
    known = [index for index, count in enumerate(table["comparisons"]) if count]
    if len(known) < 2:
        return []
    first, last = known[0], known[-1]
    least = "the quarter of pairs with the smallest true lead" if first == 0 else "the smallest true leads seen there"
    return [
        f"This share belongs to the mix of pairs, not to the p-value: near 0.05 it is {table['share'][first]:.0%} for "
        f"{least} ({table['comparisons'][first]:,} comparisons) and "
        f"{table['share'][last]:.0%} for the {'quarter with the largest' if last == 3 else 'largest leads seen there'} "
        f"({table['comparisons'][last]:,})."
    ]


def _ends(table: Mapping[str, tuple[Any, ...]], found: Compared) -> list[str]:
    lines = []
    for target in found.better:
        parts = [
            f"{share:.1%} for p from {low:g} to {high:g} ({count:,})"
            for low, high, count, share in zip(
                table["p from"], table["p to"], table["comparisons"], table[target], strict=True
            )
            if low in (0.0, 0.01, 0.32) and count
        ]
        if parts:
            where = "Truly better" if target == "truly better" else f"Better on {target} too"
            lines.append(f"{where}: {', '.join(parts)}.")
    return lines


def notes(found: Compared, settings: Settings, sample: Sample, *, across: bool) -> tuple[str, ...]:
    """The warnings that belong to such shares."""
    kept = list(sample.notes)
    if settings["sides"] == "one":
        kept.append(
            "p is one-sided on the winner's side, as in Berg-Kirkpatrick et al. (2012); the usual two-sided p-value is "
            "twice as large."
        )
    kept.append(
        "a share is not 1 - p and need not be: it depends on how many close pairs are among those compared. It says "
        "nothing about a single pair."
    )
    kept.append(
        "comparisons share systems"
        + ("" if across else " and test sets")
        + ", so fewer independent facts stand behind "
        "a share than its count; small counts say little."
    )
    if not across and settings["method"] == "bootstrap":
        how = (
            "Edgeworth's series, and by the saddlepoint near 0.05"
            if sample.aggregate.linear
            else f"a normal approximation of the straight line that touches {sample.metric}"
        )
        kept.append(f"bootstrap p-values of the many test sets were computed without draws, by {how}.")
    if across:
        kept.append("a difference on the other dataset is itself a sample, so even a true winner need not win there.")
    if found.undecided:
        kept.append(f"{found.undecided:,} comparisons without a winner or a p-value were left out.")
    return tuple(kept)


def captions(settings: Settings, unit: str, *, across: bool) -> dict[str, str]:
    """Say what the tables show."""
    near = f"{settings['near'][0]:g} <= p <= {settings['near'][1]:g}"
    if across:
        first = (
            f"Share of pairs whose winner on {settings['dataset']} also wins on each other dataset, by the p-value on "
            f"{settings['dataset']} ({settings['method']}, {settings['sides']}-sided)."
        )
        return {BY_P: first, NEAR: f"The same for {near}."}
    drawn = f"{settings['test_sets']:,} test sets of {settings['size']:,} {unit}"
    return {
        BY_P: f"Share of comparisons whose winner is truly better, by p-value ({settings['method']}, "
        f"{settings['sides']}-sided), in {drawn}; pairs: how many different pairs of systems are behind it.",
        NEAR: f"The same for {near}.",
        BY_GAP: f"The same for {near}, pairs in four groups by the true lead of the better system.",
    }
