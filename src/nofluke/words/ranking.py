"""What a Ranking says: who could be the best, how many pairs show a clear difference, and what holds together."""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.errors import Option
from nofluke.inference.ranking.family import MAX_T, NONE, directions_hold, limits_discoveries
from nofluke.registry import CORRECTIONS
from nofluke.types import Answer, Note, Ranking, Table
from nofluke.types.base import counted
from nofluke.words.columns import table_lines
from nofluke.words.evidence import nothing_ruled_out, span_of
from nofluke.words.fixes import DETAILS
from nofluke.words.layout import INDENT, WIDTH, as_lines, with_short_names, without
from nofluke.words.notes import matters
from nofluke.words.numbers import figure, interval_text, level_text, p_text, signed, spelled
from nofluke.words.ranking_tables import MOST_ROWS, beside_baseline, group_letters, leaderboard, scale_of_differences
from nofluke.words.tasks import averaged_over, grouped, weights_of_ranking
from nofluke.words.test_result import mirrored

_MOST_NOTES = 3
_MOST_BESIDE = 10  # lines beside those of the systems
# Notes that change how the answer is read, most important first; those told elsewhere or for details only below.
_URGENT = (
    "test.two_runs",
    *(
        f"rank.{what}"
        for what in (
            *("side_from_scores", "items_of_pairs", "runs", "bootstrap_undefined", "t_undefined"),
            *("bootstrap_optimistic", "skewed", "identical", "bh"),
        )
    ),
)
_TOLD = (
    *("rank.too_few", "rank.datasets_are_items", "rank.baseline_only", "rank.one_side_tested", "rank.by", "rank.max_t"),
    *("rank.linearised", "rank.no_joint_intervals", "align.left_out", "align.leftover"),
)
# What "better" means where the test is not about the mean.
MEANINGS = {
    "items": "Better: on more {units} than worse; the mean is not tested.",
    "ranks": "Better: differences tend to favour it; the mean is not tested.",
    "median": "Better: the median difference favours it; the mean is not tested.",
}


def answer(result: Ranking) -> Answer:
    """The verdict, the systems with the ranks left open for them, and with which confidence all of it holds."""
    if noted(result, "rank.too_few"):
        return _without_verdict(result)
    points = (
        ("Range", _range(result)),
        ("Meaning", meaning(result)),
        ("Unit", unit_sentence(result)),
        ("Weights", weights_of_ranking(result)),
        ("Power", _power(result)),
    )
    settled = any(low == high == 1 for low, high in result.rank_ranges)
    made = Answer(
        verdict=headline(result),
        points=tuple(point for point in points if point[1]),
        notes=_notes(result),
        tone="settled" if settled else "open",
    )
    return _fitted(result, made, beside_baseline(result) if result.baseline else leaderboard(result))


def _without_verdict(result: Ranking) -> Answer:
    """Where no test could show anything every rank is open: no rows, but which tests these were and what to do."""
    label = f"{result.label[0].upper()}{result.label[1:]}"
    points = (("Instead", _instead(result)), ("Test", f"{label}, {_over_pairs(result)}."))
    return Answer(headline(result), points=tuple(point for point in points if point[1]), notes=_notes(result))


def _instead(result: Ranking) -> str:
    """How to rank by items where there are too few datasets; datasets of one item leave no other way."""
    sizes = noted(result, "rank.datasets_are_items")
    if sizes is None or sizes["high"] < 2:
        return ""
    return f"To rank on the average of these {result.noun}s, item by item: {Option('over', 'items')}."


def _fitted(result: Ranking, made: Answer, table: Table) -> Answer:
    """Keep to ten lines beside the rows: power is left to the details first, then what weights cost, then notes from
    the last, then the weights; then rows.

    The last note stays: if it takes a line too many, that is one of the rows.
    """
    while True:
        more = len(result.systems) - len(table.rows)
        made = replace(made, table=replace(table, caption=_caption(result, more)))
        rows = len(table_lines(with_short_names(made).table or table, WIDTH - len(INDENT))) - 1
        beside = len(as_lines(made)) - rows
        if beside <= _MOST_BESIDE and (result.baseline or rows <= MOST_ROWS):
            return made
        if beside <= _MOST_BESIDE:
            table = replace(table, rows=table.rows[:-1])
        elif any(label == "Power" for label, _ in made.points):
            made = without(made, "Power")
        elif (brief := _with_brief_weights(result, made)) != made:
            made = brief
        elif len(made.notes) > 1:
            made = replace(made, notes=made.notes[:-1])
        elif any(label == "Weights" for label, _ in made.points) and not grouped(result.notes):
            made = without(made, "Weights")
        elif result.baseline or rows + beside <= MOST_ROWS + _MOST_BESIDE:
            return made
        else:
            table = replace(table, rows=table.rows[:-1])


def _with_brief_weights(result: Ranking, made: Answer) -> Answer:
    brief = weights_of_ranking(result, brief=True)
    points = tuple((label, brief if label == "Weights" else text) for label, text in made.points)
    return replace(made, points=points)


def noted(result: Ranking, code: str) -> Note | None:
    """The note of this code, if there is one."""
    return next((note for note in result.notes if isinstance(note, Note) and note.code == code), None)


def headline(result: Ranking) -> str:
    """Say who could be the best and how many pairs differ clearly; first of all, where no verdict was possible."""
    few = noted(result, "rank.too_few")
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
        none = f"None of {pairs:,} pairs shows a clear difference{averaged_over(result)}"
        return f"{none}: any of the {size:,} systems could be the best."
    shows = f"all {pairs:,} pairs show" if found == pairs else f"{found:,} of {pairs:,} pairs {_verb(found, 'show')}"
    first = could_be_best(result)
    if len(first) == 1 and result.rank_range(first[0]) == (1, 1):
        return f"{first[0]} is the best of {size:,} systems{averaged_over(result)}; {shows} a clear difference."
    which = f"Any of the {size:,}" if len(first) == size else f"{spelled(len(first))} of {size:,}"
    return f"{which} systems could be the best{averaged_over(result)}; {shows} a clear difference."


def could_be_best(result: Ranking) -> list[str]:
    """The systems whose range of ranks begins at 1."""
    return [name for name, (low, _) in zip(result.systems, result.rank_ranges, strict=True) if low == 1]


def _two(result: Ranking) -> str:
    a, b = result.systems
    p = _smallest_p(result, 0, 1)
    if result.separated:
        winner, loser = (0, 1) if result.better[0, 1] else (1, 0)
        gain = signed(float(result.differences[winner, loser]), scale_of_differences(result))
        gain = gain if result.higher_is_better else f"{gain.removeprefix('+')} lower"
        by = f": {gain}{_interval(result, winner)}, {p}" if result.about == "mean" else ""
        better = f"{result.systems[winner]} is better than {result.systems[loser]}{averaged_over(result)}"
        return f"{better}{by or f' ({p})'}."
    if result.baseline and result.alternative != "two-sided":
        other = b if a == result.baseline else a
        return f"{other} is {not_shown(result)} than {result.baseline}{averaged_over(result)} ({p})."
    return f"No clear winner{averaged_over(result)}: {size_of(result)} cannot tell {a} and {b} apart ({p})."


def _interval(result: Ranking, winner: int) -> str:
    """The interval of the winner's lead; none where it says less than the test, whose level is then another one."""
    found = result.interval if winner == 0 else mirrored(result.interval)
    return "" if found is None or found.low < 0 else f" ({interval_text(found, scale_of_differences(result))})"


def _range(result: Ranking) -> str:
    """Which differences of two systems the data leave open, where none is clear."""
    found, scale = result.interval, scale_of_differences(result)
    if len(result.systems) != 2 or result.separated or found is None or not found.low < 0 < found.high:
        return ""
    if math.isinf(found.low) and math.isinf(found.high):
        return nothing_ruled_out(found)
    return f"The data allow anything {span_of(result.systems, found, scale)}."


def _others_than_baseline(result: Ranking) -> str:
    base = result.systems.index(result.baseline)
    better, worse = int(result.better[:, base].sum()), int(result.better[base].sum())
    rest = result.pairs - better - worse
    told = [] if result.alternative == "less" else [f"{_number_is(better)} better"]
    told += [] if result.alternative == "greater" else [f"{_number_is(worse)} worse"]
    told[0] += f" than {result.baseline}"
    unclear = "unclear" if result.alternative == "two-sided" else not_shown(result)
    others = f"Of {result.pairs:,} other systems, {', '.join(told)} and {_number_is(rest)} {unclear}"
    return f"{others}{averaged_over(result)}."


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
    return p_text(p, "<=" if bound or (drawn and p <= least * (1 + 1e-9)) else "=", result.alpha)


def unit_of(result: Ranking, number: int) -> str:
    """Name what n counts: items, evaluation units or datasets."""
    word = result.noun if result.over_datasets else "unit" if result.unit_size > 1 else "item"
    return word if number == 1 else f"{word}s"


def size_of(result: Ranking) -> str:
    """Say on how many items, units or datasets the systems were compared."""
    if result.lengths:
        return f"{range_of(result.lengths)} scores per system, not matched"
    if result.pair_sizes is not None:
        return f"{range_of(result.pair_sizes[result.pair_sizes > 0].astype(int).tolist())} items per pair"
    size = f" of {result.unit_size:,} items" if result.unit_size > 1 else ""
    clusters = f" in {counted(result.clusters, 'cluster')}" if result.clusters else ""
    datasets = f" of {counted(len(result.datasets), result.noun)}" if result.weighting else ""
    trained = noted(result, "rank.runs")
    runs = "" if trained is None else f" and {range_of((trained['low'], trained['high']))} runs each"
    return f"{result.n:,} {unit_of(result, result.n)}{size}{datasets}{clusters}{runs}"


def range_of(lengths: tuple[int, ...] | list[int]) -> str:
    """Give "60" or "50 to 60"."""
    low, high = min(lengths), max(lengths)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def meaning(result: Ranking) -> str:
    """What better means, where the test is not about the mean."""
    if result.lengths and result.about == "ranks":
        return "Better: its scores tend to be better; the mean is not tested."
    return MEANINGS.get(result.about, "").format(units=unit_of(result, 2))


def unit_sentence(result: Ranking) -> str:
    """Say that the dataset is the unit, where it is."""
    if not result.over_datasets:
        return ""
    return f"The {result.noun} is the unit: this is about {result.noun}s like these {result.n:,}."


def _power(result: Ranking) -> str:
    found = result.detectable
    if found is None or math.isnan(found.difference) or result.separated == result.pairs:
        return ""
    typical = "" if result.pairs == 1 else " between two typical systems"
    sure = "" if result.adjust == NONE or result.pairs == 1 else "at least "
    times = f"{found.power * 10:g} of 10" if found.power * 10 % 1 == 0 else f"{found.power * 100:g} of 100"
    sets = "such collections" if result.over_datasets else "test sets"
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
    how = f"({result.label}, {_over_pairs(result)})"
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
    if limits_discoveries(result.adjust):
        share = level_text(result.alpha)
        kept = f"On average at most {share} of the claimed differences are false"
        return f"{kept}; the ranks carry no joint confidence {how}."
    return f"The ranks carry no joint confidence with these tests {how}."


def _over_pairs(result: Ranking) -> str:
    """Which pairs were tested, on which side, and how they were corrected."""
    one_sided = "one-sided, " if result.alternative != "two-sided" else ""
    return f"{one_sided}{pairs_tested(result)}, {correction_name(result)}{_draws(result)}"


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
    rest = f"{counted(more, 'more system')}: {DETAILS}. " if more else ""
    lower = "" if result.higher_is_better or len(result.systems) == 2 else f"Lower {result.metric} is better. "
    return f"{rest}{lower}{_letters(result)}{_holds(result)}"


def _letters(result: Ranking) -> str:
    """What the letters mean; they join neighbours, so that pairs without a common one may be unclear too."""
    if result.baseline or len(result.systems) == 2 or not group_letters(result) or not result.separated:
        return ""
    others = result.open_outside_groups
    too = f"; {counted(others, 'pair')} without one {'is' if others == 1 else 'are'} unclear too" if others else ""
    return f"A shared letter: no clear difference{too}. "


def _notes(result: Ranking) -> tuple[str, ...]:
    """At most three notes, those that change how the ranking is read first."""
    coded = {note.code: note for note in result.notes}
    urgent = [coded[code] for code in _URGENT if code in coded]
    if not result.separated:
        # Where nothing is claimed, no claim can be false too often.
        urgent = [note for note in urgent if note.code != "rank.skewed"]
    others = [note for note in result.notes if note.code not in (*_URGENT, *_TOLD)]
    others = [note for note in others if matters(note)]
    return tuple(str(note) for note in (*urgent, *left_out(result), *others))[:_MOST_NOTES]


def left_out(result: Ranking) -> tuple[str, ...]:
    """How items were matched, where some were left out."""
    alignment = result.alignment
    return () if alignment is None or not (alignment.dropped or alignment.leftover) else (f"{alignment}.",)
