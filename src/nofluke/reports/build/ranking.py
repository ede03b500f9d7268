"""A Ranking as a report: many systems, which are separated, and which ranks the data leave open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from nofluke.call import calls
from nofluke.inference.ranking.family import MAX_T, directions_hold
from nofluke.reports.build.citing import cited, used_in
from nofluke.reports.build.ranking_tables import dataset_table, leaderboard, omnibus_table, pairs_table
from nofluke.types import Ranking, Report, Section
from nofluke.words import ranking as words
from nofluke.words import ranking_details, ranking_paper
from nofluke.words.names import metric_in_full

_RANGES = "Mohamad et al. 2022"


def build_ranking(result: Ranking) -> Report:
    """Say who could be the best, then every system with its score, interval and ranks."""
    table = pairs_table(result)
    where = () if table is not None or result.baseline else (ranking_paper.where_pairs_are(result),)
    sections = [Section("Who is better than whom?", where, table, chart="heat_map")]
    sections.append(Section("Ranks", chart="rank_ranges"))
    if result.groups:
        sections.append(Section("Groups", chart="groups"))
    by_dataset = dataset_table(result)
    if by_dataset is not None:
        sections.append(Section(f"Scores by {result.noun}", table=by_dataset))
    if result.omnibus:
        sections.append(Section("All systems together", table=omnibus_table(result)))
    metric = metric_in_full(result.metric, result.scored_by)
    settled = any(low == high == 1 for low, high in result.rank_ranges)
    return Report(
        kind="Ranking",
        title=ranking_details.title(result),
        headline=words.headline(result),
        sentences=ranking_details.sentences(result),
        main=leaderboard(result),
        sections=tuple(sections),
        records=tuple(_records(result)),
        short=ranking_paper.paper_sentence(result, metric),
        long=ranking_paper.paper_paragraph(result, metric),
        notes=(*words.left_out(result), *map(str, result.notes)),
        citations=_citations(result),
        calls=calls(result.call),
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


def _citations(result: Ranking) -> tuple[str, ...]:
    used = cited(
        ("test", result.method, result.call),
        ("correction", result.adjust),
        *used_in(result.omnibus),
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
