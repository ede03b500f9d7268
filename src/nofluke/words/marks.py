"""What single marks of a picture say of themselves, to the pointer and aloud: names and values in words.

Figures have the digits of the answers. Parts stand between "; ": a page shows each on a line of its own. Names of
systems come as the picture shows them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from nofluke.inference.ranking.family import NONE
from nofluke.types import Comparison, Interval, PowerCurve, Ranking, Replication, Study, Task
from nofluke.types.base import counted
from nofluke.words.numbers import (
    decimals_for,
    figure,
    hundredths,
    interval_text,
    level_text,
    p_digits,
    p_text,
    scale_of,
    signed,
)
from nofluke.words.planning import units
from nofluke.words.ranking_tables import scale_of_differences, scale_of_scores, smaller
from nofluke.words.replication import corrected_p
from nofluke.words.replication import scale_of as scale_of_datasets
from nofluke.words.studies.pairs import ENOUGH, amount, metric
from nofluke.words.tasks import judged_singly, scale_of_task

_SIGNS = ("<", ">", "u")  # how a printed p-value begins that is no plain number
_BIN_DIGITS = 10  # an edge is printed to about a tenth of a bin's width


def says(*parts: str) -> str:
    """Join what a mark says; empty parts are left out.

    >>> says("atlas", "score 0.650", "", "rank 1 to 2")
    'atlas; score 0.650; rank 1 to 2'
    """
    return "; ".join(part for part in parts if part)


def rank_text(low: int, high: int) -> str:
    """The ranks left open for a system.

    >>> rank_text(1, 2), rank_text(3, 3)
    ('rank 1 to 2', 'rank 3')
    """
    return f"rank {low}" if low == high else f"rank {low} to {high}"


def score_says(result: Ranking, place: int, name: str) -> str:
    """A system of a ranking with its score, interval and ranks."""
    scale, found = scale_of_scores(result), result.intervals[place]
    interval = "" if found is None else f"{level_text(found.level)} CI {_ends(found, scale)}"
    score = f"{result.metric or 'score'} {figure(result.scores[place], scale)}"
    return says(name, score, interval, rank_text(*result.rank_ranges[place]))


def _ends(interval: Interval, scale: float) -> str:
    """Both ends as the leaderboard prints them."""
    return f"{figure(interval.low, scale)} to {figure(interval.high, scale)}"


def ranks_say(result: Ranking, place: int, name: str) -> str:
    """A system with the ranks left open for it, and its place by score."""
    return says(name, rank_text(*result.rank_ranges[place]), f"number {place + 1} by score")


def place_says(result: Ranking, place: int, name: str) -> str:
    """A system with its mean rank, or else with its score."""
    if result.mean_ranks:
        return says(name, f"mean rank {result.mean_ranks[place]:.2f}")
    return says(name, f"{result.metric or 'score'} {figure(result.scores[place], scale_of_scores(result))}")


def group_says(names: Sequence[str]) -> str:
    """Neighbours that are not told apart."""
    return says(", ".join(names), "no clear difference")


class PairSays:
    """What each cell of a heat map says: who is better, by how much, and the p-value of the table."""

    def __init__(self, result: Ranking, names: Sequence[str]) -> None:
        self._result, self._names = result, names
        self._scale = scale_of_differences(result)
        self._adjusted = "" if result.adjust == NONE else "adjusted "

    def __call__(self, row: int, column: int) -> str:
        result, one, other = self._result, self._names[row], self._names[column]
        p = smaller(result.adjusted[row, column], result.adjusted[column, row])
        if result.better[row, column]:
            verdict = f"{one} is better than {other}"
        elif result.better[column, row]:
            verdict = f"{one} is worse than {other}"
        else:
            verdict = f"{one} and {other}; {'not tested' if math.isnan(p) else 'no clear difference'}"
        chance = "" if math.isnan(p) else f"{self._adjusted}{p_text(p, alpha=result.alpha)}"
        gap = signed(float(result.differences[row, column]), self._scale)
        return says(verdict, f"difference {gap}", chance)


def dataset_says(result: Replication, place: int, name: str, state: str) -> str:
    """A dataset with its difference, interval, what is shown of it, and the p-value of the table."""
    scale, interval = scale_of_datasets(result), result.tests[place].interval if result.tests else None
    chance = "" if result.contradicted else _adjusted(corrected_p(result, place))
    return says(name, _gap(float(result.estimates[place]), interval, scale), state, chance)


def task_says(result: Comparison, task: Task, name: str, state: str) -> str:
    """A dataset of an average, seen from its winner, in the same words."""
    scale = scale_of_task(task, result.effects["mean_difference"].standard_error)
    chance = _adjusted(p_digits(task.adjusted, result.alpha)) if judged_singly(result) else ""
    return says(name, _gap(task.difference, task.interval, scale), state, chance)


def average_says(result: Comparison, name: str, state: str) -> str:
    """The average of all datasets, as its winner sees it."""
    mean = result.effects["mean_difference"]
    gap = _gap(mean.value, mean.interval, mean.standard_error)
    return says(name, gap, state, p_text(result.test.p_value, alpha=result.alpha))


def _adjusted(printed: str) -> str:
    return f"adjusted p {printed if printed.startswith(_SIGNS) else f'= {printed}'}"


def _gap(value: float, interval: Interval | None, scale: float) -> str:
    known = interval is not None and (math.isfinite(interval.low) or math.isfinite(interval.high))
    shown = interval_text(interval, scale) if known and interval is not None else ""
    return says(f"difference {signed(value, scale)}", shown)


def difference_says(result: Comparison) -> str:
    """The mean difference with its interval, in the digits of the answer."""
    effect = result.effects["mean_difference"]
    return says("mean", _gap(effect.value, effect.interval, scale_of(effect))).replace("; ", " ", 1)


def quantile_says(result: Comparison, share: float, value: float, better: str) -> str:
    """How large the difference is at this share of all items in order."""
    gap = signed(value, result.effects["mean_difference"].standard_error)
    return says(
        f"at {share:.0f}% of the items", f"difference {gap}", better if better == "tied" else f"{better} better"
    )


def bins_say(name: str, edges: Sequence[float], counts: Sequence[int]) -> list[str]:
    """How many items lie in each bin of a histogram; edges have as many decimals as tell them apart.

    >>> bins_say("new", [0.0064, 0.1304625, 0.254525], [35, 1])
    ['new; 0.006 to 0.130; 35 items', 'new; 0.130 to 0.255; 1 item']
    >>> bins_say("old", [0, 0.5, 1], [8, 0]), bins_say("old", [0.7, 0.7], [5])
    (['old; 0.0 to 0.5; 8 items', 'old; 0.5 to 1.0; 0 items'], ['old; 0.7; 5 items'])
    """
    width = (edges[-1] - edges[0]) / len(counts)
    decimals = decimals_for(width / _BIN_DIGITS) if width > 0 else 4
    exact = [round(edge, decimals) for edge in edges]
    while decimals and all(round(edge, decimals - 1) == edge for edge in exact):
        decimals -= 1
    printed = [f"{edge:.{decimals}f}" for edge in (0.0 if edge == 0 else edge for edge in exact)]
    spans = zip(printed, printed[1:], counts, strict=False)
    return [
        says(name, low if low == high else f"{low} to {high}", counted(int(count), "item"))
        for low, high, count in spans
    ]


def chance_says(result: Comparison, value: float, probability: float, part: str) -> str:
    """How often chance alone gives this difference."""
    gap = signed(value, result.effects["mean_difference"].standard_error)
    return says(f"mean difference {gap}", f"probability {p_digits(probability)}", part)


def seen_says(result: Comparison, *, mirrored: bool = False) -> str:
    """The difference that was seen, or its mirror image."""
    effect = result.effects["mean_difference"]
    value = signed(-effect.value if mirrored else effect.value, scale_of(effect))
    return f"{'mirror image of the difference seen' if mirrored else 'difference seen'} {value}"


def probability_says(part: str, p: float) -> str:
    """How probable one part of a posterior is."""
    return says(part, f"probability {p:.3f}")


def size_says(result: PowerCurve, place: int) -> str:
    """The power of one size, with the error of its simulation."""
    low, high = float(result.low[place]), float(result.high[place])
    simulated = f"95% CI {low:.2f} to {high:.2f}" if low < high else ""
    return says(units(int(result.sizes[place]), result.unit), f"power {float(result.power[place]):.2f}", simulated)


def needed_says(result: PowerCurve) -> str:
    """How many items reach the power that was asked for."""
    return says(units(result.size_for_target, result.unit), f"power {result.target:g}")


def count_says(claim: str, u: int, total: int, p: float, method: str) -> str:
    """The p-value of a claim about at least so many datasets."""
    return says(f"{claim} on at least {u:,} of {counted(total, 'dataset')}", p_text(p), method)


def agreement_says(one: str, other: str, name: str, value: float) -> str:
    """How far two annotators agree."""
    return says(f"{one} and {other}", f"{name} {figure(value, 0.01)}")


def gain_says(study: Study, names: Mapping[str, str], gain: float, p: float) -> str:
    """The gain of one pair of systems, and its p-value; points that were laid over may have no names."""
    pair = " against ".join(names[side] for side in ("better", "worse") if side in names)
    return says(pair, f"gain in {metric(study)} {gain:.3g}", p_text(p))


def needed_gain_says(study: Study, pair: str, correlation: float, needed: float) -> str:
    """The gain that a pair needs, and how alike the two are."""
    return says(pair, f"correlation {correlation:.2f}", f"gain in {metric(study)} needed {amount(needed)}")


def threshold_says(study: Study, label: str, kind: str, value: float, near: int | None = None) -> str:
    """A threshold, and how many just significant comparisons it rests on."""
    rests = f"from {counted(near, 'just significant comparison')}" if near is not None and kind == ENOUGH else ""
    return says(label, f"gain in {metric(study)} {amount(value)} {kind}", rests)


def winners_say(study: Study, target: str, p: float, share: float, comparisons: int) -> str:
    """Of the comparisons with about this p-value, how many winners are better."""
    which = f"better on {target}" if "others" in study.settings else target
    return says(f"p about {p_digits(p)}", f"{hundredths(share)}% of {counted(comparisons, 'winner')} {which}")


def claimed_says(method: str, claimed: int, share: float) -> str:
    """In which share of simulated studies so many datasets are claimed."""
    return says(method, f"{counted(claimed, 'dataset')} claimed", f"{hundredths(share, 1)}% of studies")


def p_by_size_says(panel: str, items: int, mean: float, low: float, high: float) -> str:
    """The p-values of test sets of one size."""
    reach = f"from {p_digits(low)} to {p_digits(high)}" if low < high else ""
    return says(panel, counted(items, "item"), f"mean {p_text(mean)}", reach)


def system_says(study: Study, system: str, score: float) -> str:
    """The score of a synthesized system, which has model and training size in its name."""
    return says(system, f"{metric(study)} {score:.4g}")
