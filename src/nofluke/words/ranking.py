"""What a Ranking says: who could be the best, how many pairs show a clear difference, and what holds together."""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.inference.ranking.family import DISCOVERY, MAX_T, NONE, directions_hold
from nofluke.registry import CORRECTIONS
from nofluke.types import Answer, Ranking
from nofluke.types.base import counted
from nofluke.words.notes import matters
from nofluke.words.numbers import figure, level_text, p_text, signed, spelled
from nofluke.words.ranking_tables import beside_baseline, leaderboard, scale_of_differences

_MOST_NOTES = 3
# Notes that change how the answer is read, most important first; those told elsewhere or for details only below.
_URGENT = tuple(
    f"rank.{what}"
    for what in (
        *("side_from_scores", "items_of_pairs", "bootstrap_undefined", "t_undefined"),
        *("bootstrap_optimistic", "skewed", "identical", "bh"),
    )
)
_TOLD = tuple(
    f"rank.{what}"
    for what in (
        *("too_few", "datasets_are_items", "baseline_only", "one_side_tested", "by", "max_t", "linearised"),
        "no_joint_intervals",
    )
)
# What "better" means where the test is not about the mean.
MEANINGS = {
    "items": "Here better means better on more {units} than worse; it says nothing about the mean.",
    "ranks": "Here better means that the differences lean towards a system; it says nothing about the mean.",
    "median": "Here better means a better median difference; it says nothing about the mean.",
}


def answer(result: Ranking) -> Answer:
    """The verdict, the systems with the ranks left open for them, and with which confidence all of it holds."""
    table = beside_baseline(result) if result.baseline else leaderboard(result)
    table = replace(table, caption=_caption(result, len(result.systems) - len(table.rows)))
    points = (("Better", meaning(result)), ("Unit", unit_sentence(result)), ("Power", _power(result)))
    settled = any(low == high == 1 for low, high in result.rank_ranges)
    return Answer(
        verdict=headline(result),
        table=table,
        points=tuple(point for point in points if point[1]),
        notes=_notes(result),
        tone="settled" if settled else "open",
    )


def headline(result: Ranking) -> str:
    """Say who could be the best and how many pairs differ clearly; first of all, where no verdict was possible."""
    few = next((note for note in result.notes if note.code == "rank.too_few"), None)
    if few is not None:
        are = "is" if few["n"] == 1 else "are"
        return (
            f"No verdict is possible: {counted(few['n'], few['unit'])} {are} too few to show any difference "
            f"(at least {few['needed']:,} are needed)."
        )
    if len(result.systems) == 2:
        return _two(result)
    if result.baseline:
        return _others_than_baseline(result)
    size, pairs, found = len(result.systems), result.pairs, result.separated
    if not found:
        return f"None of {pairs:,} pairs shows a clear difference: any of the {size:,} systems could be the best."
    shows = f"all {pairs:,} pairs show" if found == pairs else f"{found:,} of {pairs:,} pairs {_verb(found, 'show')}"
    first = could_be_best(result)
    if len(first) == 1 and result.rank_range(first[0]) == (1, 1):
        return f"{first[0]} is the best of {size:,} systems; {shows} a clear difference."
    if len(first) == size:
        return f"Any of the {size:,} systems could be the best; {shows} a clear difference."
    return f"{spelled(len(first))} of {size:,} systems could be the best; {shows} a clear difference."


def could_be_best(result: Ranking) -> list[str]:
    """The systems whose range of ranks begins at 1."""
    return [name for name, (low, _) in zip(result.systems, result.rank_ranges, strict=True) if low == 1]


def _two(result: Ranking) -> str:
    a, b = result.systems
    p = _smallest_p(result, 0, 1)
    if result.separated:
        winner, loser = (0, 1) if result.better[0, 1] else (1, 0)
        gain = signed(float(result.differences[winner, loser]), scale_of_differences(result))
        by = f": {gain}{'' if result.higher_is_better else ' (lower is better)'}, {p}" if result.about == "mean" else ""
        return f"{result.systems[winner]} is better than {result.systems[loser]}{by or f' ({p})'}."
    if result.baseline and result.alternative != "two-sided":
        other = b if a == result.baseline else a
        return f"{other} is {not_shown(result)} than {result.baseline} ({p})."
    return f"No clear winner: {size_of(result)} cannot tell {a} and {b} apart ({p})."


def _others_than_baseline(result: Ranking) -> str:
    base = result.systems.index(result.baseline)
    better, worse = int(result.better[:, base].sum()), int(result.better[base].sum())
    rest = result.pairs - better - worse
    told = [] if result.alternative == "less" else [f"{_number_is(better)} better"]
    told += [] if result.alternative == "greater" else [f"{_number_is(worse)} worse"]
    told[0] += f" than {result.baseline}"
    unclear = "unclear" if result.alternative == "two-sided" else not_shown(result)
    return f"Of {result.pairs:,} other systems, {', '.join(told)} and {_number_is(rest)} {unclear}."


def not_shown(result: Ranking) -> str:
    """What is said of a system for which no claim stands; a side that was not tested is not spoken of."""
    if result.baseline and result.alternative != "two-sided":
        return f"not shown to be {'better' if result.alternative == 'greater' else 'worse'}"
    return "unclear"


def _number_is(number: int) -> str:
    return f"{number:,} {'is' if number == 1 else 'are'}" if number else "none is"


def _verb(number: int, verb: str) -> str:
    return f"{verb}s" if number == 1 else verb


def _smallest_p(result: Ranking, i: int, j: int) -> str:
    """The smaller corrected p-value of a pair; as a bound where it is one, or the least that draws allow."""
    p, at = min((float(result.adjusted[cell]), cell) for cell in ((i, j), (j, i)) if result.adjusted[cell] >= 0)
    how, least = str(result.computed[at]), result.claims / (1 + result.resamples)
    bound = how == "bound" or (how == "linear+correction" and p < 10 / max(result.resamples, 1))
    drawn = result.adjust == MAX_T or how == "monte-carlo"
    return p_text(p, "<=" if bound or (drawn and p <= least * (1 + 1e-9)) else "=")


def unit_of(result: Ranking, number: int) -> str:
    """Name what n counts: items, evaluation units or datasets."""
    word = "dataset" if len(result.datasets) > 1 else "unit" if result.unit_size > 1 else "item"
    return word if number == 1 else f"{word}s"


def size_of(result: Ranking) -> str:
    """Say on how many items, units or datasets the systems were compared."""
    if result.lengths:
        return f"{range_of(result.lengths)} scores per system, not matched"
    if result.pair_sizes is not None:
        return f"{range_of(result.pair_sizes[result.pair_sizes > 0].astype(int).tolist())} items per pair"
    size = f" of {result.unit_size:,} items" if result.unit_size > 1 else ""
    clusters = f" in {counted(result.clusters, 'cluster')}" if result.clusters else ""
    return f"{result.n:,} {unit_of(result, result.n)}{size}{clusters}"


def range_of(lengths: tuple[int, ...] | list[int]) -> str:
    """Give "60" or "50 to 60"."""
    low, high = min(lengths), max(lengths)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def meaning(result: Ranking) -> str:
    """What better means, where the test is not about the mean."""
    if result.lengths and result.about == "ranks":
        return "Here better means that a score of the system tends to be better; it says nothing about the mean."
    return MEANINGS.get(result.about, "").format(units=unit_of(result, 2))


def unit_sentence(result: Ranking) -> str:
    """Say that the dataset is the unit, where it is."""
    if len(result.datasets) < 2:
        return ""
    return f"The dataset is the unit: the ranking speaks of datasets like these {result.n:,}, not of their items."


def _power(result: Ranking) -> str:
    found = result.detectable
    if found is None or math.isnan(found.difference) or result.separated == result.pairs:
        return ""
    typical = "" if result.pairs == 1 else " between two typical systems"
    sure = "" if result.adjust == NONE or result.pairs == 1 else "at least "
    times = f"{found.power * 10:g} of 10" if found.power * 10 % 1 == 0 else f"{found.power * 100:g} of 100"
    sets = "such collections" if len(result.datasets) > 1 else "test sets"
    by = "" if result.about == "mean" else " by a test of the mean"
    gap = figure(found.difference, found.standard_error)
    # Pairs on items of their own: the typical pair was looked at on the items that all systems have.
    size = size_of(result) if result.pair_sizes is None else counted(result.n, "item")
    return f"{size} {_verb(result.n, 'reveal')} a true gap of {gap}{typical} in {sure}{times} {sets}{by}."


def correction_name(result: Ranking) -> str:
    """Name the correction in a word or two."""
    named = {NONE: "no correction", MAX_T: f"step-down max-t, {result.resamples:,} draws, seed {result.seed}"}
    return named[result.adjust] if result.adjust in named else CORRECTIONS[result.adjust].label


def pairs_tested(result: Ranking) -> str:
    """Name the pairs that were tested."""
    if result.baseline:
        return f"{counted(result.pairs, 'pair')} with {result.baseline}"
    return {1: "the pair", 2: "both pairs"}.get(result.pairs, f"all {result.pairs:,} pairs")


def _holds(result: Ranking) -> str:
    """With which confidence all of it holds, and by which tests."""
    one_sided = ", one-sided" if result.alternative != "two-sided" else ""
    how = f"({result.label}{one_sided}, {pairs_tested(result)}, {correction_name(result)}{_draws(result)})"
    sure = level_text(1 - result.alpha)
    if len(result.systems) == 2:
        return _test_of_two(result)
    if directions_hold(result) and not result.separated:
        return f"All claims were judged together, with {sure} confidence {how}."
    if directions_hold(result):
        what = "The verdicts" if result.baseline else "The ranks"
        return f"{what} hold for all systems together with {sure} confidence {how}."
    if result.adjust == NONE:
        chance = f"{result.pairs * result.alpha:.3g} of {result.pairs:,} pairs"
        return f"Without a correction about {chance} would show a difference by chance alone {how}."
    if result.adjust in DISCOVERY:
        share = level_text(result.alpha)
        kept = f"On average at most {share} of the claimed differences are false"
        return f"{kept}; the ranks carry no joint confidence {how}."
    return f"The ranks carry no joint confidence with these tests {how}."


def _test_of_two(result: Ranking) -> str:
    """Both directions of one pair, corrected for each other, are the two-sided test."""
    sides = "two-sided" if result.alternative == "two-sided" else "one-sided"
    more = f", {correction_name(result)}" if result.adjust in (MAX_T, "by") else ""
    return f"Test: {result.label}, {sides}{more}{_draws(result)}."


def _draws(result: Ranking) -> str:
    """How many random draws the p-values come from, where they do; those of max-t belong to its name."""
    drawn = result.seed is not None and result.adjust != MAX_T
    return f", {result.resamples:,} random draws, seed {result.seed}" if drawn else ""


def _caption(result: Ranking, more: int) -> str:
    rest = f"{counted(more, 'more system')}: --details. " if more else ""
    lower = "" if result.higher_is_better or len(result.systems) == 2 else f"Lower {result.metric} is better. "
    return f"{rest}{lower}{_holds(result)}"


def _notes(result: Ranking) -> tuple[str, ...]:
    """At most three notes, those that change how the ranking is read first."""
    coded = {note.code: note for note in result.notes}
    urgent = [coded[code] for code in _URGENT if code in coded]
    others = [note for note in result.notes if note.code not in (*_URGENT, *_TOLD)]
    others = [note for note in others if matters(note)]
    return tuple(str(note) for note in (*urgent, *left_out(result), *others))[:_MOST_NOTES]


def left_out(result: Ranking) -> tuple[str, ...]:
    """How items were matched, where some were left out."""
    alignment = result.alignment
    return () if alignment is None or not (alignment.dropped or alignment.leftover) else (f"{alignment}.",)
