"""A short answer as the HTML report and the pages of the app show it: one sentence first, and nothing said twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from nofluke.types import Answer, Report, Section, Value
from nofluke.words import answer

# The point of an abbreviation ends no sentence.
_SENTENCE_END = re.compile(r"(?<!\bvs)(?<!\bal)\. (?=\S)")


def answer_view(result: Value, report: Report) -> dict[str, Any]:
    """The answer, its verdict as a headline and the rest of it, then what only the report adds: details and notes."""
    made = answer(result) or Answer(report.headline)
    headline, rest = first_sentence(made.verdict, _names(result))
    return {
        "answer": made,
        "headline": headline,
        "rest": rest,
        "details": beyond((text for _, text in made.points), report.sentences),
        "notes": tuple(note for note in report.notes if note not in made.notes),
    }


def leading_chart(report: Report, charts: Iterable[str]) -> str:
    """The chart that stands by the verdict: one that no section has, or the only thing a section has; "" for none."""
    in_sections = {section.chart for section in report.sections}
    alone = [name for name in charts if name not in in_sections]
    return next(iter((*alone, *(section.chart for section in report.sections if _only_drawn(section)))), "")


def without(report: Report, chart: str) -> tuple[Section, ...]:
    """The sections that are left when a chart stands elsewhere."""
    return tuple(one for one in report.sections if not (one.chart == chart and _only_drawn(one)))


def _only_drawn(section: Section) -> bool:
    return bool(section.chart) and not (section.paragraphs or section.bullets or section.table)


def first_sentence(text: str, names: Iterable[str] = ()) -> tuple[str, str]:
    """The first sentence and what follows it; a name of the user's is never broken.

    >>> first_sentence("Dr. No wins. By a little. Or so.", ["Dr. No"])
    ('Dr. No wins.', 'By a little. Or so.')
    """
    masked = text
    for name in sorted(names, key=len, reverse=True):
        masked = masked.replace(name, "_" * len(name))
    end = _SENTENCE_END.search(masked)
    return (text, "") if end is None else (text[: end.start() + 1], text[end.end() :])


def beyond(said: Iterable[str], sentences: Iterable[str]) -> tuple[str, ...]:
    """What the sentences say that was not said before.

    >>> beyond(["A t-test.", "None."], ["A t-test. Power: 0.8.", "A t-test.", "Null hypothesis: None.", "More."])
    ('Power: 0.8.', 'More.')
    """
    known, rest = tuple(said), []
    for text in sentences:
        for one in known:
            text = text.replace(one, "").strip()
        # What is left of "Null hypothesis: ..." is no sentence.
        rest += [text] if text and not text.endswith(":") else []
    return tuple(rest)


def _names(result: Value) -> tuple[str, ...]:
    """The names of systems and datasets that a verdict may hold."""
    given = [*getattr(result, "systems", ()), *getattr(result, "datasets", ())]
    return tuple(name for name in given if isinstance(name, str))
