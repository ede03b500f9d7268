"""The tables of a ranking: the leaderboard, the pairs with a baseline, all pairs of few systems, tests of all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median
from typing import Any

from nofluke.inference.ranking.wording import (
    computed_in_words,
    correction_in_words,
    directions_hold,
    not_shown,
    range_of,
    unit_of,
)
from nofluke.inference.wording import figure, p_in_figures
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.reports.build.metric_names import metric_in_full
from nofluke.types import Ranking, Table
from nofluke.types.base import counted

# All pairs are listed up to so many systems; more would hide the answer.
_LISTED = 8
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def scale_of_scores(result: Ranking) -> float:
    """A typical standard error, by which scores are rounded."""
    halves = [(i.high - i.low) / 4 for i in result.intervals if i is not None and math.isfinite(i.high - i.low)]
    return median(halves) if halves and median(halves) > 0 else math.nan


def leaderboard(result: Ranking) -> Table:
    """Systems, best score first: score, interval, ranks left open, and letters of the groups not separated."""
    if result.baseline:
        return _against_baseline(result)
    scale, letters = scale_of_scores(result), _letters(result)
    columns = ["system", result.metric, interval_heading(*result.intervals)]
    columns += ["mean rank"] if result.mean_ranks else []
    columns += ["ranks", "better than", "worse than", *(["group"] if letters else [])]
    rows = []
    for place, name in enumerate(result.systems):
        low, high = result.rank_ranges[place]
        cells = [name, figure(result.scores[place], scale), interval_cell(result.intervals[place], scale)]
        cells += [f"{result.mean_ranks[place]:.2f}"] if result.mean_ranks else []
        cells += [str(low) if low == high else f"{low} to {high}"]
        cells += [f"{int(result.better[place].sum()):,}", f"{int(result.better[:, place].sum()):,}"]
        rows.append((*cells, *([letters[name]] if letters else [])))
    single = [place for place, (low, high) in enumerate(result.rank_ranges) if low == high == 1]
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        caption=_caption(result, groups=bool(letters)),
        figures=tuple(column for column in columns if column not in ("system", "ranks", "group")),
        strong=tuple(single),
        bars=tuple(bar_of(i, s, math.nan) for i, s in zip(result.intervals, result.scores, strict=True)),
        explain={
            result.metric: f"the {result.metric} of each system",
            "ranks": "every place that the separated pairs leave open for the system",
            "better than": "how many systems it is shown to be better than",
            "worse than": "how many systems are shown to be better",
            "mean rank": "the mean over datasets of the place among all systems; 1 is best",
            "group": "systems that share a letter are neighbours of which no two are separated; others may be open too",
        },
    )


def _against_baseline(result: Ranking) -> Table:
    scale, base = scale_of_scores(result), result.systems.index(result.baseline)
    columns = ("system", result.metric, interval_heading(*result.intervals), "difference", "adjusted p", "verdict")
    rows = []
    for place, name in enumerate(result.systems):
        cells = [name, figure(result.scores[place], scale), interval_cell(result.intervals[place], scale)]
        if place == base:
            rows.append((*cells, "", "", "baseline"))
            continue
        worse = "worse" if result.better[base, place] else not_shown(result)
        verdict = "better" if result.better[place, base] else worse
        p = _smaller(float(result.adjusted[place, base]), float(result.adjusted[base, place]))
        rows.append((*cells, figure(float(result.differences[place, base]), scale), _p(p), verdict))
    return Table(
        columns=columns,
        rows=tuple(rows),
        caption=_caption(result, groups=False),
        figures=(result.metric, columns[2], "difference", "adjusted p"),
        strong=(base,),
        explain={
            result.metric: f"the {result.metric} of each system",
            "difference": f"against {result.baseline}, turned so that positive means better than it",
            "verdict": f"whether the system is shown to be better or worse than {result.baseline}",
        },
    )


def _smaller(first: float, second: float) -> float:
    known = [value for value in (first, second) if not math.isnan(value)]
    return min(known) if known else math.nan


def _p(value: float) -> str:
    return p_in_figures(value).removeprefix("p = ").removeprefix("p ")


def _letters(result: Ranking) -> dict[str, str]:
    """Give each system the letters of its groups; nothing where there are more groups than letters."""
    joined = [group for group in result.groups if len(group) > 1]
    if not 0 < len(joined) <= len(_LETTERS):
        return {}
    return {
        name: "".join(letter for letter, group in zip(_LETTERS, joined, strict=False) if name in group)
        for name in result.systems
    }


def _others_open(result: Ranking) -> str:
    """Letters mark neighbours; readers would take all pairs without a common one for separated."""
    others = result.open_outside_groups
    return f", and neither {'is' if others == 1 else 'are'} {counted(others, 'pair')} without one" if others else ""


def _caption(result: Ranking, *, groups: bool) -> str:
    direction = "higher" if result.higher_is_better else "lower"
    where = f" on {result.datasets[0]}" if len(result.datasets) == 1 else ""
    shared = f" Systems that share a letter are not separated{_others_open(result)}." if groups else ""
    hold = f", together at {(1 - result.alpha) * 100:g}%" if directions_hold(result) else ""
    ranks = "" if result.baseline else f" Ranks: those that the separated pairs leave open{hold}."
    own = next((interval.method for interval in result.intervals if interval is not None), "")
    intervals = f" Intervals: of each score by itself ({own})." if own else ""
    what = f"{len(result.systems):,} systems{where} by {metric_in_full(result.metric, result.signature)}"
    return (
        f"{what} ({direction} is better), {sample_in_words(result)}. "
        f"{pairs_tested(result)}: {result.label}, {correction_in_words(result)}, alpha = {result.alpha:g}; computed "
        f"{computed_in_words(result)}.{ranks}{intervals}{shared}"
    )


def sample_in_words(result: Ranking) -> str:
    """Say on how many items, units or datasets the systems were compared."""
    if result.lengths:
        return f"{range_of(result.lengths)} scores each, not matched"
    if result.pair_sizes is not None:
        sizes = result.pair_sizes[result.pair_sizes > 0]
        few, most = int(sizes.min()), int(sizes.max())
        return (
            f"n = {few:,}{f' to {most:,}' if most > few else ''} items a pair; {result.n:,} items that all systems have"
        )
    size = f" of {result.unit_size:,} items" if result.unit_size > 1 else ""
    clusters = f" in {result.clusters:,} clusters" if result.clusters else ""
    return f"n = {result.n:,} {unit_of(result, result.n)}{size}{clusters}"


def pairs_tested(result: Ranking) -> str:
    """Name the pairs that were tested."""
    if result.baseline:
        return f"{counted(result.pairs, 'pair')} with {result.baseline}"
    return f"All {result.pairs:,} pairs" if result.pairs > 1 else "The pair"


def pairs_table(result: Ranking) -> Table | None:
    """All pairs of few systems: difference, p-values, verdict; with simultaneous limits where there are some."""
    size = len(result.systems)
    if size > _LISTED or result.baseline:
        return None
    limits = result.low is not None and result.high is not None
    heading = f"all at once, {(1 - result.alpha) * 100:g}%"
    columns = ("pair", "difference", *([heading] if limits else []), "p", "adjusted p", "verdict")
    rows, scale = [], scale_of_scores(result)
    for i in range(size):
        for j in range(i + 1, size):
            a, b = (j, i) if result.better[j, i] else (i, j)
            verdict = f"{result.systems[a]} is better" if result.better[a, b] else "not separated"
            cells = [f"{result.systems[a]} - {result.systems[b]}", figure(float(result.differences[a, b]), scale)]
            if result.low is not None and result.high is not None:
                low, high = float(result.low[a, b]), float(result.high[a, b])
                cells.append(f"{figure(low, scale)} to {figure(high, scale)}")
            p, adjusted = (_smaller(float(m[a, b]), float(m[b, a])) for m in (result.p_values, result.adjusted))
            rows.append((*cells, _p(p), _p(adjusted), verdict))
    sided = "two-sided" if result.family == "pairs" and result.alternative == "two-sided" else "one-sided"
    return Table(
        columns=columns,
        rows=tuple(rows),
        caption=f"Differences are turned so that positive means that the first of a pair is better; p is {sided}.",
        figures=("difference", *([heading] if limits else []), "p", "adjusted p"),
        explain={heading: "limits that hold for all differences at once"},
    )


def pair_records(result: Ranking) -> Iterator[dict[str, Any]]:
    """Every pair that was tested, the better system (or the one with the better score) first."""
    size = len(result.systems)
    tested = [(i, j) for i in range(size) for j in range(i + 1, size)]
    if result.baseline:
        tested = [pair for pair in tested if result.systems.index(result.baseline) in pair]
    for i, j in tested:
        a, b = (j, i) if result.better[j, i] else (i, j)
        p, adjusted = (_smaller(float(m[a, b]), float(m[b, a])) for m in (result.p_values, result.adjusted))
        limits = result.low is not None and result.high is not None
        yield {
            "first": result.systems[a],
            "second": result.systems[b],
            "difference": float(result.differences[a, b]),
            **({"low": float(result.low[a, b]), "high": float(result.high[a, b])} if limits else {}),  # type: ignore[index]
            "n": result.n if result.pair_sizes is None else int(result.pair_sizes[a, b]),
            "p_value": p,
            "adjusted": adjusted,
            "verdict": "better" if result.better[a, b] else "unclear",
            "computed": str(result.computed[a, b]),
        }


def omnibus_table(result: Ranking) -> Table:
    """The tests of all systems at once."""
    rows = tuple((test.label, f"{test.statistic:.6g}", _p(test.p_value), test.null) for test in result.omnibus)
    critical = (
        f" Nemenyi's critical difference of mean ranks at {result.alpha:g}: {result.critical_difference:.4g}."
        if math.isfinite(result.critical_difference)
        else ""
    )
    return Table(
        columns=("test", "statistic", "p", "null"),
        rows=rows,
        caption=f"Such a test can say that some systems differ, not which.{critical}",
        figures=("statistic", "p"),
    )
