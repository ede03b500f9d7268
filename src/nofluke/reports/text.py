"""Plain text for people: the answer first, then the figures behind it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from functools import singledispatch

from nofluke.inference.wording import decimals_for, figure, interval_in_figures, kind_in_words, p_of_result
from nofluke.registry import EFFECTS
from nofluke.reports.rows import effect_label
from nofluke.types import Choice, Comparison, Profile, Summary, TestResult, Value

_WIDTH = 100


@singledispatch
def as_text(result: Value) -> str:
    """Write a result as text; kinds without a longer form give their short answer."""
    return str(result)


@as_text.register
def _comparison(result: Comparison) -> str:
    parts = [
        _paragraph(result.headline),
        "\n".join(_paragraph(sentence) for sentence in result.sentences),
        _section(f"Scores ({result.alignment})", profile_lines(result.profile)),
        _section("Effect sizes", effect_lines(result)),
        _section(f"Tests for these data (rules: {result.choices.rules})", choice_lines(result.choices.rows)),
        _section("Worth knowing", bullets(result.notes)),
        f"Run: {', '.join(result.tests_run)}; alpha = {result.alpha:g}\nSignature: {result.signature}",
    ]
    return "\n\n".join(part for part in parts if part)


@as_text.register
def _test_result(result: TestResult) -> str:
    scale = result.details.get("standard_error", math.nan)
    rows = [
        ("p-value", p_of_result(result).replace("p = ", "") + f" ({result.alternative})"),
        ("log p-value", f"{result.log_p_value:.6g}"),
        ("statistic", f"{result.statistic:.6g}"),
        ("estimate", f"{result.estimate:.6g} ({result.estimand})"),
        ("interval", interval_in_figures(result.interval, scale) if result.interval else "none"),
        ("n", f"{result.n:,}"),
        *((name, f"{value:.6g}") for name, value in result.details.items()),
        ("null", result.null),
        ("computed", str(result.computed)),
        ("validity", result.validity),
    ]
    width = max(len(name) for name, _ in rows)
    lines = [result.label, *(f"  {name:<{width}}  {value}" for name, value in rows)]
    notes = _section("Worth knowing", bullets(result.notes))
    return "\n".join(lines) + (f"\n\n{notes}" if notes else "") + f"\n\nSignature: {result.signature}"


@as_text.register
def _profile(result: Profile) -> str:
    notes = _section("Worth knowing", bullets(result.notes))
    return "\n".join(profile_lines(result)) + (f"\n\n{notes}" if notes else "")


def effect_lines(result: Comparison) -> list[str]:
    """One effect size a line, with its interval."""
    labels = {name: effect_label(estimate, result.metric) for name, estimate in result.effects.items()}
    width = max(len(label) for label in labels.values())
    lines: list[str] = []
    for name, estimate in result.effects.items():
        value = figure(estimate.value, estimate.standard_error)
        if estimate.interval is not None:
            value += f" ({interval_in_figures(estimate.interval, estimate.standard_error)}, {estimate.interval.method})"
        if estimate.magnitude:
            value += f", {estimate.magnitude} by {estimate.rule}"
        null = float(EFFECTS[name].facts["null"])
        value += f"; {null:g} is no difference, more is better for {result.systems[0]}" if null else ""
        lines.append(f"{labels[name]:<{width}}  {value}")
        lines += _wrapped(" ".join(estimate.notes), " " * (width + 2)) if estimate.notes else []
    return lines


def profile_lines(profile: Profile) -> list[str]:
    """The table of summaries, with ties, skewness and normality below it."""
    summaries = (profile.a, profile.b, profile.difference)
    width = max(len(summary.name) for summary in summaries)
    digits = max(5, min(8, decimals_for(profile.difference.sd) + 2)) if profile.difference.sd > 0 else 5
    lines = [f"{'':<{width}}" + "".join(f"{name:>12}" for name in ("mean", "median", "sd", "min", "max"))]
    lines += [f"{summary.name:<{width}}" + _row(summary, digits) for summary in summaries]
    remarks = (
        f"{kind_in_words(profile.kind)}; {profile.ties:,} of {profile.n:,} tied; "
        f"skewness of the differences {profile.skewness:.4f}; {profile.normality.conclusion}"
    )
    return [*lines, *_wrapped(remarks)]


def _row(summary: Summary, digits: int) -> str:
    figures = (summary.mean, summary.median, summary.sd, summary.minimum, summary.maximum)
    return "".join(f"{value:>12.{digits}f}" for value in figures)


def choice_lines(choices: Sequence[Choice]) -> list[str]:
    """The recommendation as a table; methods judged alike for the same reason share a row."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for choice in choices:
        grouped.setdefault((choice.verdict, choice.reason, choice.citation), []).append(choice.method)
    lines: list[str] = []
    for (verdict, reason, citation), methods in grouped.items():
        lines += _wrapped(f"{', '.join(methods)}: {reason} [{citation}]", f"{verdict:<13}  ")
    return lines


def bullets(notes: Iterable[str]) -> list[str]:
    """One note a line."""
    return [line for note in notes for line in _wrapped(note, "- ")]


def _wrapped(text: str, head: str = "") -> list[str]:
    """Break a text after the head, with the following lines indented below its start."""
    return textwrap.wrap(
        text,
        _WIDTH - 2,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"  {line}" for line in lines)]) if lines else ""


def _paragraph(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
