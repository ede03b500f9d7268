"""Results as rows of (name, value): what Markdown, LaTeX and CSV writers print."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

from nofluke.errors import InputError
from nofluke.inference.wording import figure, p_of_result
from nofluke.registry import EFFECTS
from nofluke.types import Comparison, Estimate, Interval, TestResult, Value


@singledispatch
def readable_rows(result: Value) -> list[tuple[str, str]]:
    """The rows of a table that people read; rounded."""
    raise InputError(f"a {type(result).__name__} has no table form.", fix="use the formats text or json.")


@readable_rows.register
def _comparison(result: Comparison) -> list[tuple[str, str]]:
    a, b = result.systems
    scale = result.effects["mean_difference"].standard_error
    direction = "" if result.higher_is_better else " (lower is better)"
    rows = [
        (f"{a}{direction}", figure(result.scores[0], scale)),
        (f"{b}{direction}", figure(result.scores[1], scale)),
        *((effect_label(estimate, result.metric), _with_interval(estimate)) for estimate in result.effects.values()),
        ("p-value", p_of_result(result.test).removeprefix("p = ")),
        ("test", f"{result.test.label}, {result.test.alternative}"),
        ("n", f"{result.n:,}" + (f" units of {result.unit_size}" if result.unit_size > 1 else "")),
        ("clusters", f"{result.clusters:,}" if result.clusters else ""),
        ("better / worse / tied", f"{result.profile.wins:,} / {result.profile.losses:,} / {result.profile.ties:,}"),
        ("found in 80 of 100 test sets", figure(result.detectable.difference, scale)),
        ("alpha", f"{result.alpha:g}"),
        ("margin", "" if result.margin is None else f"{result.margin:g}: {result.margin_verdict}"),
        ("verdict", result.verdict),
    ]
    return [row for row in rows if row[1]]


@readable_rows.register
def _test_result(result: TestResult) -> list[tuple[str, str]]:
    rows = [
        ("test", f"{result.label}, {result.alternative}"),
        ("p-value", p_of_result(result).removeprefix("p = ")),
        ("statistic", f"{result.statistic:.6g}"),
        (result.estimand, f"{result.estimate:.6g}" + _brackets(result.interval, math.nan)),
        ("n", f"{result.n:,}"),
        *((name.replace("_", " "), f"{value:.6g}") for name, value in result.details.items()),
        ("null", result.null),
    ]
    return [row for row in rows if row[1]]


def effect_label(estimate: Estimate, metric: str) -> str:
    """Name an effect size; the difference of a corpus metric is no mean difference."""
    label = EFFECTS[estimate.name].label
    return label if estimate.signature else f"difference in {metric}"


def _with_interval(estimate: Estimate) -> str:
    scale = estimate.standard_error
    return figure(estimate.value, scale) + _brackets(estimate.interval, scale)


def _brackets(interval: Interval | None, scale: float) -> str:
    if interval is None:
        return ""
    return f" [{figure(interval.low, scale)}, {figure(interval.high, scale)}] ({interval.level * 100:g}%)"


@singledispatch
def exact_row(result: Value) -> dict[str, Any]:
    """One flat row of unrounded values, for CSV."""
    raise InputError(f"a {type(result).__name__} has no CSV form.", fix="use the formats text or json.")


@exact_row.register
def _comparison_row(result: Comparison) -> dict[str, Any]:
    flat = {
        "dataset": result.dataset,
        "metric": result.metric,
        "a": result.systems[0],
        "b": result.systems[1],
        "n": result.n,
        "unit_size": result.unit_size,
        "clusters": result.clusters,
        "score_a": result.scores[0],
        "score_b": result.scores[1],
        "verdict": result.verdict,
        "alpha": result.alpha,
    }
    tested = {name: value for name, value in exact_row(result.test).items() if name != "n"}
    effects = {name: estimate.value for name, estimate in result.effects.items()}
    margin = {"margin": result.margin, "margin_verdict": result.margin_verdict}
    return flat | tested | effects | {"detectable_difference": result.detectable.difference} | margin


@exact_row.register
def _test_row(result: TestResult) -> dict[str, Any]:
    interval = result.interval
    return {
        "test": result.method,
        "alternative": result.alternative,
        "delta": result.delta,
        "n": result.n,
        "statistic": result.statistic,
        "p_value": result.p_value,
        "log_p_value": result.log_p_value,
        "estimate": result.estimate,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "computed": result.computed.how,
        "signature": result.signature,
    }
