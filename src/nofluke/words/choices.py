"""What Choices say: which test to take, which others fit, which do not, and why."""

from __future__ import annotations

from nofluke.registry import TESTS
from nofluke.types import Answer, Choice, Choices
from nofluke.words.numbers import with_article


def answer(result: Choices) -> Answer:
    """The test to take and why; the names of the others."""
    by_verdict = {
        "Also fit": [row.method for row in result.rows[1:] if row.verdict != "inappropriate"],
        "Do not fit": [row.method for row in result.rows if row.verdict == "inappropriate"],
    }
    return Answer(
        verdict=headline(result),
        points=tuple((label, f"{', '.join(names)}.") for label, names in by_verdict.items() if names),
        notes=tuple(map(str, result.notes)),
    )


def headline(result: Choices) -> str:
    """Name the test to take, and why."""
    first = result.rows[0]
    return f"Take {_named(first)} ({first.method}): it {first.reason}."


def _named(choice: Choice) -> str:
    return with_article(TESTS[choice.method].label if choice.method in TESTS else choice.method)


def caption(result: Choices) -> str:
    """Say whose rules judged."""
    return f"How tests are judged for these data (rules: {result.rules})."


def short_sentence(result: Choices) -> str:
    """The choice for a paper."""
    first = result.rows[0]
    return f"We used {_named(first)} ({first.citation})."


def long_sentence(result: Choices) -> str:
    """The choice for a paper, with its reason."""
    first = result.rows[0]
    return (
        f"We used {_named(first)} ({first.citation}), the preferred test for such data (rules: {result.rules}): it "
        f"{first.reason}."
    )
