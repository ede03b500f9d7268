"""What a Gate says: whether the candidate passes, what it was held to, and what could have gone unnoticed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from nofluke.errors import Option, listing
from nofluke.registry import TESTS
from nofluke.types import Answer, Gate, GateRow, Note
from nofluke.types.base import counted
from nofluke.words.fixes import DETAILS
from nofluke.words.gate_rows import MOST_ROWS, ordered, row_name, table, with_interval
from nofluke.words.layout import LINES, first_that_fits, with_fewer_notes, without
from nofluke.words.notes import innermost, matters
from nofluke.words.numbers import hundredths, level_text, signed, two_digits

FEWEST_ROWS = 4
STALE_DAYS = 7
_MOST_NAMED, _MOST_NOTES = 3, 3
# Below this chance a margin on every task asks too much.
_SELDOM = 0.5
# Notes that change what a reader does with the answer, the most pressing first.
_TELLING = (
    "gate.identical",
    "logs.differs",
    "logs.links_out",
    "logs.superseded",
    "gate.other_scales",
    "compare.margin_few_different",
    "compare.margin_too_small",
    "logs.counted_zero",
    "logs.deviates",
    "logs.partial",
    "test.skewed_one_sided",
    "align.numbered_alike",
    "align.clusters_set_aside",
    "test.few_clusters_for_lost_item",
    "test.few_behind_ratio",
)


def answer(result: Gate) -> Answer:
    """The verdict, a row for each task, the worst first, and what the gate promises."""
    points = (
        *(("Looks", looks_sentence(result)) for _ in range(bool(looks_sentence(result)))),
        *(("Error", sentence) for sentence in errors(result)),
        ("Average", average_sentence(result)),
        ("Chance", chance_sentence(result)),
        ("Power", power_sentence(result)),
        ("Items", coverage_sentence(result)),
        ("Baseline", baseline_sentence(result)),
        ("Test", tests_sentence(result)),
    )
    made = Answer(
        verdict=headline(result),
        table=table(result),
        points=tuple(point for point in points if point[1]),
        notes=telling_notes(result),
        tone="settled" if result.passed else "worse" if result.outcome == "worse" else "open",
    )
    rows = min(MOST_ROWS, len(result.every))
    shorter = without(made, "Test")
    shortest = without(shorter, "Items") if _all_is_judged(result) else shorter
    ways = [one for way in (made, shorter, shortest) for one in with_fewer_notes(way)]
    return first_that_fits([*ways, replace(shortest, notes=())], LINES + max(0, rows - FEWEST_ROWS))


def headline(result: Gate) -> str:
    """Say whether the candidate passes, and why not."""
    if result.passed:
        kept = [_ruled_out(result)] if result.required else []
        if not result.forbidden:
            return f"Passed: {kept[0]}."
        every = bool(kept) and len({row.task for row in result.forbidden}) == len(result.rows) > 1
        kept += [f"no {result.noun} shows a loss" if every else f"no loss is shown{_on(result, result.forbidden)}"]
        return f"Passed: {'; '.join(kept)}."
    failed = [row for row in ordered(result) if row.verdict == result.outcome]
    if result.outcome == "worse":
        return f"Failed: the candidate is worse{_where(failed, result)}."
    if result.outcome == "not shown":
        return f"Failed: a loss of {_margins(failed)} or more is not ruled out{_where(failed, result)}."
    where = f" on {_number(failed, result)}" if len(result.every) > 1 else ""
    return f"Failed: the gate is blind{where}; a loss of {result.must_catch:g} would often go unnoticed."


def _where(failed: Sequence[GateRow], result: Gate) -> str:
    """On what it failed, with the figures of the first."""
    if len(result.every) == 1:
        return f" ({with_interval(failed[0])})"
    averages = [row for row in failed if row.averaged]
    told = [f"the average of {counted(row.averaged, result.noun)} ({with_interval(row)})" for row in averages[:1]]
    tasks = [row for row in failed if not row.averaged]
    if tasks:
        told.append(f"{_number(tasks, result)}: {_differences(tasks, result)}")
    return f" on {' and on '.join(told)}"


def _on(result: Gate, rows: Sequence[GateRow]) -> str:
    """On how many tasks; and by how many metrics, where a task has several."""
    tasks = dict.fromkeys(row.task for row in rows)
    if len(rows) == 1:
        return f" on {rows[0].task}" if rows[0].task else ""
    by = "" if len(tasks) == len(rows) else f" by {counted(len({row.metric for row in rows}), 'metric')}"
    return f" on {counted(len(tasks), result.noun)}{by}" if len(tasks) > 1 else by


def _ruled_out(result: Gate) -> str:
    averages, own = result.averages, [row for row in result.rows if row.rule == "require"]
    if averages and not own:
        return f"a loss of {_margins(averages)} or more is ruled out on average"
    told = [f"the average of {counted(row.averaged, result.noun)}" for row in averages[:1]]
    if own:
        tasks = len({row.task for row in own})
        every = len(own) == len(result.rows) and tasks > 1
        where = _on(result, own).removeprefix(" on ")
        told.append(f"both {where.removeprefix('2 ')}" if every and tasks == 2 else f"all {where}" if every else where)
    where = " and on ".join(filter(None, told))
    return f"a loss of {_margins([*averages, *own])} or more is ruled out{f' on {where}' if where else ''}"


def _smallest(rows: Sequence[GateRow]) -> float:
    return min(row.margin for row in rows if row.margin is not None)


def _margins(rows: Sequence[GateRow]) -> str:
    found = sorted({row.margin for row in rows if row.margin is not None})
    return f"{found[0]:g}" if len(found) == 1 else f"the margin ({found[0]:g} to {found[-1]:g})"


def _number(failed: Sequence[GateRow], result: Gate) -> str:
    """How many of those tasks failed that were held to the same; of tests, where a task has several metrics."""
    of_tasks = len({row.task for row in result.rows}) == len(result.rows)
    own = [row for row in result.rows if row.rule in {one.rule for one in failed}]
    return f"{len(failed):,} of {counted(len(own), result.noun if of_tasks else 'test')}"


def _differences(rows: Sequence[GateRow], result: Gate) -> str:
    told = [f"{row_name(row, result)} {signed(row.difference, row.standard_error)}" for row in rows[:_MOST_NAMED]]
    more = f" and {len(rows) - _MOST_NAMED:,} more" if len(rows) > _MOST_NAMED else ""
    return ", ".join(told) + more


def errors(result: Gate) -> tuple[str, ...]:
    """Say which wrong decisions are rare, and how rare."""
    told, rate = [], f"most {hundredths(result.alpha)} of 100"
    number = len(result.forbidden)
    if number:
        told.append(f"{rate} equal candidates are called worse{f' (Holm over {number:,} tests)' if number > 1 else ''}")
    those = "" if told else " candidates"
    told += [f"{rate}{those} that lose {row.margin:g} or more on average pass" for row in result.averages[:1]]
    own = [row for row in result.rows if row.rule == "require"]
    if own:
        several = len(result.rows) > 1
        where = f" on a {result.noun}{'' if len(own) == len(result.rows) else ' with one'}" if several else ""
        those = "" if told else " candidates"
        told.append(f"{rate}{those} that lose the margin{where} pass")
    return (f"At {', at '.join(told)}.",) if told else ()


def chance_sentence(result: Gate) -> str:
    """How often a candidate as good as the baseline passes all margins; where seldom, what to do."""
    if math.isnan(result.chance):
        return ""
    chance = max(result.chance, 0.0)
    said = "fewer than 1" if chance < 0.01 else f"about {100 * chance:.0f}"
    passes = "the margin" if len(result.required) == 1 else "all margins"
    text = f"A candidate as good as the baseline passes {passes} in {said} of 100 test sets."
    if chance >= _SELDOM:
        return text
    if len(result.rows) > 1 and not result.averages:
        average = Option("margin", f"average={_smallest(result.required):g}")
        held = f"with {Option('forbid', 'worse')} on each {result.noun}"
        return f"{text} A margin on the average asks less, {held}: {average}."
    return f"{text} Score more items, or accept a larger margin."


def power_sentence(result: Gate, *, pointing: bool = True) -> str:
    """What loss would have been shown in 8 of 10 test sets, on the best and on the worst task."""
    rows = result.forbidden
    if not rows:
        return ""
    known = sorted((row for row in rows if not math.isnan(row.caught)), key=lambda row: row.caught)
    unknown = [row for row in rows if math.isnan(row.caught)]
    shares = [row for row in known if _is_share(row)] or known
    least, most = (shares[0], shares[-1]) if shares else (None, None)
    if least is None or most is None:
        return "Nothing can be said of losses that would have been shown."
    alike = two_digits(least.caught) == two_digits(most.caught) and len(shares) == len(rows)
    named = len(rows) > 1 and not alike
    at = [two_digits(row.caught) + (f" ({row_name(row, result)})" if named else "") for row in (least, most)]
    span = at[0] if alike or len(shares) == 1 else f"{at[0]} to {at[1]}"
    span += f" on any {result.noun}" if alike and len(rows) > 1 else ""
    text = f"8 of 10 test sets reveal a loss of {span}."
    others = len(known) - len(shares)
    text += f" {counted(others, result.noun)} on other scales: {DETAILS}." if others and pointing else ""
    lacking = listing([row_name(row, result) for row in unknown], _MOST_NAMED)
    return text + (f" Of {lacking} nothing can be said." if unknown else "")


def _is_share(row: GateRow) -> bool:
    return all(0 <= score <= 1 for score in row.scores) and row.caught <= 1


def coverage_sentence(result: Gate) -> str:
    """How many of the baseline's items were judged, and what became of the others."""
    first = {row.task: row.coverage for row in reversed(result.rows)}.values()
    total = {
        name: sum(getattr(one, name) for one in first)
        for name in ("expected", "matched", "missing", "failed", "unscored", "new")
    }
    several = counted(total["expected"], "item")
    whole = total["matched"] == total["expected"]
    text = f"All {several} of the baseline" if whole else f"{total['matched']:,} of the baseline's {several}"
    text += " are judged"
    parts = [
        (total["missing"], "missing in the candidate"),
        (total["failed"], "failed or not scored in the candidate"),
        (total["unscored"], "not scored in the baseline"),
    ]
    lost = ", ".join(f"{number:,} {what}" for number, what in parts if number)
    text += f" ({lost})." if lost else "."
    new = [counted(total["new"], "new item")] if total["new"] else []
    new += (
        [f"{counted(len(result.new_tasks), f'new {result.noun}')} ({listing(result.new_tasks, 3)})"]
        if result.new_tasks
        else []
    )
    text += f" Not judged: {' and '.join(new)} of the candidate." if new else ""
    if result.other_tasks:
        text += f" Left out: {listing(result.other_tasks, 3)}."
    return text + _runs(result)


def _all_is_judged(result: Gate) -> bool:
    """Whether there is nothing to say of the items but that every one of the baseline was judged."""
    return coverage_sentence(result).startswith("All ") and coverage_sentence(result).endswith(" are judged.")


def _runs(result: Gate) -> str:
    ours, theirs = result.runs
    if ours == theirs == 1:
        return ""
    told = f"{counted(ours, 'run')} of the baseline and {theirs:,} of the candidate"
    return f" {told}, {'taken as training runs' if result.crossed else 'averaged on every item'}."


def tests_sentence(result: Gate) -> str:
    """Which tests were run."""
    methods = dict.fromkeys(row.method for row in (*result.forbidden, *result.required))
    labels = [TESTS[name].label for name in methods]
    return f"{listing(labels)[:1].upper()}{listing(labels)[1:]}, one-sided."


def baseline_sentence(result: Gate, *, always: bool = False) -> str:
    """When and of which commit the baseline was made, where that is known; on request also where it is young."""
    days = age_in_days(result)
    old = not math.isnan(days) and days > STALE_DAYS
    if not result.date or not (old or always):
        return ""
    commit = f" at commit {result.commit[:12]}" if result.commit else ""
    text = f"{'The baseline was made' if always else 'Made'} on {_day(result.date)}{commit}"
    if math.isnan(days):
        return f"{text}."
    if not always:
        return f"{text}, more than {STALE_DAYS} days ago: run it again."
    age = "today" if days < 1 else f"{counted(int(days), 'day')} ago"
    return f"{text}, {age}{'; it may be stale: run it again' if old else ''}."


def age_in_days(result: Gate) -> float:
    """How old the baseline was at this look; nan where either time is not known."""
    made, seen = (moment(text) for text in (result.date, result.look.time if result.look else ""))
    if made is None or seen is None:
        return math.nan
    return max((seen.replace(tzinfo=None) - made.replace(tzinfo=None)).total_seconds() / 86400, 0.0)


def moment(text: str) -> datetime | None:
    """Read a time as logs write it, with : or - between hours and minutes.

    >>> moment("2026-11-16T07-36-36.282632"), moment("2026-11-16T07:36:36+00:00") is None, moment("yesterday")
    (datetime.datetime(2026, 11, 16, 7, 36, 36), False, None)
    """
    day, _, clock = text.partition("T")
    try:
        return datetime.fromisoformat(f"{day}T{clock[:8].replace('-', ':')}") if clock else datetime.fromisoformat(day)
    except ValueError:
        return None


def _day(text: str) -> str:
    return text.partition("T")[0]


def looks_sentence(result: Gate) -> str:
    """Warn of a further look: only the first one is at its level."""
    if result.look is None or result.look.number < 2:
        return ""
    what = f"commit {result.look.commit[:12]}" if result.look.commit else "this candidate"
    return (
        f"This is look {result.look.number} at {what}; only the first ({result.look.first}) is at "
        f"{level_text(result.alpha)}. Add a further run as runs of one gate instead."
    )


def average_sentence(result: Gate) -> str:
    """What all tasks together lost, where that is shown and no task shows it; no answer is too long for it."""
    return " ".join(str(one) for one in result.notes if one.code == "gate.average_lost")


def telling_notes(result: Gate, most: int = _MOST_NOTES) -> tuple[str, ...]:
    """The few notes that change how the answer is read."""
    by_code: dict[str, list[Note]] = {}
    for one in filter(matters, result.notes):
        by_code.setdefault(innermost(one).code, []).append(one)
    # Of several tests that are told the same, the first one speaks; what logs say is of something else each time.
    found = [by_code[code][: None if code.startswith("logs.") else 1] for code in _TELLING if code in by_code]
    return tuple(str(one) for several in found for one in several)[:most]


def title(result: Gate) -> str:
    """What the report is about."""
    return "Candidate against baseline" + (f" ({result.name})" if result.name != "gate" else "")


def sentences(result: Gate) -> tuple[str, ...]:
    """All that is said beside the verdict."""
    told = (
        *(looks_sentence(result), *errors(result), chance_sentence(result)),
        power_sentence(result, pointing=False),
        *(coverage_sentence(result), baseline_sentence(result, always=True), tests_sentence(result)),
    )
    return tuple(one for one in told if one)
