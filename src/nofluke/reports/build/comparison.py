"""A Comparison as a report: A against B on one dataset and metric."""

from __future__ import annotations

import math
from typing import Any

from nofluke.call import calls
from nofluke.reports.build.citing import cited, used_in
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.reports.build.posterior import (
    posterior_cells,
    posterior_columns,
    posterior_in_caption,
    posterior_in_long,
    posterior_in_short,
    posterior_section,
)
from nofluke.reports.build.profile import choices_table
from nofluke.reports.build.test_result import test_record
from nofluke.types import Comparison, Report, Section, Table, TestResult
from nofluke.words import comparison_report as words
from nofluke.words.comparison import verdict_text
from nofluke.words.computed import interval_method
from nofluke.words.names import effect_label
from nofluke.words.numbers import figure, p_cell, scale_of
from nofluke.words.profile import scores_table
from nofluke.words.tasks import all_tasks_table
from nofluke.words.winner_first import winner_first

# Whoever wins, the winner is named.
_TONES = {"better": "settled", "worse": "settled"}


def build_comparison(result: Comparison) -> Report:
    """Say who is better, how sure that is, how large it is, and what was run."""
    a, b = result.systems
    shown = winner_first(result)
    mean = shown.effects["mean_difference"]
    seed = result.test.computed.seed
    return Report(
        kind="Comparison",
        title=f"{a} against {b}",
        headline=verdict_text(result),
        sentences=words.sentences(result),
        main=paper_table(shown),
        sections=(
            *_tasks_section(result),
            *_scores_section(shown),
            Section(words.TITLES["effects"], table=effects_table(shown), name="effects"),
            *_noise_section(result),
            *posterior_section(result.posterior),
            Section(words.choices_title(result), table=choices_table(result.choices.rows), name="choices"),
            *_all_tests_section(result),
        ),
        records=(_record(result), *_task_records(result)),
        short=words.short_sentence(result, posterior_in_short(result.posterior)),
        long=words.long_sentence(result, posterior_in_long(result.posterior)),
        notes=words.notes(result),
        citations=_citations(result),
        calls=calls(result.call),
        settings={
            "alpha": result.alpha,
            "alternative": result.test.alternative,
            **({"margin": result.margin} if result.margin is not None else {}),
            "tests run": ", ".join(words.names_of_tests(result)),
            "rules": result.choices.rules,
            **({"seed": seed, "resamples": result.test.computed.resamples} if seed is not None else {}),
        },
        signature=result.signature,
        tone=_TONES.get(result.verdict, "open"),
        bar=bar_of(mean.interval, mean.value, shown.test.delta),
        systems=result.systems,
        paper_only=True,
    )


def _tasks_section(result: Comparison) -> tuple[Section, ...]:
    """Every dataset of an average, with its picture."""
    if result.average is None:
        return ()
    title = words.TITLES["tasks"].format(n=len(result.tasks), noun=result.average.noun)
    return (Section(title, table=all_tasks_table(result), chart="forest", name="tasks"),)


def _task_records(result: Comparison) -> list[dict[str, Any]]:
    """A row for each dataset of an average, in columns that the row of the average has too."""
    return [
        {
            "dataset": task.dataset,
            "metric": result.metric,
            "a": result.systems[0],
            "b": result.systems[1],
            "n": task.n,
            "weight": task.weight,
            "score_a": task.scores[0],
            "score_b": task.scores[1],
            "verdict": task.verdict,
            "alpha": result.alpha,
            "test": task.method,
            "alternative": result.test.alternative,
            "p_value": task.p_value,
            "adjusted": task.adjusted,
            "estimate": task.difference,
            "low": math.nan if task.interval is None else task.interval.low,
            "high": math.nan if task.interval is None else task.interval.high,
        }
        for task in result.tasks
    ]


def _noise_section(result: Comparison) -> tuple[Section, ...]:
    """How much of the uncertainty is of items and how much of training runs; nothing where there are none."""
    if result.noise is None:
        return ()
    table = words.noise_table(result.noise, result.systems, f"{result.n:,}")
    return (Section(words.NOISE_TITLE, table=table, name="noise"),)


def _scores_section(result: Comparison) -> tuple[Section, ...]:
    """The scores item by item; none where only all items together have a score."""
    if result.profile.kind == "shares":
        return ()
    table = scores_table(result.profile)
    return (Section(words.scores_title(result), table=table, chart="histograms", name="scores"),)


def paper_table(result: Comparison) -> Table:
    """Both systems, the difference with its interval, p and the first standardised effect size; the better in bold."""
    mean = result.effects["mean_difference"]
    scale = mean.standard_error
    other = next((estimate for name, estimate in result.effects.items() if name != "mean_difference"), None)
    columns = ["system", result.metric, "difference", interval_heading(mean.interval), "p"]
    first = [figure(mean.value, scale), interval_cell(mean.interval, scale), p_cell(result.test)]
    if other is not None:
        columns.append(effect_label(other, result.metric))
        first.append(figure(other.value, other.standard_error))
    second = [""] * len(first)
    believed = posterior_cells(result.posterior)
    if believed:
        columns.append("P(better)")
        first.append(believed[0])
        second.append(believed[1])
    rows = tuple(
        (name, figure(score, scale), *cells)
        for name, score, cells in zip(result.systems, result.scores, (first, second), strict=True)
    )
    winner = {"better": 0, "worse": 1}.get(result.verdict)
    return Table(
        columns=tuple(columns),
        rows=rows,
        caption=words.caption(result, posterior_in_caption(result.posterior)),
        figures=tuple(column for column in columns if column != "system"),
        strong=() if winner is None else (winner,),
        marks=() if winner is None else ((winner, 1, "†"),),
        explain=words.paper_explanations(result),
    )


def effects_table(result: Comparison) -> Table:
    """One effect size a row, with its interval and how that was made."""
    estimates = tuple(result.effects.values())
    heading = interval_heading(*(estimate.interval for estimate in estimates))
    several = heading == "CI"
    rows = tuple(
        (
            effect_label(estimate, result.metric),
            figure(estimate.value, scale_of(estimate)),
            interval_cell(estimate.interval, scale_of(estimate), level=several) or "none",
            "" if estimate.interval is None else interval_method(estimate.interval),
        )
        for estimate in estimates
    )
    return Table(
        columns=("", "value", heading, "interval by"),
        rows=rows,
        caption=words.effects_caption(result),
        figures=("value",),
        explain=words.effect_explanations(result),
    )


def _citations(result: Comparison) -> tuple[str, ...]:
    tests = [result.test, *([result.margin_test] if result.margin_test is not None else []), *result.also_run]
    posterior = [result.posterior] if result.posterior is not None else []
    return cited(
        *used_in(tests),
        *(("effect", name, estimate.call) for name, estimate in result.effects.items()),
        *(("posterior", one.method, one.call) for one in posterior),
        ("metric", result.metric),
    )


def _record(result: Comparison) -> dict[str, Any]:
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
    tested = {name: value for name, value in test_record(result.test).items() if name != "n"}
    effects = {name: estimate.value for name, estimate in result.effects.items()}
    margin = {"margin": result.margin, "margin_verdict": result.margin_verdict}
    found = flat | tested | effects | {"detectable_difference": result.detectable.difference} | margin
    return found | posterior_columns(result.posterior) | _other_tests_columns(result)


# Of the options of a test: those in another column, and the seed, which matters only where draws were made.
_SAID_ELSEWHERE = ("method", "alternative", "confidence_level", "seed")


def _all_tests_section(result: Comparison) -> tuple[Section, ...]:
    """The tests with their sides and p-values: the one reported here first, the others in the order they were run."""
    if not result.also_run:
        return ()
    table = Table(
        columns=("test", "sides", "p"),
        rows=tuple((_test_label(one), one.alternative, p_cell(one)) for one in words.tests_of(result)),
        caption=words.ALL_TESTS_CAPTION,
        figures=("p",),
        strong=(0,),
        explain={"sides": words.sides_explained(result)},
    )
    return (Section(words.TITLES["all_tests"], table=table, name="all_tests"),)


def _other_tests_columns(result: Comparison) -> dict[str, str]:
    """The other tests as one cell of a table for programs."""
    if not result.also_run:
        return {}
    return {"also_run": "; ".join(f"{one.method} {one.alternative} p={one.p_value!r}" for one in result.also_run)}


def _test_label(result: TestResult) -> str:
    """The test with whatever tells it from another run of it."""
    given = {} if result.call is None else result.call.options
    told = {name: value for name, value in given.items() if name not in _SAID_ELSEWHERE}
    told |= {} if result.computed.seed is None else {"seed": result.computed.seed}
    options = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items())
    return (result.label or result.method) + (f" ({options})" if options else "")
