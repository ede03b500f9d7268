"""What a ranking says, in words that can be read aloud."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from nofluke.inference.ranking.detectable import power_in_words
from nofluke.inference.ranking.family import DISCOVERY, FAMILYWISE, MAX_T, NONE
from nofluke.inference.wording import figure, p_in_figures
from nofluke.registry import CORRECTIONS
from nofluke.types import Ranking
from nofluke.types.base import counted

_NAMED = 8
# What "better" means where the test is not about the mean.
_MEANINGS = {
    "items": "Better means: better on more items than worse, which says nothing about the mean.",
    "ranks": "Better means: the differences lean towards the system, which says nothing about the mean.",
    "median": "Better means: the median difference favours the system, which says nothing about the mean.",
}


def headline_of(ranking: Ranking) -> str:
    """Say who could be the best, and how many pairs are separated."""
    if ranking.baseline:
        return _against_baseline(ranking)
    size, pairs, separated = len(ranking.systems), ranking.pairs, ranking.separated
    if size == 2:
        return _two(ranking)
    share = (
        f"{separated:,} of {pairs:,} pairs are separated" if separated != 1 else f"1 of {pairs:,} pairs is separated"
    )
    first = [name for name, (low, _) in zip(ranking.systems, ranking.rank_ranges, strict=True) if low == 1]
    if not separated:
        return f"None of the {pairs:,} pairs of {size:,} systems is separated: any of them could be the best."
    if len(first) == 1 and ranking.rank_range(first[0]) == (1, 1):
        return f"{first[0]} is the best of {size:,} systems: it is separated from all others; {share}."
    if len(first) == size:
        return f"Any of the {size:,} systems could be the best; {share}."
    return f"{len(first):,} of {size:,} systems could be the best: {named(first)}; {share}."


def _two(ranking: Ranking) -> str:
    a, b = ranking.systems
    if not ranking.separated:
        return f"{a} and {b} are not separated."
    winner, loser = (a, b) if ranking.better[0, 1] else (b, a)
    return f"{winner} is better than {loser}."


def _against_baseline(ranking: Ranking) -> str:
    base = ranking.systems.index(ranking.baseline)
    better, worse = int(ranking.better[:, base].sum()), int(ranking.better[base].sum())
    rest = ranking.pairs - better - worse
    counts = [] if ranking.alternative == "less" else [(better, "better")]
    counts += [] if ranking.alternative == "greater" else [(worse, "worse")]
    parts = [f"{_counted(number)} {word} than {ranking.baseline}" for number, word in counts]
    left = not_shown(ranking).replace("separated", "separated from it")
    left = left if ranking.alternative == "two-sided" else f"{left} than it"
    many = f"{ranking.pairs:,} other system{'' if ranking.pairs == 1 else 's'}"
    return f"Of {many} {', '.join(parts)}, and {_counted(rest)} {left}."


def not_shown(ranking: Ranking) -> str:
    """What is said of a system for which no claim stands; a side that was not tested is not spoken of."""
    if ranking.baseline and ranking.alternative != "two-sided":
        return f"not shown to be {'better' if ranking.alternative == 'greater' else 'worse'}"
    return "not separated"


def range_of(lengths: Sequence[int]) -> str:
    """Give "60" or "50 to 60"."""
    low, high = min(lengths), max(lengths)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _counted(number: int) -> str:
    return f"{number:,} {_is(number)}" if number else "none is"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def named(names: list[str]) -> str:
    """Join names as a person would say them; after eight the rest is counted."""
    if len(names) > _NAMED:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentences_of(ranking: Ranking) -> tuple[str, ...]:
    """Say what the claims promise, which test was run, what ranges and intervals are, and what all systems say."""
    found = (
        _promise(ranking),
        _test(ranking),
        _meaning(ranking),
        _ranges(ranking),
        _intervals(ranking),
        power_in_words(ranking),
        _order(ranking),
        *_omnibus(ranking),
    )
    return tuple(sentence for sentence in found if sentence)


def _meaning(ranking: Ranking) -> str:
    if ranking.lengths and ranking.about == "ranks":
        return "Better means: a score of the system tends to be better, which says nothing about the mean."
    return _MEANINGS.get(ranking.about, "").replace("items", unit_of(ranking, 2))


def unit_of(ranking: Ranking, number: int) -> str:
    """Name what n counts: items, evaluation units or datasets."""
    word = "dataset" if len(ranking.datasets) > 1 else "unit" if ranking.unit_size > 1 else "item"
    return word if number == 1 else f"{word}s"


def correction_in_words(ranking: Ranking) -> str:
    """Name the correction and what it was made over."""
    claims = f"{ranking.claims:,}"
    if ranking.adjust == NONE:
        return f"no correction for {ranking.pairs:,} pairs"
    if ranking.adjust == MAX_T:
        draws = f"{ranking.resamples:,} resamples, seed {ranking.seed}"
        return f"step-down max-t over {claims} pairs (shared sign flips, {draws})"
    what = "two-sided tests" if ranking.family == "pairs" and ranking.alternative == "two-sided" else "one-sided claims"
    return f"{CORRECTIONS[ranking.adjust].label} over {claims} {what}"


def directions_hold(ranking: Ranking) -> bool:
    """Whether the chance of any false claim, directions included, is at most alpha; then rank ranges hold together.

    Bonferroni over two-sided tests is Bonferroni over both one-sided claims of each.
    """
    if ranking.alternative != "two-sided" and not ranking.baseline:
        return False
    both_ways = ranking.family == "directions" or ranking.alternative != "two-sided"
    return ranking.adjust in (MAX_T, "bonferroni") or (ranking.adjust in FAMILYWISE and both_ways)


def _promise(ranking: Ranking) -> str:
    level = f"{ranking.alpha * 100:g} of 100"
    if ranking.adjust == NONE:
        chance = ranking.pairs * ranking.alpha
        return (
            f"Each pair was judged at alpha = {ranking.alpha:g} without a correction: if all systems were equally "
            f"good, about {chance:.3g} of {ranking.pairs:,} pairs would come out as separated by chance."
        )
    how = f"Correction: {correction_in_words(ranking)}, alpha = {ranking.alpha:g}."
    if ranking.adjust in DISCOVERY:
        return f"{how} On average at most {level} of the claims made are false; single claims may well be."
    if ranking.alternative == "greater" and not ranking.baseline:
        return (
            f"{how} Which side was tested came from the scores themselves, so the chance of a false claim is up to "
            f"twice {level}."
        )
    if not directions_hold(ranking):
        return f"{how} That a pair of equal systems is called different happens in at most {level} such studies."
    return f"{how} In at most {level} such studies is any of these claims false, directions included."


def _test(ranking: Ranking) -> str:
    size = f" of {ranking.unit_size:,} items" if ranking.unit_size > 1 else ""
    number = f"n = {ranking.n:,} {unit_of(ranking, ranking.n)}{size}"
    if ranking.lengths:
        number = f"{range_of(ranking.lengths)} scores of each system, not matched"
    if ranking.pair_sizes is not None:
        sizes = ranking.pair_sizes[ranking.pair_sizes > 0].astype(int).tolist()
        number = f"n = {range_of(sizes)} items a pair"
    clusters = f" in {ranking.clusters:,} clusters" if ranking.clusters else ""
    return (
        f"Test: {ranking.label}, {number}{clusters}. Null: {ranking.null}. "
        f"Computed: {computed_in_words(ranking)}; validity: {ranking.validity}."
    )


_WAYS = {
    "exact": "exactly",
    "saddlepoint": "by saddlepoint",
    "inversion": "by Fourier inversion",
    "gram": "by Fourier inversion",
    "normal": "by the normal approximation",
    "approximate": "approximately",
    "monte-carlo": "by random draws",
    "linear": "by their straight-line part",
    "bound": "as bounds",
    "linear+correction": "by straight-line part and draws",
}


def computed_in_words(ranking: Ranking) -> str:
    """Say how many p-values were obtained in which way."""
    tested = ~np.isnan(ranking.p_values)
    counts = Counter(_WAYS.get(str(how), str(how)) for how in ranking.computed[tested])
    draws = f" ({ranking.resamples:,} draws, seed {ranking.seed})" if ranking.seed is not None else ""
    if len(counts) == 1:
        near = ", near enough for every verdict" if counts["by saddlepoint"] or counts[_WAYS["linear"]] else ""
        return f"{next(iter(counts))}{'' if ranking.adjust == MAX_T else draws}{near}"
    told = {way: f"{way} ({counted(count, 'p-value')})" for way, count in counts.most_common()}
    rough = [told.pop(way) for way in (_WAYS["saddlepoint"], _WAYS["linear"]) if way in told]
    finer = " or ".join(told.values())
    if not rough or not finer:
        return " or ".join((*rough, *told.values()))
    return f"{' or '.join(rough)} or, wherever that could change a verdict, {finer}"


def _ranges(ranking: Ranking) -> str:
    if ranking.baseline or len(ranking.systems) == 2:
        return ""
    what = "A rank range holds every rank that the separated pairs leave open."
    if directions_hold(ranking):
        return f"{what} All ranges hold together with {(1 - ranking.alpha) * 100:g}% confidence."
    return f"{what} With this family and correction the ranges carry no confidence as a whole."


def _intervals(ranking: Ranking) -> str:
    interval = next((interval for interval in ranking.intervals if interval is not None), None)
    if interval is None:
        return ""
    over = " over datasets" if len(ranking.datasets) > 1 else ""
    text = f"Intervals are {interval.level * 100:g}% intervals of each system's own score ({interval.method}{over})"
    if ranking.lengths:
        return f"{text}."
    units = unit_of(ranking, 2)
    return f"{text}; systems are compared on the same {units}, so overlapping intervals do not mean equal systems."


def _order(ranking: Ranking) -> str:
    if not ranking.out_of_order:
        return ""
    shown = "; ".join(f"{better} over {worse}" for better, worse in ranking.out_of_order[:5])
    more = len(ranking.out_of_order) - 5
    rest = f"; and {more:,} more" if more > 0 else ""
    return f"Separated against the order of the scores: {shown}{rest}."


def _omnibus(ranking: Ranking) -> list[str]:
    found = [
        f"All systems together, {result.label}: statistic "
        f"{figure(result.statistic, math.nan)}, {p_in_figures(result.p_value)}."
        for result in ranking.omnibus
    ]
    if math.isfinite(ranking.critical_difference):
        found.append(
            f"Mean ranks {ranking.critical_difference:.3g} or more apart would be separated by Nemenyi's test, which "
            "is shown for comparison: its verdict on two systems depends on the others."
        )
    return found
