"""What a calibration study says, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nofluke.inference.ranking.panel import units_of
from nofluke.inference.wording import unit_name
from nofluke.studies.calibration.compared import TRULY, Compared
from nofluke.studies.calibration.paper import FEW, beside_paper
from nofluke.studies.calibration.tables import BY_GAP, BY_P, NEAR
from nofluke.studies.calibration.winners import DRAWS
from nofluke.types import Sample
from nofluke.types.base import counted
from nofluke.words.numbers import hundredths

Tables = Mapping[str, Mapping[str, tuple[Any, ...]]]
Settings = Mapping[str, Any]


def _p(settings: Settings) -> str:
    return "one-sided p" if settings["sides"] == "one" else "two-sided p"


def _range(settings: Settings) -> str:
    low, high = settings["near"]
    return f"{_p(settings)} between {low:g} and {high:g}"


def headline(built: Tables, settings: Settings, *, across: bool) -> str:
    """Say what a p-value that is just significant was worth."""
    near = built[NEAR]
    count = near["comparisons"][0]
    if not any(near["comparisons"]):
        return f"No comparison with a better system had a {_range(settings)}; the other ranges are in the table."
    if across:
        parts = [
            f"{where} {won:,} of {of:,}{f' ({hundredths(share)}%)' if of >= FEW else ''}"
            for where, won, of, share in zip(
                near["winner is better"], near["better"], near["comparisons"], near["share"], strict=True
            )
            if of
        ]
        few = f"; fewer than {FEW} pairs are too few for a share" if min(near["comparisons"]) < FEW else ""
        return (
            f"Of the pairs with a {_range(settings)} on {settings['dataset']}, the winner also wins {', '.join(parts)}"
            f"{few}."
        )
    if count < FEW:
        return (
            f"Only {counted(count, 'comparison')} had a {_range(settings)}, too few for a share; {near['better'][0]:,} "
            "of them named the truly better system."
        )
    share = f"{near['better'][0]:,} ({hundredths(near['share'][0])}%)"
    return f"Of {count:,} comparisons with a {_range(settings)}, {share} named the truly better system."


def sentences(found: Compared, built: Tables, settings: Settings, sample: Sample, *, across: bool) -> tuple[str, ...]:
    """Say what was done and what else came out."""
    systems = len(sample.systems)
    pairs = f"{counted(systems * (systems - 1) // 2, 'pair')} of {systems} systems"
    lines = []
    if across:
        lines.append(f"Tested: {pairs} on {settings['dataset']} ({counted(sample.n, 'item')}).")
    else:
        unit, were = f"{unit_name(sample)}s", "was" if settings["test_sets"] == 1 else "were"
        lines.append(
            f"All {units_of(sample):,} {unit} are taken for the world; {_drawn(settings, unit)} {were} drawn from "
            f"them, with {pairs} each: {counted(len(found.p_value), 'comparison')} with a winner."
        )
        lines += _mix(built[BY_GAP])
    lines += beside_paper(built[NEAR], settings, across=across)
    lines += _ends(built[BY_P], found)
    return tuple(lines)


def _drawn(settings: Settings, unit: str) -> str:
    """Say how many test sets of which size."""
    return f"{counted(settings['test_sets'], 'test set')} of {settings['size']:,} {unit}"


def _mix(table: Mapping[str, tuple[Any, ...]]) -> list[str]:
    """How different the share is for pairs that are truly close and truly apart."""
    known = [index for index, count in enumerate(table["comparisons"]) if count]
    if len(known) < 2:
        return []
    first, last = known[0], known[-1]
    least = "the quarter of pairs with the smallest true lead" if first == 0 else "the smallest true leads seen there"
    most = "the quarter with the largest" if last == 3 else "the largest leads seen there"
    return [
        f"This share belongs to the mix of pairs, not to the p-value: for the same range of p it is "
        f"{table['better'][first]:,} of {table['comparisons'][first]:,} for {least} and "
        f"{table['better'][last]:,} of {table['comparisons'][last]:,} for {most}."
    ]


def _ends(table: Mapping[str, tuple[Any, ...]], found: Compared) -> list[str]:
    lines = []
    where = table.get("winner is better", (TRULY,) * len(table["share"]))
    rows = list(zip(where, table["p from"], table["p to"], table["comparisons"], table["share"], strict=True))
    for target in found.better:
        here = TRULY if target == TRULY else f"on {target}"
        parts = [
            f"{hundredths(share, 1)}% for p from {low:g} to {high:g} ({count:,})"
            for name, low, high, count, share in rows
            if name == here and low in (0.0, 0.01, 0.32) and count
        ]
        if parts:
            lines.append(f"{'Truly better' if target == TRULY else f'Better on {target} too'}: {', '.join(parts)}.")
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
    if found.by_rule:
        how = (
            "Edgeworth's series, and near 0.05 by the saddlepoint"
            if sample.aggregate.linear
            else f"a normal approximation of the straight line that touches {sample.metric}"
        )
        kept.append(f"bootstrap p-values of the many test sets were computed without draws, by {how}.")
    if found.from_draws:
        kept.append(
            f"{found.from_draws:,} p-values, for which an approximation would have been too rough, were drawn from "
            f"{DRAWS:,} flips of signs that all pairs share."
        )
    if across:
        kept.append("a difference on the other dataset is itself a sample, so even a true winner need not win there.")
    if found.undecided:
        kept.append(f"{counted(found.undecided, 'comparison')} without a winner or a p-value left out.")
    even = {target: int(np.isnan(better).sum()) for target, better in found.better.items()}
    for target, count in even.items():
        if count:
            where = "in truth" if target == TRULY else f"on {target}"
            kept.append(f"{counted(count, 'comparison')} of systems that score the same {where} left out there.")
    return tuple(kept)


def captions(settings: Settings, sample: Sample, *, across: bool) -> dict[str, str]:
    """Say what the tables show."""
    near = f"{settings['near'][0]:g} <= p <= {settings['near'][1]:g}"
    if across:
        first = (
            f"Share of pairs whose winner on {settings['dataset']} also wins on each other dataset, by the p-value on "
            f"{settings['dataset']} ({settings['method']}, {settings['sides']}-sided)."
        )
        return {BY_P: first, NEAR: f"The same for {near}."}
    drawn = _drawn(settings, f"{unit_name(sample)}s")
    return {
        BY_P: f"Share of comparisons whose winner is truly better, by p-value ({settings['method']}, "
        f"{settings['sides']}-sided), in {drawn}; pairs: how many different pairs of systems are behind it.",
        NEAR: f"The same for {near}.",
        BY_GAP: f"The same for {near}, pairs in four groups by the true lead of the better system.",
    }
