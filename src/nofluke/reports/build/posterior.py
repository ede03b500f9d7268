"""A Posterior as a report, and as the section of a comparison."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from nofluke.inference.bayes.words import probability
from nofluke.inference.wording import figure
from nofluke.reports.build.calls import FILE
from nofluke.reports.build.citing import cited
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Posterior, Report, Section, Table

_SIGNS = {"more than ": ">", "less than ": "<"}


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
        long=_long(result),
        notes=result.notes,
        citations=cited(("posterior", result.method, result.signature)),
        calls={"Python": _call(result)},
        settings={
            "model": result.method,
            "prior": result.prior,
            "region of practical equivalence": "none" if result.rope is None else _limits(result.rope),
            **({"draws": result.draws, "seed": result.seed} if result.draws else {}),
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.estimate, result.null),
        systems=result.systems,
    )


def posterior_section(result: Posterior | None) -> tuple[Section, ...]:
    """The same as one section below a comparison; none where it was not asked for."""
    if result is None:
        return ()
    return (
        Section(
            f"The Bayesian answer ({result.label})",
            paragraphs=(result.headline, *result.sentences),
            table=replace(probability_table(result), caption=""),
            chart="posterior" if result.known else "",
            bullets=(*result.notes, f"to get it again: {result.signature}"),
        ),
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
    region = "none stated" if result.rope is None else _limits(result.rope)
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=f"{result.label}, n = {result.n:,}. Estimate: {result.about}, with its equal-tailed credible interval. "
        f"Region of practical equivalence: {region}. Prior: {result.prior}{_drawn(result)}.",
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


def posterior_cells(result: Posterior | None) -> tuple[str, ...]:
    """How probable it is that A and that B is better, one cell for the row of each; none where nobody can say."""
    if result is None or not result.known:
        return ()
    return tuple(_said_equal(p, result.draws).removeprefix("= ") for p in (result.p_better, result.p_worse))


def posterior_in_caption(result: Posterior | None) -> str:
    """What the column P(better) of a comparison holds."""
    if result is None or not result.known:
        return ""
    how = f"{result.label}, prior: {result.prior}{_drawn(result)}"
    if result.rope is None:
        return f" P(better): posterior probability that the system is better ({how})."
    return (
        " P(better): posterior probability that the system is better by more than the region of practical equivalence; "
        f"P(within {_limits(result.rope)}) {_said_equal(result.p_equal, result.draws)} ({how})."
    )


def posterior_in_short(result: Posterior | None) -> str:
    """The probabilities, for the short sentence of a comparison."""
    return "" if result is None or not result.known else f"; {_said(result)}, {result.label}"


def posterior_in_long(result: Posterior | None) -> str:
    """The whole Bayesian answer, for the long sentence of a comparison."""
    return "" if result is None else _long(result)


def posterior_columns(result: Posterior | None) -> dict[str, Any]:
    """What the row of a comparison says of its posterior; nothing where there is none."""
    if result is None:
        return {}
    wanted = ("model", "p_better", "p_equal", "p_worse", "rope_low", "rope_high")
    return {f"bayes_{name}": value for name, value in posterior_record(result).items() if name in wanted}


def posterior_options(result: Posterior | None) -> dict[str, Any]:
    """The options of compare that ask for the posterior again."""
    if result is None:
        return {}
    return {"bayes": True} | ({} if result.rope is None else {"rope": f"{result.rope[0]!r},{result.rope[1]!r}"})


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


def _limits(rope: tuple[float, float]) -> str:
    return f"{rope[0]:g} to {rope[1]:g}"


def _scale(result: Posterior) -> float:
    return math.nan if result.interval is None else (result.interval.high - result.interval.low) / 4


def _short(result: Posterior) -> str:
    return f"{_said(result)} ({result.label}, n = {result.n:,})." if result.known else result.headline


def _drawn(result: Posterior) -> str:
    return f"; {result.draws:,} draws, seed {result.seed}" if result.draws else "; computed without random draws"


def _said(result: Posterior) -> str:
    a, b = result.systems
    parts = [f"P({a} better) {_said_equal(result.p_better, result.draws)}"]
    if result.rope is not None:
        parts.append(f"P(within {_limits(result.rope)}) {_said_equal(result.p_equal, result.draws)}")
    parts.append(f"P({b} better) {_said_equal(result.p_worse, result.draws)}")
    return ", ".join(parts)


def _said_equal(p: float, draws: int) -> str:
    """Give "= 0.93", "> 0.999" or "< 0.001"."""
    text = probability(p, draws)
    for word, sign in _SIGNS.items():
        if text.startswith(word):
            return f"{sign} {text.removeprefix(word)}"
    return f"= {text}"


def _long(result: Posterior) -> str:
    if not result.known:
        return result.headline
    drawn = (
        f"It was computed from {result.draws:,} random draws (seed {result.seed}; Monte Carlo standard error at most "
        f"{result.error:.1g})."
        if result.draws
        else "It was computed without random draws."
    )
    model = f"{result.label}, n = {result.n:,}; prior: {result.prior}"
    return f"By a Bayesian analysis ({model}), {_said(result)}. {drawn}"


def _call(result: Posterior) -> str:
    a, b = result.systems
    rope = "" if result.rope is None else f", rope=({result.rope[0]!r}, {result.rope[1]!r})"
    chosen = f", systems=({a!r}, {b!r})" if result.datasets else f".pair({a!r}, {b!r})"
    inner = f"nf.read({FILE!r}){chosen}"
    seed = f", seed={result.seed}" if result.draws else ""
    return f"import nofluke as nf\nprint(nf.bayes({inner}, method={result.method!r}{rope}{seed}))"
