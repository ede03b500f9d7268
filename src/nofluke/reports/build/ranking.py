"""A Ranking as a report: many systems, which are separated, and which ranks the data leave open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from nofluke.inference.ranking.detectable import power_in_words
from nofluke.inference.ranking.family import MAX_T
from nofluke.inference.ranking.wording import (
    computed_in_words,
    correction_in_words,
    directions_hold,
    not_shown,
)
from nofluke.inference.wording import figure, with_article
from nofluke.reports.build.calls import FILE, shell_options
from nofluke.reports.build.citing import cited
from nofluke.reports.build.metric_names import metric_in_full, metric_option
from nofluke.reports.build.ranking_tables import (
    leaderboard,
    omnibus_table,
    pairs_table,
    pairs_tested,
    sample_in_words,
    scale_of_scores,
)
from nofluke.types import Ranking, Report, Section

_RANGES = "Mohamad et al. 2022"
_WHERE_PAIRS = "The table of all {:,} pairs: nofluke rank ... --pairs pairs.csv; in Python p_values, adjusted, better."
_MEANT = (
    "A rank range runs from 1 plus the number of systems shown to be better to the number of all systems minus the "
    "number shown to be worse."
)


def build_ranking(result: Ranking) -> Report:
    """Say who could be the best, then every system with its score, interval and ranks."""
    table = pairs_table(result)
    where = () if table is not None or result.baseline else (_WHERE_PAIRS.format(result.pairs),)
    sections = [Section("Who is better than whom?", where, table, chart="heat_map")]
    sections.append(Section("Ranks", chart="rank_ranges"))
    if result.groups:
        sections.append(Section("Groups", chart="groups"))
    if result.omnibus:
        sections.append(Section("All systems together", table=omnibus_table(result)))
    settled = any(low == high == 1 for low, high in result.rank_ranges)
    return Report(
        kind="Ranking",
        title=f"{len(result.systems):,} systems by {result.metric}",
        headline=result.headline,
        sentences=result.sentences,
        main=leaderboard(result),
        sections=tuple(sections),
        records=tuple(_records(result)),
        short=_short(result),
        long=_long(result),
        notes=result.notes,
        citations=_citations(result),
        calls=_calls(result),
        settings=_settings(result),
        signature=result.signature,
        tone="settled" if settled else "open",
        systems=result.systems,
    )


def _records(result: Ranking) -> Iterator[dict[str, Any]]:
    for place, name in enumerate(result.systems):
        interval = result.intervals[place]
        yield {
            "system": name,
            "score": result.scores[place],
            "low": math.nan if interval is None else interval.low,
            "high": math.nan if interval is None else interval.high,
            "level": math.nan if interval is None else interval.level,
            **({"mean_rank": result.mean_ranks[place]} if result.mean_ranks else {}),
            "rank_low": result.rank_ranges[place][0],
            "rank_high": result.rank_ranges[place][1],
            "better_than": int(result.better[place].sum()),
            "worse_than": int(result.better[:, place].sum()),
            "groups": " ".join(str(number) for number, group in enumerate(result.groups, 1) if name in group),
            "metric": result.metric,
            "n": result.n,
            "test": result.method,
            "adjust": result.adjust,
            "alpha": result.alpha,
            "signature": result.signature,
        }


def _short(result: Ranking) -> str:
    metric = metric_in_full(result.metric, result.signature)
    how = f"{metric}, {result.label}, {pairs_tested(result).lower()}, {correction_in_words(result)}"
    return f"{result.headline.rstrip('.')} ({how}, alpha = {result.alpha:g}, {sample_in_words(result)})."


def _long(result: Ranking) -> str:
    how = f"p-values computed {computed_in_words(result)}; validity: {result.validity}"
    tested = f"{pairs_tested(result)} {'was' if result.pairs == 1 else 'were'} tested by {with_article(result.label)}"
    parts = (
        result.headline,
        _scored(result),
        f"{tested} ({sample_in_words(result)}; {how}).",
        _sizes(result),
        result.sentences[0],
        power_in_words(result),
        _MEANT if directions_hold(result) and not result.baseline else "",
    )
    return " ".join(part for part in parts if part)


def _scored(result: Ranking) -> str:
    """The metric and how far the scores reach; every score stands in the table."""
    scale, direction = scale_of_scores(result), "higher" if result.higher_is_better else "lower"
    first, last = (f"{figure(result.scores[at], scale)} ({result.systems[at]})" for at in (0, -1))
    metric = metric_in_full(result.metric, result.signature)
    return f"By {metric} ({direction} is better) scores run from {first} to {last}."


def _sizes(result: Ranking) -> str:
    """The effect size of the tested pairs: how far apart they are where a claim stands, and where none does."""
    tested = np.triu(~np.isnan(result.p_values) | ~np.isnan(result.p_values.T), 1)
    stands = tested & (result.better | result.better.T)
    scale, apart = scale_of_scores(result), np.abs(result.differences)
    opened, one_sided = not_shown(result), bool(result.baseline) and result.alternative != "two-sided"
    what = "systems" if one_sided else "pairs that are"
    said = []
    if stands.any():
        low, high = (figure(float(end(apart[stands])), scale) for end in (np.min, np.max))
        said.append(f"{low if low == high else f'{low} to {high}'} for {what} {opened.removeprefix('not ')}")
    if (tested & ~stands).any():
        said.append(f"at most {figure(float(apart[tested & ~stands].max()), scale)} for {what} {opened}")
    return f"Effect size: the difference in {result.metric} is {', and '.join(said)}."


def _citations(result: Ranking) -> tuple[str, ...]:
    used = cited(
        ("test", result.method, result.signature),
        ("correction", result.adjust),
        *(("omnibus", test.method, test.signature) for test in result.omnibus),
        ("metric", result.metric),
    )
    more = []
    if result.adjust == MAX_T:
        more.append("Westfall and Young 1993")
    if directions_hold(result) and not result.baseline:
        more.append(_RANGES)
    if math.isfinite(result.critical_difference):
        more.append("Nemenyi 1963; Demsar 2006")
    return tuple(dict.fromkeys([*used, *more]))


def _settings(result: Ranking) -> dict[str, Any]:
    return {
        "alpha": result.alpha,
        "test": result.method,
        "correction": result.adjust,
        "family": result.family,
        "alternative": result.alternative,
        **({"baseline": result.baseline} if result.baseline else {}),
        **({"seed": result.seed, "resamples": result.resamples} if result.seed is not None else {}),
    }


def _calls(result: Ranking) -> dict[str, str]:
    defaults = {"adjust": "holm", "alpha": 0.05, "family": "directions", "alternative": "two-sided", "baseline": ""}
    given: dict[str, Any] = {"method": result.method}
    given |= {name: getattr(result, name) for name, value in defaults.items() if getattr(result, name) != value}
    if result.unit_size > 1:
        given["unit"] = result.unit_size
    if len(result.datasets) == 1:
        given["dataset"] = result.datasets[0]
    given |= metric_option(result.metric, result.signature)
    arguments = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return {
        "Python": f"import nofluke as nf\nprint(nf.rank(nf.read({FILE!r}), {arguments}))",
        "shell": f"nofluke rank {FILE}{shell_options(given)}",
    }
