"""What is said of several datasets: that scores are their average, what each counts; in a Comparison a row for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from nofluke.errors import Option
from nofluke.types import Average, Comparison, Interval, Note, Ranking, Table, Task
from nofluke.types.base import counted
from nofluke.words import names
from nofluke.words.fixes import DETAILS
from nofluke.words.numbers import end_of, figure, level_text, p_digits, p_text, signed
from nofluke.words.test_result import mirrored
from nofluke.words.winner_first import second_leads

FEWEST_ROWS, MOST_ROWS = 3, 8
_LONGEST_HEADING = 11
# Weights that cost fewer items than this are not worth a word.
_NEARLY_ALL = 0.95
_SAID = {"better": "better", "worse": "worse", "inconclusive": "unclear"}
_TURNED = {"better": "worse", "worse": "better"}
_RANK = {"better": 0, "worse": 1, "inconclusive": 2}


def averaged_over(result: Comparison | Ranking) -> str:
    """Say of what the verdict is, where there are several datasets: " on the average of 4 tasks"."""
    if isinstance(result, Ranking):
        return names.averaged_over(result.weighting, len(result.datasets), result.noun)
    average = result.average
    return "" if average is None else names.averaged_over(average.weighting, len(result.tasks), average.noun)


def single_datasets(result: Comparison) -> str:
    """Say on how many datasets which system is shown to be better."""
    average = result.average
    if average is None:
        return ""
    a, b = result.systems[::-1] if second_leads(result) else result.systems
    for_a, for_b = (average.worse, average.better) if second_leads(result) else (average.better, average.worse)
    noun = average.noun
    if average.joint and result.verdict not in ("better", "worse"):
        return f"Single {noun}s were not judged, since the average is not decided."
    if result.verdict in ("better", "worse"):
        if not for_a and not for_b:
            return f"No single {noun} shows a clear difference."
        if for_a == len(result.tasks):
            return f"Better on {'both' if for_a == 2 else f'all {for_a:,}'} {noun}s."
        first = f"Better on {_at_least(for_a, noun)}" if for_a else f"Shown to be better on no single {noun}"
        return f"{first}; {_worse(for_b, noun)}."
    if not for_a and not for_b:
        return f"No single {noun} shows a clear difference."
    told = [f"{name} is better on {_at_least(count, noun)}" for name, count in ((a, for_a), (b, for_b)) if count]
    return f"{', and '.join(told)}."


def _at_least(count: int, noun: str) -> str:
    return f"at least {counted(count, noun)}"


def _worse(count: int, noun: str) -> str:
    return f"worse on {_at_least(count, noun)}" if count else "shown to be worse on none"


def weights_sentence(result: Comparison, *, brief: bool = False) -> str:
    """Say what each dataset counts, how many items that is worth (unless brief), and what the other weighting shows."""
    average = result.average
    if average is None:
        return ""
    worth = "" if brief else _worth(average.weighting, average.effective_n, result.n)
    return f"{_each_counts(average.weighting, average.noun, result.notes)}{worth}{_otherwise(result, average)}."


def weights_of_ranking(result: Ranking, *, brief: bool = False) -> str:
    """The same for a ranking, with the name of the other weighting."""
    if not result.weighting:
        return ""
    worth = "" if brief else _worth(result.weighting, result.effective_n, result.n)
    uneven = result.weighting == "equal" and result.effective_n <= result.n * (1 - 1e-9)
    pooled = f"; {Option('weights', 'items')} pools all items" if uneven else ""
    return f"{_each_counts(result.weighting, result.noun, result.notes)}{worth}{pooled}."


def _each_counts(weighting: str, noun: str, notes: Sequence[Note]) -> str:
    usual = {
        "equal": f"Each {noun} counts the same",
        "items": "Each item counts the same",
        "given": f"The {noun}s count as stated",
    }
    return grouped(notes) or usual[weighting]


def _worth(weighting: str, effective_n: float, n: int) -> str:
    """How many items uneven weights leave, where they cost some."""
    if weighting == "items" or effective_n > _NEARLY_ALL * n:
        return ""
    return f", so {n:,} items are as informative as {effective_n:,.0f} of equal weight"


def grouped(notes: Sequence[Note]) -> str:
    """Say that groups count as one task, where they do, without a full stop."""
    return next((str(one).removesuffix(".") for one in notes if one.code == "align.groups"), "")


def _otherwise(result: Comparison, average: Average) -> str:
    """The difference under the other usual weighting; never a verdict."""
    if average.other_scores is None:
        return ""
    lead = average.other_scores[0] - average.other_scores[1]
    lead = lead if result.higher_is_better else -lead
    lead = -lead if second_leads(result) else lead
    scale = result.effects["mean_difference"].standard_error
    p = "" if math.isnan(average.other_p_value) else f", {p_text(average.other_p_value)}"
    how = "item" if average.other_weighting == "items" else average.noun
    did = "counted the same" if average.weighting == "given" or grouped(result.notes) else "did"
    return f"; if each {how} {did}: {signed(lead, scale)}{p}"


def ordered(result: Comparison) -> list[Task]:
    """The datasets as a reader wants them: decided ones first, then by their evidence."""
    turned = second_leads(result)

    def key(task: Task) -> tuple[int, float, float]:
        verdict = _TURNED.get(task.verdict, task.verdict) if turned else task.verdict
        return _RANK[verdict], task.adjusted, task.p_value

    return sorted(result.tasks, key=key)


def from_winner(result: Comparison) -> list[Task]:
    """The datasets in that order, each as the winner of the average sees it: differences are winner minus loser."""
    if not second_leads(result):
        return ordered(result)
    return [
        replace(
            task,
            scores=task.scores[::-1],
            difference=-task.difference,
            interval=mirrored(task.interval),
            verdict=_TURNED.get(task.verdict, task.verdict),
        )
        for task in ordered(result)
    ]


def tasks_table(result: Comparison, most: int = MOST_ROWS) -> Table:
    """A row for each dataset, the decided ones first, and the average below; at most so many rows."""
    turned, average = second_leads(result), result.average
    noun = "dataset" if average is None else average.noun
    scale = result.effects["mean_difference"].standard_error
    tasks = ordered(result)
    closed = not judged_singly(result)
    rows = [
        (
            task.dataset,
            f"{task.n:,}",
            *(figure(score, scale_of_task(task, scale)) for score in task.scores),
            signed(-task.difference if turned else task.difference, scale_of_task(task, scale)),
            "not judged" if closed else _SAID[_TURNED.get(task.verdict, task.verdict) if turned else task.verdict],
            "" if closed else p_digits(task.adjusted, result.alpha),
        )
        for task in tasks[:most]
    ]
    mean = result.effects["mean_difference"]
    said = _SAID.get(_TURNED.get(result.verdict, result.verdict) if turned else result.verdict, "")
    total = [figure(score, scale) for score in result.scores]
    rows.append(("average", "", *total, signed(-mean.value if turned else mean.value, scale), said, ""))
    a, b = headings(result.systems)
    lead = f"{b}-{a}" if turned else f"{a}-{b}"
    lead = lead if len(lead) <= _LONGEST_HEADING + 3 else "difference"
    columns = (noun, "items", a, b, lead if result.higher_is_better else "advantage", "verdict", "p (Holm)")
    rest = _rest(tasks[most:], judged=not closed)
    return Table(columns, tuple(rows), rest, figures=("items", a, b, columns[4], "p (Holm)"))


def all_tasks_table(result: Comparison) -> Table:
    """Every dataset with its interval and both p-values, in the order of the evidence, and the average below."""
    short = tasks_table(result, len(result.tasks))
    turned = second_leads(result)
    mean = result.effects["mean_difference"]
    scale = mean.standard_error
    rows = [
        (
            *row[:5],
            interval_text_of(task.interval, scale_of_task(task, scale), turned),
            f"{task.weight:.3g}",
            p_digits(task.p_value),
            row[6],
            row[5],
        )
        for row, task in zip(short.rows[:-1], ordered(result), strict=True)
    ]
    average = interval_text_of(mean.interval, scale, turned)
    p = p_digits(result.test.p_value, result.alpha)
    rows.append((*short.rows[-1][:5], average, "1", p, "", short.rows[-1][5]))
    level = level_text(1 - result.alpha)
    columns = (*short.columns[:5], f"{level} CI", "weight", "p", "p (Holm)", "verdict")
    return Table(columns, tuple(rows), levels_sentence(result), figures=(*short.figures[:4], "weight", "p", "p (Holm)"))


def interval_text_of(interval: Interval | None, scale: float, turned: bool) -> str:
    """The ends of an interval, seen from the winner, without a correction."""
    found = mirrored(interval) if turned else interval
    if found is None or not (math.isfinite(found.low) or math.isfinite(found.high)):
        return ""
    return f"{end_of(found.low, scale)} to {end_of(found.high, scale)}"


def judged_singly(result: Comparison) -> bool:
    """Whether single datasets are judged: after an average that is not decided none of them is."""
    average = result.average
    return average is None or not average.joint or result.verdict in ("better", "worse")


def scale_of_task(task: Task, scale: float) -> float:
    """Digits for one dataset: a quarter of its own interval is about its standard error."""
    interval = task.interval
    if interval is None or not math.isfinite(interval.high - interval.low) or interval.high <= interval.low:
        return scale
    return (interval.high - interval.low) / 4


def _rest(tasks: list[Task], *, judged: bool) -> str:
    if not tasks or not judged:
        return f"{len(tasks):,} more: {DETAILS}." if tasks else ""
    unclear = sum(task.verdict == "inconclusive" for task in tasks)
    what = f"{unclear:,} of them unclear" if unclear else "none of them unclear"
    if unclear == len(tasks):
        what = "unclear" if unclear == 1 else "all unclear"
    return f"{len(tasks):,} more, {what}: {DETAILS}."


def headings(systems: tuple[str, str]) -> tuple[str, str]:
    """Names short enough to head a column of figures, and still different."""
    short = [name if len(name) <= _LONGEST_HEADING else f"{name[: _LONGEST_HEADING - 1]}…" for name in systems]
    if short[0] == short[1]:
        short = [f"…{name[1 - _LONGEST_HEADING :]}" if len(name) > _LONGEST_HEADING else name for name in systems]
    return (short[0], short[1]) if short[0] != short[1] else systems


def levels_sentence(result: Comparison) -> str:
    """Say at which level the average and the single datasets were judged."""
    average = result.average
    if average is None:
        return ""
    level = level_text(result.alpha)
    if average.joint:
        if result.verdict not in ("better", "worse"):
            return ""
        return f"The {average.noun}s were judged only because the average was decided first, all at {level}."
    return f"The average and the table of {average.noun}s are each judged at {level}."
