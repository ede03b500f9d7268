"""The small tables of a ranking's answer: the leaderboard, two systems, the systems beside a baseline."""

from __future__ import annotations

import math
from statistics import median

from nofluke.inference.ranking.family import MAX_T, NONE
from nofluke.registry import CORRECTIONS
from nofluke.types import Ranking, Table
from nofluke.words.numbers import figure, level_text, p_digits, signed

MOST_ROWS = 15
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Of the pairs without a common letter at most this share may be unclear.
_MOST_UNCLEAR = 0.25


def scale_of_scores(result: Ranking) -> float:
    """A typical standard error, by which scores are rounded."""
    halves = [(i.high - i.low) / 4 for i in result.intervals if i is not None and math.isfinite(i.high - i.low)]
    return median(halves) if halves and median(halves) > 0 else math.nan


def scale_of_differences(result: Ranking) -> float:
    """The standard error of a typical difference, or that of scores where it is not known."""
    known = result.detectable is not None and result.detectable.standard_error > 0
    return result.detectable.standard_error if known and result.detectable else scale_of_scores(result)


def leaderboard(result: Ranking) -> Table:
    """Systems, best score first: the ranks left open, score, interval, whom it beats, and its groups."""
    if len(result.systems) == 2:
        return _of_two(result)
    scale, letters = scale_of_scores(result), group_letters(result)
    columns = ["rank", "system", *_score_headings(result), "beats", *(["group"] if letters else [])]
    rows = []
    for place, name in enumerate(result.systems[:MOST_ROWS]):
        low, high = result.rank_ranges[place]
        cells = [str(low) if low == high else f"{low} to {high}", name, *_score_cells(result, place, scale)]
        cells += [f"{int(result.better[place].sum()):,}", *([_shortened(letters[name])] if letters else [])]
        rows.append(tuple(cells))
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        figures=tuple(columns[2:-1] if letters else columns[2:]),
    )


def _of_two(result: Ranking) -> Table:
    scale = scale_of_scores(result)
    rows = tuple((name, *_score_cells(result, place, scale)) for place, name in enumerate(result.systems))
    columns = ("system", *_score_headings(result))
    return Table(columns, rows, figures=columns[1:])


def _score_headings(result: Ranking) -> tuple[str, ...]:
    level = next((interval.level for interval in result.intervals if interval is not None), None)
    return (result.metric, *([f"{level_text(level)} CI"] if level is not None else []))


def _score_cells(result: Ranking, place: int, scale: float) -> list[str]:
    cells, interval = [figure(result.scores[place], scale)], result.intervals[place]
    if any(one is not None for one in result.intervals):
        cells.append("" if interval is None else f"{figure(interval.low, scale)} to {figure(interval.high, scale)}")
    return cells


def beside_baseline(result: Ranking) -> Table:
    """The baseline and the others, decided ones first where there are too many to show."""
    if len(result.systems) == 2:
        return _of_two(result)
    scale, base = scale_of_scores(result), result.systems.index(result.baseline)
    decided = [bool(result.better[place, base] or result.better[base, place]) for place in range(len(result.systems))]
    ordered = sorted(range(len(result.systems)), key=lambda place: (place != base, not decided[place]))
    shown = sorted(ordered[:MOST_ROWS])
    p_heading = "p" if result.adjust == NONE else f"p ({_short_correction(result)})"
    columns = ("system", *_score_headings(result), "difference", "verdict", p_heading)
    rows = []
    for place in shown:
        cells = [result.systems[place], *_score_cells(result, place, scale)]
        if place == base:
            rows.append((*cells, "", "baseline", ""))
            continue
        word = "better" if result.better[place, base] else "worse" if result.better[base, place] else "unclear"
        if not decided[place] and result.alternative != "two-sided":
            word = "not shown"
        gap = signed(float(result.differences[place, base]), scale_of_differences(result))
        p = smaller(result.adjusted[place, base], result.adjusted[base, place])
        rows.append((*cells, gap, word, p_digits(p, result.alpha)))
    figures = tuple(column for column in columns[1:] if column != "verdict")
    return Table(columns, tuple(rows), figures=figures)


def _short_correction(result: Ranking) -> str:
    return "max-t" if result.adjust == MAX_T else CORRECTIONS[result.adjust].label


def smaller(first: float, second: float) -> float:
    """The smaller of two p-values, of which one may not have been tested."""
    known = [float(value) for value in (first, second) if not math.isnan(value)]
    return min(known) if known else math.nan


def group_letters(result: Ranking) -> dict[str, str]:
    """Give each system the letters of its groups; nothing where there are more groups than letters, or they mislead.

    Systems without a common letter are taken for clearly different, so few such pairs may be unclear.
    """
    joined = [group for group in result.groups if len(group) > 1]
    if not 0 < len(joined) <= len(_LETTERS):
        return {}
    unclear = result.open_outside_groups
    if unclear > _MOST_UNCLEAR * (unclear + result.separated):
        return {}
    return {
        name: "".join(letter for letter, group in zip(_LETTERS, joined, strict=False) if name in group)
        for name in result.systems
    }


def _shortened(letters: str) -> str:
    """Groups are runs of neighbours, so the letters of a system follow each other: bcdef is b-f."""
    return letters if len(letters) <= 3 else f"{letters[0]}-{letters[-1]}"
