"""The small table of a replication's answer: the datasets, decided ones first."""

from __future__ import annotations

import math
from statistics import median

from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import Replication, Table
from nofluke.words.columns import table_lines, wide
from nofluke.words.fixes import DETAILS
from nofluke.words.layout import INDENT, WIDTH
from nofluke.words.numbers import figure, is_bound, p_digits, signed

MOST_ROWS = 6
_ORDER = {"contradicts": 0, "unclear": 2, "not shown": 2}  # all others, which are decided, stand between
LISTS = {"holm": "Holm", "hommel": "Hommel", "fisher": "closed Fisher"}


def claims_of(result: Replication) -> list[tuple[str, Replication]]:
    """The claims that were judged, each with the system it is about."""
    a, b = result.systems
    return [(result.winner, result)] if result.opposite is None else [(a, result), (b, result.opposite)]


def first_named(result: Replication) -> str:
    """The system that the headline names first: the one that is shown to be better somewhere, if only one is."""
    (first, ahead), *others = claims_of(result)
    return others[0][0] if others and not ahead.count and others[0][1].count else first


def rows_shown(result: Replication, most: int) -> int:
    """All datasets where they fit, else one less, for the line that counts the others."""
    return len(result.datasets) if len(result.datasets) <= most else most - 1


def datasets_table(result: Replication, most: int) -> Table:
    """The datasets, decided ones first: scores and difference of the headline's first system, verdict, corrected p."""
    room = WIDTH - len(INDENT)
    # Long names of systems leave no room for all columns: first the items go, then the scores.
    for sizes, scores in ((True, True), (False, True), (True, False)):
        made = _datasets(result, most, with_sizes=sizes, with_scores=scores)
        if max(map(wide, table_lines(made, room))) <= room:
            break
    return made


def _datasets(result: Replication, most: int, *, with_sizes: bool, with_scores: bool) -> Table:
    first = first_named(result)
    a, b = result.systems if first == result.systems[0] else result.systems[::-1]
    scale = _scale(result)
    scored = any(not math.isnan(value) for value in result.estimates)
    # Contradicted p-values are shown as they were given; those that hold for a claim are not known.
    given = bool(result.contradicted) or (not scored and result.opposite is None)
    both, corrected = scored and with_scores, not result.contradicted
    sized = bool(result.sizes) and with_sizes
    columns = ["dataset", *(["items"] if sized else []), *([a, b] if both else [])]
    columns += [*(["difference"] if scored else []), "verdict"]
    columns += [*(["p"] if given else []), *([f"p ({LISTS[LIST_OF[result.method]]})"] if corrected else [])]
    verdicts = [_verdict(result, first, place) for place in range(len(result.datasets))]
    # What contradicts the claim most comes first, then what is decided, each in the order of the datasets.
    order = sorted(
        range(len(verdicts)),
        key=lambda place: (
            _ORDER.get(verdicts[place], 1),
            result.p_values[place] if verdicts[place] == "contradicts" else 0.0,
        ),
    )
    rows = []
    for place in order[: rows_shown(result, most)]:
        cells = [result.datasets[place], *([f"{result.sizes[place]:,}"] if sized else [])]
        if both:
            pair = result.scores[place] if first == result.systems[0] else result.scores[place][::-1]
            cells += [figure(float(score), scale) for score in pair]
        if scored:
            gain = float(result.estimates[place]) * (1 if first == result.systems[0] else -1)
            cells.append(signed(gain, scale))
        cells += [verdicts[place], *([p_digits(float(result.p_values[place]), result.level)] if given else [])]
        rows.append((*cells, *([_corrected(result, place)] if corrected else [])))
    left = [verdicts[place] for place in order[rows_shown(result, most) :]]
    alike = "none of them shown" if set(left) == {"not shown"} else f"all {left[0]}" if len(set(left)) == 1 else ""
    more = f"{len(left):,} more{alike and ', '}{alike}: {DETAILS}." if left else ""
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
    if result.contradicted:
        return "contradicts" if name in result.contradicted else "better" if name in result.turned else "not shown"
    for winner, claim in claims_of(result):
        if name in claim.identified:
            return "better" if winner == first else "worse"
    return "unclear" if result.opposite is not None else "not shown"


def _corrected(result: Replication, place: int) -> str:
    """The corrected p-value of a dataset; of two directions the smaller one, doubled, so that alpha decides.

    One that rests on a test's bound is itself no more than a bound.
    """
    own, claims = LIST_OF[result.method], [claim for _, claim in claims_of(result)]
    value, claim = min(((float(claim.adjusted[own][place]), claim) for claim in claims), key=lambda one: one[0])
    p = p_digits(value, result.level) if len(claims) == 1 else p_digits(min(1.0, 2 * value), result.alpha)
    return f"<= {p}" if claim.tests and is_bound(claim.tests[place]) and p[0] != "<" else p
