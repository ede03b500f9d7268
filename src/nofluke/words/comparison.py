"""What a Comparison says: who is better, by how much, how sure that is, and what the test set could have found."""

from __future__ import annotations

from dataclasses import replace

from nofluke.types import Answer, Bar, Comparison, Interval, Table
from nofluke.types.base import counted
from nofluke.words import test_result
from nofluke.words.evidence import (
    has_winner,
    noun_of,
    posterior_sentence,
    power_sentence,
    range_sentence,
    size,
)
from nofluke.words.layout import LINES, as_lines, first_that_fits, with_fewer_notes, without
from nofluke.words.margin import margin_sentence
from nofluke.words.notes import matters, of_scores
from nofluke.words.numbers import figure, interval_text, opened, p_with_side, signed, with_article
from nofluke.words.tasks import (
    FEWEST_ROWS,
    MOST_ROWS,
    averaged_over,
    grouped,
    levels_sentence,
    single_datasets,
    tasks_table,
    weights_sentence,
)
from nofluke.words.test_result import chance_sentence, mirrored, none_possible, run_sentence
from nofluke.words.winner_first import second_leads

_MOST_NOTES = 3
_ROWS_WITHIN = 6  # an answer has its usual length with so many datasets; further ones lengthen it
# Notes that change what a reader does with the answer, the most pressing first; all others stand in the details.
_TELLING = (
    "study.simulated",
    "align.folds",
    "align.other_scales",
    "align.unlike_scales",
    "compare.margin_few_different",
    "compare.margin_too_small",
    "test.two_runs",
    "align.datasets_dropped",
    "compare.rounding_decides",
    "compare.left_out_decides",
    "compare.left_out_unknown_range",
    "compare.left_out",
    "compare.other_tests",
    "choice.looked_first",
    "align.clusters_set_aside",
    "test.few_differ_in_datasets",
    "align.numbered_alike",
    "test.draws_undecided",
    "test.decision_only",
    "test.skewed_one_sided",
    "test.skewed",
    "test.few_behind_ratio",
    "test.equal_differences_no_interval",
    "test.no_spread_no_interval",
    "test.one_unit_no_interval",
    "test.long_tails",
    "test.few_clusters_for_bootstrap",
    "test.few_clusters_for_lost_item",
    "test.few_units_for_bootstrap",
    "test.few_items_for_bootstrap",
    "test.few_items_for_median",
    "test.median_fixed",
    "test.few_disagreements",
    "test.few_differ",
    "test.moses",
    "test.slides",
    "test.denominators_apart",
    "test.resample_size",
    "test.resamples_undefined",
    "test.least_of_draws",
    "test.largest_loss_seen",
    "compare.left_out_harmless",
)


def answer(result: Comparison) -> Answer:
    """The verdict, both scores, the difference as a picture, the chance or the range, the power and the test."""
    several = result.average is not None
    points = (
        ("Weights", weights_sentence(result)),
        ("Chance", chance_sentence(result.test) if has_winner(result) and not several else ""),
        ("Range", range_sentence(result)),
        ("Power", power_sentence(result)),
        ("Level", levels_sentence(result)),
        ("Bayes", posterior_sentence(result)),
        ("Test", run_sentence(result.test, with_n=False)),
    )
    made = Answer(
        verdict=verdict_text(result),
        table=None if several else _table(result),
        points=tuple(point for point in points if point[1]),
        notes=_notes(result),
        tone="settled" if result.verdict in ("better", "worse") else "open",
    )
    return _of_several(result, made) if several else first_that_fits(with_fewer_notes(made))


def _of_several(result: Comparison, made: Answer) -> Answer:
    """Keep to the length: the levels are left to the details first, what weights cost, notes, power, then rows.

    What the other weighting shows stays, even if it takes a line too many.
    """
    brief = without(made, "Level")
    brief = replace(brief, points=tuple((label, _brief(result, label, text)) for label, text in brief.points))
    shorter = [made, without(made, "Level"), *with_fewer_notes(brief)]
    other = result.average is not None and result.average.other_scores is not None
    # How the harness averages a group is part of what the verdict is about.
    for label in ("Power",) if other or grouped(result.notes) else ("Power", "Weights"):
        shorter.append(without(shorter[-1], label))
    every = len(result.tasks)
    for rows in range(min(MOST_ROWS, every), min(FEWEST_ROWS, every) - 1, -1):
        table = tasks_table(result, rows)
        lines = rows + bool(table.caption)
        most = LINES + max(0, lines - _ROWS_WITHIN)
        found = first_that_fits((replace(one, table=table) for one in shorter), most)
        if len(as_lines(found)) <= most:
            break
    return found


def _brief(result: Comparison, label: str, text: str) -> str:
    return weights_sentence(result, brief=True) if label == "Weights" else text


def verdict_text(result: Comparison) -> str:
    """The answer, and what it means for the margin."""
    return " ".join(part for part in (_headline(result), single_datasets(result), margin_sentence(result)) if part)


def _headline(result: Comparison) -> str:
    test, p = result.test, p_with_side(result.test)
    if result.verdict == "undefined":
        return f"{claim(result)}: the test gives no p-value."
    if not has_winner(result) and (test.alternative == "two-sided" or too_few(result)):
        return _nothing_found(result, p)
    if test.about == "mean":
        return f"{claim(result)}{averaged_over(result)}: {_gain(result)}, {p}."
    if not has_winner(result):
        return f"{claim(result)} by {with_article(test.label)} ({p})."
    limits = "" if speaks_of_mean(result) else " This says nothing about the mean score."
    return f"{claim(result)} ({p}).{limits}"


def _nothing_found(result: Comparison, p: str) -> str:
    a, b = result.systems
    profile, test = result.profile, result.test
    if profile.wins == profile.losses == 0 and profile.ties == profile.n == result.n and not test.delta:
        return f"No clear winner: {a} and {b} have the same score on all {size(result)} ({p})."
    if needed := too_few(result):
        return none_possible(*_groups(result), needed, p)
    by = "" if test.about == "mean" else f" by {with_article(test.label)}"
    by += averaged_over(result)
    if test.delta:
        return f"No clear answer{by}: {size(result)} cannot tell the lead of {a} over {b} from {test.delta:g} ({p})."
    return f"No clear winner{by}: {size(result)} cannot tell {a} and {b} apart ({p})."


def too_few(result: Comparison) -> int:
    """How many items a verdict takes at least, where there are fewer; else 0."""
    return test_result.too_few(result.test, _groups(result)[0])


def _groups(result: Comparison) -> tuple[int, str]:
    """How many items (or clusters, or datasets) a verdict could rest on, and what they are; of a ratio maybe few."""
    few = result.detectable.reason
    if few is not None and few.code == "compare.level_out_of_reach":
        return int(few["groups"]), str(few["unit"])
    return (result.clusters, "cluster") if result.clusters else (result.n, noun_of(result))


# What is claimed when a test rejects no difference: {0} is the system the evidence leans to.
_CLAIMS = {
    "mean": "{0} is better than {1}",
    "items": "{0} is better than {1} on more items than it is worse on",
    "ranks": "Differences tend to favour {0} over {1}",
    "median": "The median difference favours {0} over {1}",
}
# The same for another difference than 0; the lead is that of the first named.
_BEYOND = {
    "items": "the lead of {0} over {1} is {2} {3:g} on more items than not",
    "ranks": "the leads of {0} over {1} tend to be {2} {3:g}",
    "median": "the median lead of {0} over {1} is {2} {3:g}",
}


def claim(result: Comparison) -> str:
    """What is claimed, without any figure of the data."""
    a, b = result.systems
    test = result.test
    if result.verdict == "undefined":
        return f"{a} and {b} cannot be compared by {with_article(test.label)}"
    if has_winner(result):
        return _beyond(result) if test.delta else _CLAIMS[test.about].format(*order(result))
    if test.alternative == "two-sided":
        return f"There is no clear difference between {a} and {b}"
    if test.delta:
        return f"It is not shown that {_beyond(result)}"
    return f"{a} is not shown to be {'better' if test.alternative == 'greater' else 'worse'} than {b}"


def _beyond(result: Comparison) -> str:
    """What is claimed, or was asked, about another difference than 0."""
    a, b = result.systems
    test = result.test
    above = result.verdict == "better" if has_winner(result) else test.alternative == "greater"
    if test.about != "mean":
        said = _BEYOND[test.about].format(a, b, "above" if above else "below", test.delta)
        return f"T{said[1:]}" if has_winner(result) else said
    if above == (test.delta > 0):
        first, second = (a, b) if above else (b, a)
        return f"{first} is better than {second} by more than {abs(test.delta):g}"
    return f"{a} is {'worse' if above else 'better'} than {b} by less than {abs(test.delta):g}, if at all"


def speaks_of_mean(result: Comparison) -> bool:
    """Whether the test is about the mean; for right and wrong answers, counting wins asks for the same thing."""
    about, binary = result.test.about, result.profile.kind == "binary" and not result.test.delta
    return about == "mean" or (binary and about in ("items", "ranks"))


def order(result: Comparison) -> tuple[str, str]:
    """The winner first; the first named first where there is none."""
    a, b = result.systems
    return (b, a) if second_leads(result) else (a, b)


def _gain(result: Comparison) -> str:
    gain, interval = gain_of(result)
    return f"{gain} ({interval})" if interval else gain


def gain_of(result: Comparison) -> tuple[str, str]:
    """The difference, winner minus loser, and its interval; in words where lower is better."""
    mean = result.effects["mean_difference"]
    value, interval = mean.value, interval_of(result)
    if second_leads(result):
        value, interval = -value, mirrored(interval)
    if not result.higher_is_better and value < 0:
        value, interval, word = -value, mirrored(interval), "higher"
    else:
        word = "lower"
    null = result.test.delta if value == mean.value else -result.test.delta
    text = signed(value, mean.standard_error)
    if not result.higher_is_better:
        text = f"{text.removeprefix('+')} {word}"
    return text, "" if interval is None else interval_text(interval, mean.standard_error, null)


def interval_of(result: Comparison) -> Interval | None:
    """The interval of the mean difference; open on the side that a one-sided test of it leaves open."""
    interval = result.effects["mean_difference"].interval
    if interval is None or result.test.about != "mean" or result.profile.kind != "binary":
        return interval
    return opened(interval, result.test.alternative)


def _table(result: Comparison) -> Table:
    """Both systems with their scores and wins, and the difference drawn against 0."""
    mean = result.effects["mean_difference"]
    scale, swapped = mean.standard_error, second_leads(result)
    scores = [figure(score, scale) for score in result.scores]
    rows = list(zip(result.systems, scores, _wins(result), strict=True))
    value, interval, null = mean.value, interval_of(result), result.test.delta
    if swapped:
        rows.reverse()
        value, interval, null = -value, mirrored(interval), -null
    bar = None if interval is None else Bar(interval.low, value, interval.high, null)
    label = "difference" if result.higher_is_better else "advantage"
    return Table(
        columns=("", " ", "  "),
        rows=(*rows, (label, signed(value, scale), "")),
        figures=(" ",),
        bars=(None, None, bar),
    )


def _wins(result: Comparison) -> tuple[str, str]:
    """How often each is better, with the ties in the lower row; "" where no single item has a score of its own."""
    profile = result.profile
    if profile.kind == "shares":
        return "", ""
    unit = noun_of(result)
    told = [f"better on {counted(number, unit)}" for number in (profile.wins, profile.losses)]
    rest = [counted(profile.ties, "tie")] if profile.ties else []
    # Some items may have no score of their own, such as the F1 of a sentence without names.
    rest += [f"{result.n - profile.n:,} without a score"] if profile.n < result.n else []
    if rest:
        told[0 if second_leads(result) else 1] += f" ({'; '.join(rest)})"
    return told[0], told[1]


def _notes(result: Comparison) -> tuple[str, ...]:
    """The notes that change what a reader does; where there is no p-value, those of the test, which say why."""
    telling = sorted((one for one in result.notes if one.code in _TELLING), key=lambda one: _TELLING.index(one.code))
    telling += [one for one in result.notes if of_scores(one) and matters(one)]
    reasons = list(result.test.notes) if result.verdict == "undefined" else []
    return tuple(dict.fromkeys(str(note) for note in (*reasons, *telling)))[:_MOST_NOTES]
