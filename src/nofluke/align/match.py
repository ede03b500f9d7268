"""Match the scores of systems item by item, report what does not match, refuse what is ambiguous."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.align.checks import ids_with_checks, refuse_mismatched
from nofluke.align.choose import check_missing, choose, code_of_system, two_systems, where
from nofluke.align.datasets import (
    chosen_over,
    fold_notes,
    no_average_of,
    noun_of,
    of_datasets,
    refuse_lacking_datasets,
    refuse_units,
    refuse_weights,
    refuse_without_datasets,
    used_metric,
)
from nofluke.align.decimals import FLOAT_DIGITS, find_grid
from nofluke.align.runs import check_runs, every_run, in_all_runs, no_runs_of_datasets, of_rows, refuse_gaps
from nofluke.align.scales import notes_on_scales, refuse_unlike_scales
from nofluke.align.strata import averaged, linked, named_in_one_dataset, numbered_alike, side_by_side
from nofluke.align.tabulate import Table, tabulate
from nofluke.align.units import group_into_units
from nofluke.errors import By, Fix, InputError, Option, listing, named_as
from nofluke.noting import changed
from nofluke.option_groups import Aligning
from nofluke.options import Missing, SystemA, SystemB, stating
from nofluke.types import (
    MEAN,
    STATUSES,
    Alignment,
    Grid,
    IntArray,
    Labels,
    Note,
    Runs,
    Sample,
    Scores,
    frozen,
    note,
    sealed,
)
from nofluke.types.base import counted

_PAIRWISE = By("missing='pairwise'", "--missing pairwise", '"each pair on its own items" on the page Many systems')


def pair(scores: Scores, a: SystemA = None, b: SystemB = None, **options: object) -> Sample:
    """Align two systems; without names the table must hold exactly two, the first named is A."""
    systems = two_systems(scores, a, b)
    return replace(select(scores, systems, **options), selected=selected(systems, options))


def selected(systems: tuple[str, str], options: Mapping[str, object]) -> dict[str, object]:
    """What chose the sample; unpaired ones are told nothing that `select` does not know."""
    told = changed(select, options)
    if isinstance(told.get("weights"), Mapping):
        told["weights"] = ",".join(f"{name}={weight}" for name, weight in told["weights"].items())
    return {"a": systems[0], "b": systems[1], **told}


@stating(Aligning)
def select(scores: Scores, systems: Sequence[str], **stated: Any) -> Sample:
    """Align any number of systems on one metric; several runs of an item are averaged unless one is named.

    Several datasets (and none named) make a sample about their average: every dataset weighs the same, or what
    `weights` says. over="datasets" takes each of them as one observation instead. `missing` says what happens to items
    that not all systems have: refuse, or drop (for all systems). `unit` groups that many adjacent items into one
    evaluation unit, after a shuffle when `shuffle_seed` is given. clusters=False takes items as independent although
    the scores name clusters. runs="crossed" keeps runs apart (`Sample.runs`), for claims about training.
    """
    how = Aligning(**stated)
    check_missing(how.missing)
    crossed = check_runs(scores, how.runs, how.run, how.unit)
    scores = of_datasets(scores, how.dataset, how.metric, how.run, how.over)
    several = len(scores.datasets) > 1
    if not several:
        refuse_without_datasets(how.weights, how.over)
    elif chosen_over(scores, how.over) == "datasets":
        refuse_weights(how.weights)
        refuse_units(how.unit)
        refuse_mismatched(scores, systems)
        if crossed:
            raise no_runs_of_datasets()
        return _datasets_as_items(scores, systems, how.run, how.missing)
    else:
        refuse_units(how.unit)
        return _on_average(scores, systems, how.run, how.missing, how.weights, clusters=how.clusters, crossed=crossed)
    refuse_mismatched(scores, systems)
    sample, _ = _matched(scores, systems, how.run, how.missing, clusters=how.clusters, crossed=crossed)
    return group_into_units(sample, how.unit, how.unit_statistic, how.shuffle_seed)


def _datasets_as_items(scores: Scores, systems: Sequence[str], run: str | None, missing: Missing) -> Sample:
    """Give the score of every system on every dataset: the dataset is the item."""
    refuse_lacking_datasets(scores, systems, missing)
    kept: dict[str, Sample] = {}
    for name in scores.datasets:
        part = of_datasets(scores, name, None, None)
        try:
            kept[name], _ = _matched(part, systems, run, missing, clusters=False)
        except InputError:
            if missing == "refuse":
                raise
    if not kept:
        raise InputError(
            "no dataset has a score for all systems.",
            where=where(scores),
            fix="leave out systems with missing datasets.",
        )
    lost = [name for name in scores.datasets if name not in kept]
    samples = list(kept.values())
    table = np.array([[sample.score(index) for index in range(len(systems))] for sample in samples])
    sizes = [sample.n for sample in samples]
    dropped = {name: sample.alignment.dropped for name, sample in kept.items() if sample.alignment.dropped}
    notes = [*scores.notes, *notes_on_scales(scores, systems)]
    notes += [] if max(sizes) == 1 else [note("rank.datasets_are_items", low=min(sizes), high=max(sizes))]
    notes += [note("rank.datasets_dropped", datasets=lost)] if lost else []
    notes += [note("rank.items_dropped", datasets=tuple(dropped), items=tuple(dropped.values()))] if dropped else []
    return replace(
        samples[0],
        statistics=frozen(table[:, :, None]),
        ids=tuple(kept),
        cluster_labels=(),
        aggregate=MEAN,
        dataset="",
        grid=find_grid(table, scores.digits if max(sizes) == 1 else FLOAT_DIGITS),
        alignment=Alignment(len(kept), {}, len(lost), by="dataset"),
        lengths=(len(kept),) * len(systems),
        incomplete=frozen(np.empty((0, len(systems), 1))),
        notes=tuple(notes),
    )


def _on_average(
    scores: Scores,
    systems: Sequence[str],
    run: str | None,
    missing: Missing,
    weights: str | Mapping[str, float],
    *,
    clusters: bool,
    crossed: bool,
) -> Sample:
    """Align systems on the items of all datasets, for the average over datasets."""
    refuse_lacking_datasets(scores, systems, missing)
    refuse_unlike_scales(scores, systems, weights)
    refuse_mismatched(scores, systems)
    joined, datasets, items = side_by_side(scores)
    sample, kept = _matched(joined, systems, run, missing, clusters=clusters, crossed=crossed)
    if sample.aggregate.whole is not None:
        raise no_average_of(sample, scores.datasets)
    codes, found = np.unique(datasets[kept], return_inverse=True)
    names = tuple(scores.datasets[code] for code in codes.tolist())
    if scores.checks is not None:
        ids: IntArray | None = ids_with_checks(scores, joined.item.codes, items)[kept]
    else:
        ids = named_in_one_dataset(items[kept], scores.item.labels, found) if scores.ids_given else None
    # Clusters of one name are one cluster, in whichever datasets: that is never too bold.
    units, shared = linked(found, ids, sample.clusters)
    alone = scores.ids_given and sample.clusters is None and scores.checks is None
    alike = numbered_alike(items[kept], scores.item.labels, found) if alone else 0
    notes = (*sample.notes, note("align.numbered_alike", n=alike)) if alike else sample.notes
    sample = replace(sample, clusters=None if units is None else frozen(units, np.int64), notes=notes)
    lost = tuple(name for name in scores.datasets if name not in names)
    if lost:
        sample = replace(sample, notes=(*sample.notes, note("align.datasets_dropped", datasets=lost, runs=crossed)))
    if len(names) == 1:
        return replace(sample, dataset=names[0])
    return averaged(sample, names, found.astype(np.int64), weights, shared, noun_of(scores), scores.groups)


def _matched(
    scores: Scores,
    systems: Sequence[str],
    run: str | None,
    missing: Missing,
    *,
    clusters: bool,
    crossed: bool = False,
) -> tuple[Sample, IntArray]:
    """Align systems on one dataset and metric; also give the codes of the items that stayed."""
    part = choose(scores, None, used_metric(scores), run)
    for name in systems:
        code_of_system(scores, name)
    table = tabulate(scores, np.flatnonzero(part.rows), systems)
    runs = every_run(scores, table, systems) if crossed else None
    complete, lacking = _complete(scores, systems, table, runs, missing)
    dropped = int((~complete).sum())
    incomplete = sealed(table.values[~complete])
    if dropped:
        table = Table(table.values[complete], table.counts[complete], table.items[complete], table.rows)
        runs = of_rows(runs, np.flatnonzero(complete))
    values, items = table.values, table.items
    sample = Sample(
        statistics=sealed(values),
        systems=tuple(systems),
        ids=_ids_of(scores, items),
        clusters=_clusters_of(scores, table.rows, items) if clusters else None,
        cluster_labels=tuple(scores.cluster.labels) if scores.cluster else (),
        aggregate=scores.aggregates[part.metric],
        higher_is_better=scores.higher_is_better[part.metric],
        metric=part.metric,
        dataset=part.dataset,
        unit_size=1,
        unit_statistic="mean",
        grid=_grid_of(scores, table),
        alignment=Alignment(len(values), lacking, dropped, by="id" if scores.ids_given else "row"),
        lengths=(len(values),) * len(systems),
        incomplete=incomplete,
        notes=(
            *part.notes,
            *(() if crossed else _run_notes(table.counts)),
            *cluster_notes(scores, clusters),
            *fold_notes(scores, len(values), repeated=bool((table.counts > 1).any())),
        ),
        metric_signature=scores.signatures.get(part.metric, ""),
        runs=runs,
    )
    return sample, items


def _complete(
    scores: Scores, systems: Sequence[str], table: Table, runs: Runs | None, missing: Missing
) -> tuple[npt.NDArray[np.bool_], dict[str, int]]:
    """Say which items all systems have, and how many each lacks; refuse none at all, and gaps that nobody allowed."""
    usable: npt.NDArray[np.bool_] = np.asarray(~np.isnan(table.values).any(axis=2))
    if runs is not None:
        if usable.all() and missing == "refuse":
            refuse_gaps(scores, runs, table.items, systems)
        usable &= in_all_runs(runs)
    complete: npt.NDArray[np.bool_] = np.asarray(usable.all(axis=1))
    lacking = {name: int((~usable[:, i]).sum()) for i, name in enumerate(systems)}
    if not complete.all() and missing == "refuse":
        raise _missing_error(scores, systems, usable, table.items, lacking)
    if not complete.any():
        raise InputError(
            f"no item has a score for all systems: {listing(systems)}.",
            where=where(scores),
            fix=_fewer_systems(scores, systems, usable),
        )
    return complete, lacking


def _fewer_systems(scores: Scores, systems: Sequence[str], usable: npt.NDArray[np.bool_]) -> Fix:
    """Advise what to do where no item has all scores: take systems that share items, or else ids do not match at all.

    From the system with most items on, the one is added that keeps most of them, down to a tenth.
    """
    kept: list[int] = []
    common = np.ones(len(usable), bool)
    rest = list(range(len(systems)))
    while rest:
        best = max(rest, key=lambda one: int((common & usable[:, one]).sum()))
        left = common & usable[:, best]
        if not left.any() or (kept and 10 * left.sum() < usable[:, kept[0]].sum()):
            break
        kept, common = [*kept, best], left
        rest.remove(best)
    if len(kept) > 1:
        names = ",".join(systems[one] for one in sorted(kept))
        gaps = () if common.sum() == usable[:, kept].any(axis=1).sum() else (" ", Option("missing", "drop"))
        shared = f"rank fewer; {len(kept)} have {int(common.sum()):,} items in common: "
        return Fix(shared, Option("systems", names), *gaps, ".")
    if scores.status is not None:
        empty = [name for at, name in enumerate(systems) if not usable[:, at].any()]
        if empty and usable.any():
            return Fix(f"look into the log of {listing(empty)}, which has no score of any of these items.")
        other = Option("match_by", "content")
        return Fix("give logs of runs on the same items; where the same items have other ids: ", other, ".")
    unpaired = "; for systems that were tried on different items take an unpaired test: "
    return Fix(
        "give an item the same id for every system, or name the id column: ",
        named_as(item="NAME"),
        By(
            f"{unpaired}nf.test(scores.unpaired(A, B), method='welch_t')",
            f"{unpaired}nofluke test FILE --method welch_t",
        ),
        ".",
    )


def _missing_error(
    scores: Scores, systems: Sequence[str], usable: npt.NDArray[np.bool_], item_codes: IntArray, lacking: dict[str, int]
) -> InputError:
    name = max(lacking, key=lambda system: lacking[system])
    column = list(systems).index(name)
    examples = [scores.item.labels[code] for code in item_codes[~usable[:, column]][:3]]
    has = {one: "has" if count == 1 else "have" for one, count in lacking.items() if count}
    counts = listing((f"{lacking[one]:,} {verb} no score for {one!r}" for one, verb in has.items()), 3)
    common = int(usable.all(axis=1).sum())
    drop = Fix(
        "score the missing items, or leave them out for all systems: ",
        Option("missing", "drop"),
        *(Fix("; or count them 0: ", way) for way in ways_to_zero(scores)),
        Fix("; a ranking can test each pair on its own items: ", _PAIRWISE, ".") if len(systems) > 2 else ".",
    )
    return InputError(
        f"of {counted(len(item_codes), 'item')} {counts} (for example {listing(examples)}); "
        f"{counted(common, 'item')} {'matches' if common == 1 else 'match'}.",
        where=where(scores),
        # Neither leaving items out nor pairs on their own helps where the systems have no item in common.
        fix=drop if common else _fewer_systems(scores, systems, usable),
    )


def ways_to_zero(scores: Scores) -> list[Option]:
    """The options by which items that logs have no score of count 0."""
    if scores.status is None:
        return []
    lost = np.unique(scores.status[np.isnan(scores.statistics).any(axis=1)])
    return [Option(f"on_{kind}", "zero") for kind in ("error", "unscored") if STATUSES.index(kind) in lost]


def _ids_of(scores: Scores, items: IntArray) -> tuple[str, ...] | Labels:
    """Give the ids of items; usually they are all there are, in the same order, and need no copy."""
    labels = scores.item.labels
    if len(items) == len(labels) and bool((np.diff(items) == 1).all()):
        return labels
    return tuple(map(labels.__getitem__, items.tolist()))


def _clusters_of(scores: Scores, rows: IntArray, item_codes: IntArray) -> IntArray | None:
    if scores.cluster is None:
        return None
    item, cluster = scores.item.codes[rows], scores.cluster.codes[rows]
    table = np.full(len(scores.item.labels), -1)
    table[item] = cluster
    conflict = np.flatnonzero(table[item] != cluster)
    if conflict.size:
        name = scores.item.labels[item[conflict[0]]]
        raise InputError(
            f"item {name!r} is in more than one cluster.",
            where=where(scores),
            fix="an item belongs to one cluster for all systems; check the cluster column.",
        )
    result: IntArray = frozen(table[item_codes], np.int64)
    return result


def _grid_of(scores: Scores, table: Table) -> Grid:
    """The grid of the scores, or of their means over equally many runs."""
    runs = int(table.counts.max())
    if runs == 1:
        return find_grid(table.values, scores.digits)
    raw = find_grid(scores.statistics[table.rows], scores.digits)
    if raw.exact and int(table.counts.min()) == runs:
        return Grid(raw.decimals, raw.divisor * runs, exact=True)
    return find_grid(table.values, digits=0)


def _run_notes(counts: IntArray) -> tuple[Note, ...]:
    low, high = int(counts.min()), int(counts.max())
    return () if high == 1 else (note("align.runs", low=low, high=high),)


def cluster_notes(scores: Scores, used: bool) -> tuple[Note, ...]:
    """Say that clusters are known and were set aside."""
    return () if used or scores.cluster is None else (note("align.clusters_set_aside"),)
