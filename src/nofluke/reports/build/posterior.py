"""A Posterior as a report."""

from __future__ import annotations

import math
from typing import Any

from nofluke.inference.bayes.words import probability
from nofluke.inference.wording import figure
from nofluke.reports.build.calls import FILE
from nofluke.reports.build.citing import cited
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.reports.build.posterior_words import how_drawn, limits, long_answer, probabilities
from nofluke.types import Posterior, Report, Section, Table


def build_posterior(result: Posterior) -> Report:
    """Say how probable it is that A is better, under which prior, and where the difference lies."""
    a, b = result.systems
    return Report(
        kind="Posterior",
        title=f"{a} against {b}: the Bayesian answer",
        headline=result.headline,
        sentences=result.sentences,
        main=probability_table(result),
        sections=_dataset_sections(result),
        records=(posterior_record(result),),
        short=_short(result),
        long=long_answer(result),
        notes=result.notes,
        citations=cited(("posterior", result.method, result.signature), ("metric", result.metric)),
        calls={"Python": _call(result)},
        settings={
            "model": result.method,
            "prior": result.prior,
            "region of practical equivalence": "none" if result.rope is None else limits(result.rope),
            **({"draws": result.draws, "seed": result.seed} if result.draws else {}),
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.estimate, result.null),
        systems=result.systems,
    )


def probability_table(result: Posterior) -> Table:
    """The three probabilities, the parameter and its interval in one row."""
    a, b = result.systems
    scale = _scale(result)
    columns = ["model", f"P({a} better)", f"P({b} better)"]
    cells = [result.label, probability(result.p_better, result.draws), probability(result.p_worse, result.draws)]
    if result.rope is not None:
        columns.insert(2, "P(equal)")
        cells.insert(2, probability(result.p_equal, result.draws))
    columns.append("estimate")
    cells.append(figure(result.estimate, scale))
    if result.interval is not None:
        columns.append(interval_heading(result.interval))
        cells.append(interval_cell(result.interval, scale))
    region = "none stated" if result.rope is None else limits(result.rope)
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=f"{result.label}, n = {result.n:,}. Estimate: {result.about}, with its equal-tailed credible interval. "
        f"Region of practical equivalence: {region}. Prior: {result.prior}{how_drawn(result)}.",
        figures=tuple(columns[1:]),
        explain={
            "model": "what was assumed about the data; the prior is named below",
            columns[1]: f"how probable it is that {a} is better, given the prior and these data",
            f"P({b} better)": f"how probable it is that {b} is better, given the prior and these data",
            "P(equal)": "how probable it is that the difference lies in the region of practical equivalence",
            "estimate": result.about,
        },
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
        "about": result.about,
        "estimate": result.estimate,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "draws": result.draws,
        "error": result.error,
        "prior": result.prior,
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
    heading = interval_heading(*(part.interval for part in result.datasets))
    table = Table(
        columns=("dataset", "items", "observed", "believed", heading, f"P({result.systems[0]} better)"),
        rows=rows,
        caption="Believed: the true difference on a dataset after all datasets were seen; noisy datasets are drawn "
        "towards the common mean.",
        figures=("items", "observed", "believed"),
        explain={
            "dataset": "one of the datasets",
            "items": "how many items it has",
            "observed": "mean difference seen on this dataset",
            "believed": "what is believed of the true difference there, after all datasets were seen",
            f"P({result.systems[0]} better)": f"how probable it is that {result.systems[0]} is better on this dataset",
        },
        bars=tuple(bar_of(part.interval, part.estimate) for part in result.datasets),
    )
    return (Section("Single datasets", table=table),)


def _scale(result: Posterior) -> float:
    return math.nan if result.interval is None else (result.interval.high - result.interval.low) / 4


def _short(result: Posterior) -> str:
    return f"{probabilities(result)} ({result.label}, n = {result.n:,})." if result.known else result.headline


def _call(result: Posterior) -> str:
    a, b = result.systems
    rope = "" if result.rope is None else f", rope=({result.rope[0]!r}, {result.rope[1]!r})"
    chosen = f", systems=({a!r}, {b!r})" if result.datasets else f".pair({a!r}, {b!r})"
    inner = f"nf.read({FILE!r}){chosen}"
    seed = f", seed={result.seed}" if result.draws else ""
    return f"import nofluke as nf\nprint(nf.bayes({inner}, method={result.method!r}{rope}{seed}))"
