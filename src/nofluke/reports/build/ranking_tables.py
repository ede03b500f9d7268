"""The tables of a ranking: the leaderboard, the pairs with a baseline, all pairs of few systems, tests of all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Ranking, Table
from nofluke.words import ranking_paper
from nofluke.words.names import metric_in_full
from nofluke.words.numbers import figure, level_text, p_digits
from nofluke.words.ranking import not_shown
from nofluke.words.ranking_tables import group_letters, scale_of_scores, smaller

# All pairs are listed up to so many systems; more would hide the answer.
_LISTED = 8
# Beside each other fit the columns of so many datasets; JSON has the scores on all.
_BESIDE = 12


def leaderboard(result: Ranking) -> Table:
    """Systems, best score first: score, interval, ranks left open, and letters of its groups."""
    if result.baseline:
        return _against_baseline(result)
    scale, letters = scale_of_scores(result), group_letters(result)
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
        caption=ranking_paper.caption(result, metric_in_full(result.metric, result.scored_by)),
        figures=tuple(column for column in columns if column not in ("system", "ranks", "group")),
        strong=tuple(single),
        bars=tuple(bar_of(i, s, math.nan) for i, s in zip(result.intervals, result.scores, strict=True)),
        explain=ranking_paper.explanations(result),
        legend=ranking_paper.legend(result),
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
        p = smaller(float(result.adjusted[place, base]), float(result.adjusted[base, place]))
        rows.append((*cells, figure(float(result.differences[place, base]), scale), p_digits(p, result.alpha), verdict))
    return Table(
        columns=columns,
        rows=tuple(rows),
        caption=ranking_paper.caption(result, metric_in_full(result.metric, result.scored_by)),
        figures=(result.metric, columns[2], "difference", "adjusted p"),
        strong=(base,),
        explain=ranking_paper.explanations(result),
        legend=ranking_paper.legend(result),
    )


def pairs_table(result: Ranking) -> Table | None:
    """All pairs of few systems: difference, p-values, verdict; with simultaneous limits where there are some."""
    size = len(result.systems)
    if size > _LISTED or result.baseline:
        return None
    limits = result.low is not None and result.high is not None
    heading = f"all at once, {level_text(1 - result.alpha)}"
    columns = ("pair", "difference", *([heading] if limits else []), "p", "adjusted p", "verdict")
    rows, scale = [], scale_of_scores(result)
    for i in range(size):
        for j in range(i + 1, size):
            a, b = (j, i) if result.better[j, i] else (i, j)
            verdict = f"{result.systems[a]} is better" if result.better[a, b] else "unclear"
            # Where lower is better, the lead of the first is not what subtracting the scores gives.
            pair = f"{result.systems[a]} {'-' if result.higher_is_better else 'and'} {result.systems[b]}"
            cells = [pair, figure(float(result.differences[a, b]), scale)]
            if result.low is not None and result.high is not None:
                low, high = float(result.low[a, b]), float(result.high[a, b])
                cells.append(f"{figure(low, scale)} to {figure(high, scale)}")
            p, adjusted = (smaller(float(m[a, b]), float(m[b, a])) for m in (result.p_values, result.adjusted))
            rows.append((*cells, p_digits(p, result.alpha), p_digits(adjusted, result.alpha), verdict))
    return Table(
        columns=columns,
        rows=tuple(rows),
        caption=ranking_paper.pairs_caption(result),
        figures=("difference", *([heading] if limits else []), "p", "adjusted p"),
        explain=ranking_paper.explanations_of_pairs(heading),
    )


def pair_records(result: Ranking) -> Iterator[dict[str, Any]]:
    """Every pair that was tested, the better system (or the one with the better score) first."""
    size = len(result.systems)
    tested = [(i, j) for i in range(size) for j in range(i + 1, size)]
    if result.baseline:
        tested = [pair for pair in tested if result.systems.index(result.baseline) in pair]
    for i, j in tested:
        a, b = (j, i) if result.better[j, i] else (i, j)
        p, adjusted = (smaller(float(m[a, b]), float(m[b, a])) for m in (result.p_values, result.adjusted))
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


def dataset_table(result: Ranking) -> Table | None:
    """The score of every system on every dataset that the average is made of, where these are few."""
    if result.by_dataset is None or not result.weighting or len(result.datasets) > _BESIDE:
        return None
    scale = scale_of_scores(result)
    rows = [
        (name, *(figure(float(score), scale) for score in scores), figure(result.scores[place], scale))
        for place, (name, scores) in enumerate(zip(result.systems, result.by_dataset, strict=True))
    ]
    weights = ("weight", *(f"{weight:.3g}" for weight in result.weights), "")
    columns = ("system", *result.datasets, "average")
    return Table(columns, (*rows, weights), figures=columns[1:])


def omnibus_table(result: Ranking) -> Table:
    """The tests of all systems at once."""
    rows = tuple(
        (test.label, f"{test.statistic:.4g}", p_digits(test.p_value, result.alpha), test.null)
        for test in result.omnibus
    )
    return Table(
        columns=("test", "statistic", "p", "null"),
        rows=rows,
        caption=ranking_paper.omnibus_caption(result),
        figures=("statistic", "p"),
    )
