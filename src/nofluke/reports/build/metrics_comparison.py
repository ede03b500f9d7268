"""A MetricsComparison as a report: A against B by several metrics."""

from __future__ import annotations

from dataclasses import replace

from nofluke.call import calls
from nofluke.reports.build.citing import cited, used_in
from nofluke.reports.build.comparison import build_comparison
from nofluke.types import MetricsComparison, Report, Section
from nofluke.words import metrics_comparison as words
from nofluke.words.comparison import verdict_text


def build_metrics_comparison(result: MetricsComparison) -> Report:
    """Say by which metrics who is better, then every metric by itself."""
    alone = {metric: build_comparison(one) for metric, one in result.by_metric.items()}
    first = next(iter(result.by_metric.values()))
    headline, sentences = words.headline(result), words.sentences(result)
    tests = [one.test for one in result.by_metric.values()]
    metrics = [("metric", metric) for metric in result.by_metric]
    return Report(
        kind="MetricsComparison",
        title=words.title(result),
        headline=headline,
        sentences=sentences,
        main=replace(words.table(result), caption=words.caption(result)),
        sections=tuple(
            Section(f"By {metric} alone", (verdict_text(one), *alone[metric].sentences))
            for metric, one in result.by_metric.items()
        ),
        records=tuple(
            {**record, "metric": metric, "adjusted": result.adjusted[metric], "verdict": result.verdicts[metric]}
            for metric, report in alone.items()
            for record in report.records[:1]
        ),
        short=f"{headline} {sentences[0]}",
        long=" ".join([headline, *sentences, *(report.short for report in alone.values())]),
        notes=tuple(dict.fromkeys(map(str, result.notes))),
        citations=cited(*used_in(tests), ("correction", "holm"), *metrics),
        calls=calls(result.call),
        settings={"alpha": result.alpha, "alternative": first.test.alternative, "metrics": ", ".join(result.by_metric)},
        signature=result.signature,
        systems=result.systems,
    )
