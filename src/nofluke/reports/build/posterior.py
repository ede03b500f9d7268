"""A Posterior as a report, and as the Bayesian answer beside the test of a comparison."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nofluke.call import calls
from nofluke.reports.build.citing import cited
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Posterior, Report, Section, Table
from nofluke.words import posterior as words
from nofluke.words.numbers import figure
from nofluke.words.posterior import probability, scale_of


def build_posterior(result: Posterior) -> Report:
    """Say how probable it is that A is better, under which prior, and where the difference lies."""
    a, b = result.systems
    return Report(
        kind="Posterior",
        title=f"{a} against {b}: the Bayesian answer",
        headline=words.headline(result),
        sentences=words.sentences(result),
        main=probability_table(result),
        sections=_dataset_sections(result),
        records=(posterior_record(result),),
        short=words.short(result),
        long=words.for_a_paper(result),
        notes=words.notes(result),
        citations=cited(("posterior", result.method, result.call), ("metric", result.metric)),
        calls=calls(result.call),
        settings={
            "model": result.method,
            "prior": str(result.prior),
            "region of practical equivalence": words.limits(result),
            **({"draws": result.draws, "seed": result.seed} if result.draws else {}),
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.estimate, result.null),
        systems=result.systems,
    )


def probability_table(result: Posterior) -> Table:
    """The three probabilities, the parameter and its interval in one row."""
    a, b = result.systems
    scale = scale_of(result)
    columns = ["model", f"P({a} better)", f"P({b} better)"]
    cells = [result.label, probability(result.p_better, result.draws), probability(result.p_worse, result.draws)]
    if result.rope is not None:
        columns.insert(2, "P(equivalent)")
        cells.insert(2, probability(result.p_equal, result.draws))
    columns.append("estimate")
    cells.append(figure(result.estimate, scale))
    if result.interval is not None:
        columns.append(interval_heading(result.interval, word="credible interval"))
        cells.append(interval_cell(result.interval, scale))
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=words.caption(result),
        figures=tuple(columns[1:]),
        explain=words.explanations(result),
    )


def posterior_record(result: Posterior) -> dict[str, Any]:
    """One flat row of unrounded values, for CSV."""
    interval = result.interval
    low, high = result.rope or (math.nan, math.nan)
    return {
        "model": result.method,
        "a": result.systems[0],
        "b": result.systems[1],
        "metric": result.metric,
        "n": result.n,
        "p_better": result.p_better,
        "p_equal": result.p_equal,
        "p_worse": result.p_worse,
        "rope_low": low,
        "rope_high": high,
        "about": words.parameter(result),
        "estimate": result.estimate,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "draws": result.draws,
        "error": result.error,
        "prior": str(result.prior),
        "signature": result.signature,
    }


def _dataset_sections(result: Posterior) -> tuple[Section, ...]:
    if not result.datasets:
        return ()
    rows = tuple(
        (
            part.dataset,
            f"{part.n:,}",
            figure(part.observed, part.standard_error),
            figure(part.estimate, part.standard_error),
            interval_cell(part.interval, part.standard_error),
            probability(part.p_better),
        )
        for part in result.datasets
    )
    heading = interval_heading(*(part.interval for part in result.datasets), word="credible interval")
    table = Table(
        columns=("dataset", "items", "observed", "estimate", heading, f"P({result.systems[0]} better)"),
        rows=rows,
        caption=words.DATASETS_CAPTION,
        figures=("items", "observed", "estimate"),
        explain=words.explanations(result),
        bars=tuple(bar_of(part.interval, part.estimate) for part in result.datasets),
    )
    return (Section("Single datasets", table=table),)


def posterior_section(result: Posterior | None) -> tuple[Section, ...]:
    """The same as one section below a comparison; none where it was not asked for."""
    if result is None:
        return ()
    return (
        Section(
            f"The Bayesian answer ({result.label})",
            paragraphs=(words.headline(result), *words.sentences(result)),
            table=replace(probability_table(result), caption=""),
            chart="posterior" if result.known else "",
            bullets=(*words.notes(result), f"to get it again: {result.signature}"),
        ),
    )


def posterior_cells(result: Posterior | None) -> tuple[str, ...]:
    """How probable it is that A and that B is better, one cell for the row of each; none where nobody can say."""
    if result is None or not result.known:
        return ()
    return tuple(words.probability(p, result.draws) for p in (result.p_better, result.p_worse))


def posterior_in_caption(result: Posterior | None) -> str:
    """What the column P(better) of a comparison holds."""
    if result is None or not result.known:
        return ""
    return words.in_caption_of_comparison(result)


def posterior_in_short(result: Posterior | None) -> str:
    """The probabilities, for the short sentence of a comparison."""
    return "" if result is None or not result.known else f"; {words.with_region(result)}, {result.label}"


def posterior_in_long(result: Posterior | None) -> str:
    """The whole Bayesian answer, for the long sentence of a comparison."""
    return "" if result is None else words.for_a_paper(result)


def posterior_columns(result: Posterior | None) -> dict[str, Any]:
    """What the row of a comparison says of its posterior; nothing where there is none."""
    if result is None:
        return {}
    wanted = ("model", "p_better", "p_equal", "p_worse", "rope_low", "rope_high")
    return {f"bayes_{name}": value for name, value in posterior_record(result).items() if name in wanted}
