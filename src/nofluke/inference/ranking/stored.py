"""The ranking of systems whose items lie on disk: differences of all pairs are tallied file by file, and merged.

Some tests need no more than tallies (tallied.py); any other test reads the items of a pair at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path

import numpy as np

from nofluke.engine.pairs.tallies import PairTallies, Places, places_for, tallied
from nofluke.errors import Fix, InputError, MethodError, Option, listing, unknown, without_effect
from nofluke.executors import ordered
from nofluke.forms import OF_TALLIES
from nofluke.inference.describe import kind_of
from nofluke.inference.power.detectable import widest_gap
from nofluke.inference.ranking.all_pairs import tested
from nofluke.inference.ranking.assemble import gaps_of, of_claims, signed
from nofluke.inference.ranking.detectable import detectable_of, typical_pairs
from nofluke.inference.ranking.family import MAX_T, Claims
from nofluke.inference.ranking.notes import notes_on_family, skewed_pairs
from nofluke.inference.ranking.panel import PairTable, Progress, Settings, from_disk
from nofluke.inference.ranking.single_pairs import single_tests
from nofluke.inference.ranking.standings import system_intervals
from nofluke.inference.ranking.systems import Selection, chosen_systems
from nofluke.inference.ranking.tallied import in_whole_steps
from nofluke.inference.recommend.default import judge_by_default
from nofluke.inference.recommend.rules import Facts
from nofluke.registry import TESTS, Method
from nofluke.types import Grid, Interval, Items, Note, Ranking, Stored, Wanted, frozen, note
from nofluke.types.stored import BYTES_A_ROW


def is_beyond_memory(scores: Stored, wanted: Wanted) -> bool:
    """Whether a ranking of these scores would take more memory than is allowed."""
    share = 1.0 if wanted.systems is None else len(wanted.systems) / len(scores.systems)
    return scores.rows * share * BYTES_A_ROW > scores.memory


def _items_of(scores: Stored, selection: Selection, progress: Progress) -> Items:
    """Put the scores in order item by item; what needs all of them at once is refused."""
    more = Fix("allow more memory: ", Option("memory"), ".")
    for name, usual in (("unit", 1), ("over", None), ("run", None), ("runs", "nested"), ("weights", "equal")):
        if getattr(selection, name) != usual:
            raise without_effect([name], "the scores are on disk, and this needs all of them in memory", more)
    if scores.several_runs or (scores.clustered and selection.clusters) or selection.pairwise:
        what = "runs are averaged" if scores.several_runs else "clusters are added up"
        what = "every pair has items of its own" if selection.pairwise else what
        skip = (Option("clusters", "False"), ", or ") if scores.clustered and not scores.several_runs else ()
        raise InputError(
            f"the scores are on disk, and {what} in memory only.", where=scores.sources[0].name, fix=Fix(*skip, more)
        )
    dataset, metric = selection.dataset, selection.metric
    for what, given, known in (("dataset", dataset, scores.datasets), ("metric", metric, scores.metrics)):
        if given is not None and given not in known:
            raise unknown(what, given, known)
        if given is None and len(known) > 1:
            raise InputError(
                f"the scores hold {len(known)} {what}s: {listing(known)}.", fix=Fix("choose one: ", Option(what), ".")
            )
    systems = chosen_systems(scores.systems, selection)
    return scores.spread(Wanted(systems, dataset, metric), selection.missing, progress)


def tallied_in_order(scores: Stored, selection: Selection, progress: Progress) -> tuple[Items, PairTallies]:
    """Give the items on disk and the tallies of all pairs, both with the systems from the best score down."""
    items = _items_of(scores, selection, progress)
    tallies = _tally_of(items, progress)
    order = _order_of(tallies, items)
    return _in_order(items, order), tallies.reordered(order)


def _in_order(items: Items, order: Sequence[int]) -> Items:
    return replace(items, systems=tuple(items.systems[at] for at in order), rows=tuple(items.rows[at] for at in order))


def method_for_items(items: Items, method: str) -> str:
    """The test that compare would take."""
    if method != "auto":
        return TESTS[method].name
    values = np.load(items.files[0]).ravel() if items.different is None else np.array(items.different)
    return judge_by_default(Facts(n=items.n, kind=kind_of(values), clusters=0, tied_share=0.0)).preferred


def _tally_of(items: Items, progress: Progress) -> PairTallies:
    """Tally the differences of all pairs, one file after the other or by whoever works now; higher = better."""
    sign = 1 if items.higher_is_better else -1
    spans = list(ordered(_span, (items.grid, sign), items.files))
    places = places_for(max(1, *spans), len(items.systems))
    parts = ordered(_tallied, (items.grid, sign, places), items.files, progress)
    return reduce(PairTallies.plus, parts)


def _span(how: tuple[Grid, int], path: Path) -> int:
    numbers = in_whole_steps(how, path)
    return int((numbers.max(axis=0) - numbers.min(axis=0)).max())


def _tallied(how: tuple[Grid, int, Places], path: Path) -> PairTallies:
    grid, sign, places = how
    return tallied(in_whole_steps((grid, sign), path), places)


def _order_of(tallies: PairTallies, items: Items) -> list[int]:
    """The systems from the best score down; equal scores by name."""
    return sorted(range(len(items.systems)), key=lambda at: (-tallies.totals[at], items.systems[at]))


def _table_of(items: Items, tallies: PairTallies, method: Method, settings: Settings) -> PairTable:
    """The tests of all pairs of items and tallies in one order."""
    if method.facts["needs"] == "unpaired":
        raise MethodError(
            f"{method.name} needs all scores in memory, and they are on disk.",
            fix=Fix("use ", Option("method", "permutation"), ", or allow more memory: ", Option("memory"), "."),
        )
    form = OF_TALLIES.of(method.name, settings.options)
    if form is None:
        return single_tests(method.name, items, settings)
    table: PairTable = form.function(items, tallies, settings)
    return table


def rank_items(
    items: Items,
    tallies: PairTallies,
    method: Method,
    settings: Settings,
    claims: Claims,
    adjust: str,
) -> Ranking:
    """Test all pairs of items and tallies in score order, and put the ranking together."""
    if adjust == MAX_T:
        raise MethodError(
            "max_t flips all items for all pairs at once, and these lie on disk.",
            fix=Fix("use ", Option("adjust", "holm"), ", or allow more memory: ", Option("memory"), "."),
        )
    found = tested(_table_of(items, tallies, method, settings), claims, adjust, settings)
    values, intervals = _own_scores(items, settings.alpha)
    samples = [from_disk(items, i, j) for i, j in typical_pairs(claims)]
    facts = {"missing": "drop" if items.alignment.dropped else None}
    return Ranking(
        **of_claims(items.systems, method, claims, adjust, settings, found),
        scores=tuple(values),
        intervals=intervals,
        differences=frozen(gaps_of(np.array(values), items.higher_is_better)),
        metric=items.metric,
        datasets=(items.dataset,) if items.dataset else (),
        higher_is_better=items.higher_is_better,
        n=items.n,
        unit_size=1,
        clusters=0,
        label=method.label,
        mean_ranks=(),
        omnibus=(),
        critical_difference=math.nan,
        notes=(*items.notes, *found.table.notes, *found.notes, *_notes_on(items, tallies, method, claims, adjust)),
        signature=signed(items.systems, items.n, method, claims, adjust, settings, found, facts),
        detectable=detectable_of(samples, claims, adjust, settings.alpha, widest_gap(samples[0])),
        alignment=items.alignment,
    )


def _own_scores(items: Items, alpha: float) -> tuple[list[float], tuple[Interval | None, ...]]:
    """The score of every system with its interval, a system at a time."""
    values: list[float] = []
    intervals: list[Interval | None] = []
    for place in range(len(items.systems)):
        alone = from_disk(items, place)
        values.append(alone.score(0))
        intervals.extend(system_intervals(alone, 1 - alpha))
    return values, tuple(intervals)


def _notes_on(items: Items, tallies: PairTallies, method: Method, claims: Claims, adjust: str) -> tuple[Note, ...]:
    found = [*_identical(items, tallies)]
    if method.facts["swaps"] and not (items.different is not None and len(items.different) <= 2):
        squares, cubes = tallies.moments()
        with np.errstate(divide="ignore", invalid="ignore"):
            skewness = math.sqrt(tallies.n) * cubes / squares**1.5
        table = tallies.table(np.where(np.isfinite(skewness), skewness, 0.0))
        found += skewed_pairs(table - table.T, tallies.n, "item", items.systems, claims)
    return (*found, note("rank.on_disk", files=len(items.files), exact=tallies.exact), *notes_on_family(claims, adjust))


def _identical(items: Items, tallies: PairTallies) -> tuple[Note, ...]:
    same = tallies.table((tallies.ahead + tallies.behind) == 0)
    sets: list[list[str]] = []
    told: set[int] = set()
    for i in range(len(items.systems)):
        others = np.flatnonzero(same[i]).tolist()
        if others and i not in told:
            sets.append([items.systems[at] for at in (i, *others)])
            told.update(others)
    return (note("rank.identical", unit="item", groups=sets),) if sets else ()
