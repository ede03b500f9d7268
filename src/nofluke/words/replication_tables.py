"""The small table of a replication's answer: the datasets, decided ones first."""

from __future__ import annotations

import math
from statistics import median

from nofluke.inference.replicating.analysis import LIST_OF
from nofluke.types import Replication, Table
from nofluke.words.numbers import figure, p_digits, signed

_MOST_ROWS = 6
_WIDEST_NAME = 14  # of a system above a column; longer names leave the difference alone
LISTS = {"holm": "Holm", "hommel": "Hommel", "fisher": "closed Fisher"}


def claims_of(result: Replication) -> list[tuple[str, Replication]]:
    """The claims that were judged, each with the system it is about."""
    a, b = result.systems
    return [(result.winner, result)] if result.opposite is None else [(a, result), (b, result.opposite)]


def first_named(result: Replication) -> str:
    """The system that the headline names first: the one that is shown to be better somewhere, if only one is."""
    (first, ahead), *others = claims_of(result)
    return others[0][0] if others and not ahead.count and others[0][1].count else first


def rows_shown(result: Replication) -> int:
    """All datasets where they fit, else one less, for the line that counts the others."""
    return len(result.datasets) if len(result.datasets) <= _MOST_ROWS else _MOST_ROWS - 1


def datasets_table(result: Replication) -> Table:
    """The datasets, decided ones first: scores and difference of the headline's first system, verdict, corrected p."""
    first = first_named(result)
    a, b = result.systems if first == result.systems[0] else result.systems[::-1]
    scale = _scale(result)
    scored = any(not math.isnan(value) for value in result.estimates)
    plain = not scored and result.opposite is None
    both = scored and max(len(a), len(b)) <= _WIDEST_NAME
    columns = ["dataset", *(["items"] if result.sizes else []), *([a, b] if both else [])]
    columns += [*(["difference"] if scored else []), "verdict"]
    columns += [*(["p"] if plain else []), f"p ({LISTS[LIST_OF[result.method]]})"]
    verdicts = [_verdict(result, first, place) for place in range(len(result.datasets))]
    order = sorted(range(len(verdicts)), key=lambda place: verdicts[place] in ("unclear", "not shown"))
    rows = []
    for place in order[: rows_shown(result)]:
        cells = [result.datasets[place], *([f"{result.sizes[place]:,}"] if result.sizes else [])]
        if both:
            pair = result.scores[place] if first == result.systems[0] else result.scores[place][::-1]
            cells += [figure(float(score), scale) for score in pair]
        if scored:
            gain = float(result.estimates[place]) * (1 if first == result.systems[0] else -1)
            cells.append(signed(gain, scale))
        cells += [verdicts[place], *([p_digits(float(result.p_values[place]))] if plain else [])]
        rows.append((*cells, p_digits(_corrected(result, place))))
    left = [verdicts[place] for place in order[rows_shown(result) :]]
    alike = "none of them shown" if set(left) == {"not shown"} else f"all {left[0]}" if len(set(left)) == 1 else ""
    more = f"{len(left):,} more{alike and ', '}{alike}: --details." if left else ""
    lower = "" if result.higher_is_better or not scored else " A positive difference is better (lower scores are)."
    figures = tuple(column for column in columns[1:] if column != "verdict")
    return Table(tuple(columns), tuple(rows), caption=f"{more}{lower}".strip(), figures=figures)


def _scale(result: Replication) -> float:
    """A typical standard error of a difference, by which scores are rounded; as printed where none is known."""
    ends = [
        abs(end - test.estimate)
        for test in result.tests
        if test.interval is not None
        for end in (test.interval.low, test.interval.high)
    ]
    known = [half / 2 for half in ends if math.isfinite(half) and half > 0]
    if known:
        return median(known)
    shown = [f"{score:.4g}".partition(".")[2] for score in result.scores.ravel() if math.isfinite(score)]
    return 10.0 ** (1 - max([len(decimals) for decimals in shown if "e" not in decimals], default=3))


def _verdict(result: Replication, first: str, place: int) -> str:
    name = result.datasets[place]
    for winner, claim in claims_of(result):
        if name in claim.identified:
            return "contradicted" if name in claim.contradicted else "better" if winner == first else "worse"
    return "unclear" if result.opposite is not None else "not shown"


def _corrected(result: Replication, place: int) -> float:
    """The corrected p-value of a dataset; of two directions the smaller one, doubled, so that alpha decides."""
    own = LIST_OF[result.method]
    values = [float(claim.adjusted[own][place]) for _, claim in claims_of(result)]
    return values[0] if len(values) == 1 else min(1.0, 2 * min(values))
