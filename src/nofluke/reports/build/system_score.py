"""One system's own score as a report: the score with its interval, and the test of a given number."""

from __future__ import annotations

import math

from nofluke.call import calls
from nofluke.registry import METRICS
from nofluke.reports.build.citing import call_settings, cited
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Report, SystemScore, Table
from nofluke.words import system_score as words
from nofluke.words.names import better_scores
from nofluke.words.numbers import figure, p_digits, scale_of

_TONES = {"better": "settled", "worse": "worse"}
_CITED = {"Wilson score": "Wilson 1927", "Clopper-Pearson": "Clopper and Pearson 1934", "t": "Student 1908"}
_RESAMPLED = "Efron and Tibshirani 1993"


def build_system_score(result: SystemScore) -> Report:
    """Say what the system scores, how far that may be off, and whether it is beyond the number."""
    method = "" if result.interval is None else result.interval.method
    literature = (_CITED.get(method, _RESAMPLED if "bootstrap" in method else "Student 1908"),) if method else ()
    of_metric = cited(("metric", result.metric)) if result.metric in METRICS else ()
    interval = words.interval_sentence(result)
    sentences = (words.chance_sentence(result), interval and f"Interval: {interval}", words.run_sentence(result))
    return Report(
        kind="SystemScore",
        title=f"The score of {result.systems[0]}",
        headline=words.headline(result),
        sentences=tuple(sentence for sentence in sentences if sentence),
        main=_table(result),
        sections=(),
        records=(_record(result),),
        short=words.in_short(result),
        long=words.for_a_paper(result),
        notes=tuple(map(str, result.notes)),
        citations=(*literature, *of_metric),
        calls=calls(result.call),
        settings={"metric": result.metric, **call_settings(result.call, "system")},
        signature=result.signature,
        tone=_TONES.get(result.verdict, "open"),
        bar=None if result.against is None else bar_of(result.interval, result.value, result.against),
    )


def _table(result: SystemScore) -> Table:
    scale = scale_of(result)
    columns = ["system", result.metric, "standard error"]
    cells = [result.systems[0], figure(result.value, scale), figure(result.standard_error, scale)]
    shown = words.shown_interval(result)
    if shown is not None:
        columns.append(interval_heading(shown))
        cells.append(interval_cell(shown, scale))
    if result.against is not None:
        columns += ["against", "p"]
        cells += [f"{result.against:g}", p_digits(result.p_value, result.alpha)]
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=f"{result.metric} ({better_scores(result)}), {words.scored_on(result)}.",
        figures=tuple(column for column in columns if column != "system"),
        explain={
            result.metric: METRICS[result.metric].summary
            if result.metric in METRICS
            else f"the {result.metric} of the system",
            "against": "the number that the score is tested against",
        },
    )


def _record(result: SystemScore) -> dict[str, float | str | int | None]:
    interval = result.interval
    return {
        "system": result.systems[0],
        "metric": result.metric,
        "dataset": result.dataset,
        "n": result.n,
        "clusters": result.clusters,
        "datasets": result.n_datasets,
        "runs": result.runs,
        "value": result.value,
        "standard_error": result.standard_error,
        "df": result.df,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "interval_method": "" if interval is None else interval.method,
        "against": result.against,
        "alternative": result.alternative if result.against is not None else "",
        "p_value": result.p_value,
        "verdict": result.verdict,
        "signature": result.signature,
    }
