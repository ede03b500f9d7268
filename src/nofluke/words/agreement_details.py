"""The prose of an Agreement's report: captions, explanations of tables, paragraphs, the sentences for a paper."""

from __future__ import annotations

import math

from nofluke.inference.agreement.interpret import RULES
from nofluke.registry import AGREEMENT
from nofluke.types import Agreement, Interval
from nofluke.types.base import counted
from nofluke.words.agreement import corrected_for_chance, headline, label_of, p_value, value_of

_MOST_NAMES = 10


def title(result: Agreement) -> str:
    """What the report is about."""
    return f"Agreement of {counted(len(result.annotators), 'annotator')}"


def caption(result: Agreement) -> str:
    """Below the table of coefficients: data, interval and test."""
    by = f", interval by {interval_method(result.interval)}" if result.interval is not None else ""
    return f"{title(result)} on {_size(result)}; {result.label}{by}; {_tested(result)}."


def legend(result: Agreement) -> str:
    """The same below the sentences on it: data and interval."""
    by = f" Interval by {interval_method(result.interval)}." if result.interval is not None else ""
    return f"{_size(result)}.{by}"


def _size(result: Agreement) -> str:
    ratings, labels = counted(result.annotations, "rating"), counted(len(result.categories), "label")
    return f"{counted(result.items, 'item')} ({ratings}, {labels})"


def explanations(result: Agreement) -> dict[str, str]:
    """What the rows and columns of the table of coefficients are."""
    rows = ((result.label, result.estimate), *((label_of(one), one) for one in result.others.values()))
    found = {label: AGREEMENT[one.name].summary for label, one in rows} | {"coefficient": "what was computed"}
    if not result.rule:
        return found
    return found | {"in words": f"by the rule of {RULES[result.rule].cite}; there is no absolute standard"}


def label_explanations(result: Agreement) -> dict[str, str]:
    """What the columns of the table of labels are."""
    return {
        "% of ratings": "how often the label is used",
        "specific agreement, %": "how often a second annotator gives the label where a first has given it",
        "against all others": f"{result.label} of this label against all others together",
    }


SAME_LABEL = {"same label, %": "how often another annotator gives the item the same label"}
PAIRS_THAT_AGREE = {"pairs that agree, %": "pairs of annotators of the item who give it the same label"}


def weakest(result: Agreement) -> tuple[str, ...]:
    """Name the labels that are agreed on least, where one is agreed on less than another."""
    least = min(result.specific.values())
    names = [repr(name) for name, share in result.specific.items() if share < least + 1e-9]
    if len(names) == len(result.specific):
        return ()
    often = f"in {least * 100:.0f}% of cases"
    if len(names) == 1:
        return (f"Least agreed on is {names[0]}: where one annotator gives it, a second does too {often}.",)
    listed = f"{', '.join(names[:-1][:_MOST_NAMES])} and {names[-1]}"
    return (f"Least agreed on are {listed}: where one annotator gives one of them, a second gives the same {often}.",)


def span(result: Agreement) -> tuple[str, ...]:
    """How far the pairs of annotators lie apart, where they are too many for a table."""
    pairs = sorted(
        float(result.pairwise[i, j])
        for i in range(len(result.pairwise))
        for j in range(i)
        if math.isfinite(result.pairwise[i, j])
    )
    if not pairs:
        return ("No two annotators share an item on which the coefficient can be computed.",)
    return (
        f"{counted(len(pairs), 'pair')} with items in common: {result.pairwise_name} from {pairs[0]:.2f} to "
        f"{pairs[-1]:.2f}, median {pairs[len(pairs) // 2]:.2f}.",
    )


def interval_method(interval: Interval) -> str:
    """Say how an interval was made, as a paper does."""
    made = {"log": "the delta method over items on the log scale", "normal": "the normal approximation"}
    return made.get(interval.method, interval.method)


def short(result: Agreement) -> str:
    """The coefficient for the middle of a sentence in a paper."""
    size = f"{counted(len(result.annotators), 'annotator')}, {counted(result.items, 'item')}"
    return f"{value_of(result.label, result.estimate)}; {size}."


def long(result: Agreement) -> str:
    """The whole answer for a paper."""
    people, items = counted(len(result.annotators), "annotator"), counted(result.items, "item")
    text = f"{people[0].upper()}{people[1:]} labelled {items} ({counted(result.annotations, 'rating')}). "
    if math.isnan(result.value):
        return f"{text}{headline(result)}"
    if corrected_for_chance(result):
        text += f"Agreement beyond chance is {value_of(result.label, result.estimate)}"
    else:
        value = value_of("", result.estimate).removeprefix(" = ")
        text += f"{result.label[:1].upper()}{result.label[1:]}, not corrected for chance, is {value}"
    if result.interval is not None:
        text += f", interval by {interval_method(result.interval)}"
    beside = [value_of(label_of(one), one) for one in result.others.values()]
    text += f"; {'; '.join(beside)}" if beside else ""
    word, low, high = result.words
    if word:
        ends = f" (interval: {low} to {high})" if low and low != high else ""
        text += f"; {word}{ends} by the rule of {rule_cited(result)}"
    return f"{text}."


def rule_cited(result: Agreement) -> str:
    """The source of the rule that gave the words, as it is cited: Landis and Koch 1977."""
    return RULES[result.rule].cite.partition(",")[0]


def _tested(result: Agreement) -> str:
    if math.isnan(result.p_value):
        return "no test of agreement by chance"
    how = f" ({result.test})" if result.test is not None else ""
    return f"test of agreement by chance, two-sided, {p_value(result)}{how}, which says nothing about quality"
