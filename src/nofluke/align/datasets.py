"""Which datasets are looked at, and what is sampled: items within them, or the datasets themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nofluke.align.choose import choose_label, code_of_system, where
from nofluke.errors import Fix, InputError, MethodError, Option, Verb, listing, named_as, unknown, without_effect
from nofluke.options import listed
from nofluke.types import Axis, FloatArray, Note, Sample, Scores, frozen, note

# Folds share their training data, so they are no independent items; the dataset is what can be taken as one.
_FOLDS = ("fold", "fold_id")
# The note that says so.
FOLDS = "align.folds"
# Scores of different metrics are averaged as they are only if all of them are shares.
_SHARES = (0.0, 1.0)


def of_datasets(
    scores: Scores, dataset: str | None, metric: str | None, run: str | None, over: str | None = None
) -> Scores:
    """Give the scores on one metric of the datasets that are looked at: those named, or all."""
    if metric is None and len(scores.metrics) > 1 and scores.primary:
        scores = _of_primary_metrics(scores, wanted_datasets(scores, dataset))
    if dataset is None and metric is None and len(scores.metrics) > 1 and len(scores.datasets) > 1:
        scores = _one_metric_each(scores)
    if dataset is None and over != "datasets" and run is None and have_single_items(scores):
        scores = scores if over is None and scores.status is not None else of_single_items(scores)
    name = choose_label("metric", metric, scores.metric, scores)
    wanted = wanted_datasets(scores, dataset)
    rows: npt.NDArray[np.bool_] = np.ones(len(scores.statistics), bool)
    if len(scores.metrics) > 1:
        rows &= scores.metric.codes == scores.metric.code_of(name)
    if wanted is not None:
        rows &= np.isin(scores.dataset.codes, [scores.dataset.code_of(one) for one in wanted])
    if not rows.any():
        raise InputError(
            f"{name} is no metric of {listing(wanted or ())}.",
            where=where(scores),
            fix=Fix("choose one of theirs: ", Option("metric", listing(_metrics_of(scores, wanted or []))), "."),
        )
    scores = part_of_rows(scores, rows)
    width = scores.aggregates[name].width or scores.statistics.shape[1]
    # Metrics with fewer statistics than others in one table are filled up: here there is one metric.
    if width == scores.statistics.shape[1]:
        return scores
    return replace(scores, statistics=frozen(scores.statistics[:, :width]))


def _metrics_of(scores: Scores, datasets: Sequence[str]) -> list[str]:
    here = np.isin(scores.dataset.codes, [scores.dataset.code_of(name) for name in datasets])
    return [scores.metrics[code] for code in np.unique(scores.metric.codes[here]).tolist()]


def having(scores: Scores, metric: str | None) -> tuple[str, ...]:
    """Name the datasets that have a score of a metric; all of them where none is named, or it is not known."""
    if metric is None or metric not in scores.metrics or len(scores.metrics) == 1:
        return scores.datasets
    rows = scores.metric.codes == scores.metric.code_of(metric)
    return tuple(scores.datasets[code] for code in np.unique(scores.dataset.codes[rows]).tolist())


def _of_primary_metrics(scores: Scores, wanted: list[str] | None) -> Scores:
    """Take the metric that every dataset is judged by, where all of those looked at have one; and say which it is."""
    looked_at = scores.datasets if wanted is None else wanted
    if not all(name in scores.primary for name in looked_at):
        return scores
    pairs = scores.keys("dataset", "metric")
    known = [
        (scores.datasets[pair // len(scores.metrics)], scores.metrics[pair % len(scores.metrics)]) for pair in pairs
    ]
    shares = _on_one_scale(scores, list(looked_at)) if wanted is None else list(looked_at)
    used = tuple(dict.fromkeys(scores.primary[name] for name in shares))
    others = tuple(dict.fromkeys(metric for name, metric in known if name in shares and metric not in used))
    chosen = [
        scores.dataset.code_of(name) * len(scores.metrics) + scores.metric.code_of(scores.primary[name])
        for name in shares
    ]
    rows = np.isin(scores.key("dataset", "metric"), chosen)
    place = np.array([used.index(name) if name in used else -1 for name in scores.metrics])
    kept = replace(part_of_rows(scores, rows), metric=Axis(used, frozen(place[scores.metric.codes[rows]], np.int64)))
    left_out = tuple((name, scores.primary[name]) for name in looked_at if name not in shares)
    notes: tuple[Note, ...] = (note("align.other_scales", tasks=left_out),) if left_out else ()
    notes += (note("align.primary_metric", metrics=used, others=others),) if others else ()
    return replace(kept, notes=(*kept.notes, *notes))


def _on_one_scale(scores: Scores, datasets: list[str]) -> list[str]:
    """Give those datasets that are judged by shares, higher being better, where others are not; else all of them."""
    beyond = (scores.statistics[:, 0] < _SHARES[0]) | (scores.statistics[:, 0] > _SHARES[1])
    others = set(scores.key("dataset", "metric")[beyond].tolist())
    shares = []
    for name in datasets:
        metric = scores.primary[name]
        pair = scores.dataset.code_of(name) * len(scores.metrics) + scores.metric.code_of(metric)
        if scores.aggregates[metric].linear and scores.higher_is_better[metric] and pair not in others:
            shares.append(name)
    return shares if len(shares) > 1 else datasets


def are_shares(values: FloatArray) -> bool:
    """Whether all scores that are known lie between 0 and 1."""
    known = values[~np.isnan(values)]
    return bool(known.min(initial=0.0) >= _SHARES[0] and known.max(initial=1.0) <= _SHARES[1])


def wanted_datasets(scores: Scores, dataset: str | None) -> list[str] | None:
    """Give the datasets that are named, with commas between them; None where none is."""
    if dataset is None:
        return None
    names = listed(dataset, scores.datasets)
    if scores.datasets == ("",) or len(names) < 2:
        return [choose_label("dataset", dataset, scores.dataset, scores)]
    for name in names:
        if name not in scores.datasets:
            raise unknown("dataset", str(name), scores.datasets, where=where(scores))
    return names


def part_of_rows(scores: Scores, rows: npt.NDArray[np.bool_]) -> Scores:
    """Keep these rows, and the datasets they name; other axes keep their labels, which say what was asked for."""
    if rows.all():
        return scores
    datasets = named_only(_part(scores.dataset, rows))
    return replace(
        scores,
        statistics=frozen(scores.statistics[rows]),
        item=_part(scores.item, rows),
        system=_part(scores.system, rows),
        dataset=datasets,
        metric=_part(scores.metric, rows),
        run=None if scores.run is None else _part(scores.run, rows),
        cluster=None if scores.cluster is None else _part(scores.cluster, rows),
        lines=None if scores.lines is None else frozen(scores.lines[rows], np.int64),
        checks=None if scores.checks is None else frozen(scores.checks[rows], np.int64),
        status=None if scores.status is None else frozen(scores.status[rows], np.int8),
        primary={dataset: metric for dataset, metric in scores.primary.items() if dataset in datasets.labels},
    )


def named_only(axis: Axis) -> Axis:
    """Leave out the labels that no row has."""
    codes, place = np.unique(axis.codes, return_inverse=True)
    return Axis(tuple(axis.labels[code] for code in codes.tolist()), frozen(place, np.int64))


def _part(axis: Axis, rows: npt.NDArray[np.bool_]) -> Axis:
    return Axis(axis.labels, frozen(axis.codes[rows], np.int64))


def have_single_items(scores: Scores) -> bool:
    """Whether every one of several datasets has one item, such as its mean score."""
    if len(scores.datasets) < 2:
        return False
    return len(scores.keys("dataset", "item")) == len(scores.datasets)


def of_single_items(scores: Scores) -> Scores:
    """Take datasets of one item as what is compared."""
    nowhere = Axis(("",), frozen(np.zeros_like(scores.dataset.codes), np.int64))
    told = note("align.datasets_as_items", n=len(scores.datasets))
    return replace(scores, item=scores.dataset, dataset=nowhere, ids_given=True, notes=(*scores.notes, told))


def _one_metric_each(scores: Scores) -> Scores:
    """Take the metrics as one where every dataset has its own and all of them are shares, higher being better."""
    pairs = scores.keys("dataset", "metric")
    used = [scores.metrics[code] for code in (pairs % len(scores.metrics)).tolist()]
    if len(pairs) != len(scores.datasets):
        return scores
    linear = all(scores.aggregates[name].linear and scores.higher_is_better[name] for name in used)
    if not linear or not are_shares(scores.statistics):
        task = scores.datasets[0]
        raise InputError(
            f"datasets have different metrics ({listing(sorted(set(used)))}), and an average of them means nothing.",
            where=where(scores),
            fix=Fix(
                "choose datasets that share a metric: ",
                Option("metric", used[0]),
                " or ",
                Option("dataset", task),
                "; or bring all scores to one scale beforehand, by constants that do not come from these systems.",
            ),
        )
    first, own = used[0], tuple(dict.fromkeys(used))
    name = " / ".join(own) if len(own) == 2 else f"mean of {len(own)} metrics"
    return replace(
        scores,
        metric=Axis((name,), frozen(np.zeros_like(scores.metric.codes), np.int64)),
        higher_is_better={name: True},
        aggregates={name: scores.aggregates[first]},
        notes=(*scores.notes, note("align.metrics_averaged", metrics=own)),
    )


def chosen_over(scores: Scores, over: str | None) -> str:
    """What is taken as sampled: as asked for, else items, unless these are folds of a cross-validation.

    Logs that have one score for each task, and no items, are about tasks.
    """
    if over not in (None, "items", "datasets"):
        raise unknown("value of over", str(over), ("items", "datasets"))
    without_items = scores.status is not None and have_single_items(scores)
    return over or ("datasets" if without_items or _items_are_folds(scores) else "items")


def _items_are_folds(scores: Scores) -> bool:
    """Whether the items are folds of a cross-validation, by the names of their columns."""
    columns = [source.mapping.get("item", "") for source in scores.sources]
    return bool(columns) and all(re.sub(r"[\s\-]+", "_", name.strip()).casefold() in _FOLDS for name in columns)


def fold_notes(scores: Scores, folds: int, *, repeated: bool) -> tuple[Note, ...]:
    """Folds of a cross-validation are no independent items, and least of all those averaged over its repetitions."""
    if not _items_are_folds(scores):
        return ()
    named = [source.mapping.get(role, "") for role in ("item", "run") for source in scores.sources]
    columns = tuple(dict.fromkeys(filter(None, named))) if repeated else ()
    return (note(FOLDS, columns=columns, folds=folds),)


def folds_of_each(notes: Sequence[Note], sizes: Sequence[int]) -> tuple[Note, ...]:
    """Count folds within a dataset, not over all; of unequal numbers the fewest, with the largest test share."""
    return tuple(note(FOLDS, columns=one["columns"], folds=min(sizes)) if one.code == FOLDS else one for one in notes)


def has_folds(sample: Sample) -> bool:
    """Whether the items of a sample are folds of a cross-validation."""
    return any(one.code == FOLDS for one in sample.notes)


def refuse_without_datasets(weights: str | Mapping[str, float], over: str | None) -> None:
    """Refuse what concerns several datasets where there is one."""
    given = (["weights"] if weights != "equal" else []) + (["over"] if over is not None else [])
    if given:
        fix = Fix("leave it out, or name the column of datasets: ", named_as(dataset="NAME"), ".")
        raise without_effect(given, "there is one dataset", fix)


def refuse_weights(weights: str | Mapping[str, float]) -> None:
    """Refuse weights where every dataset is one observation."""
    if weights != "equal":
        raise without_effect(["weights"], "every dataset is one observation", Fix("leave it out."))


def noun_of(scores: Scores) -> str:
    """What the user calls a dataset: a task, where the column is named so."""
    columns = [source.mapping.get("dataset", "").casefold() for source in scores.sources]
    return "task" if columns and all(name.startswith("task") for name in columns) else "dataset"


def refuse_units(unit: int) -> None:
    """Refuse evaluation units of adjacent items where items are of several datasets."""
    if unit != 1:
        raise InputError(
            "evaluation units were asked for over several datasets, whose items are no one sequence.",
            fix=Fix("leave ", Option("unit"), " out, or choose one dataset: ", Option("dataset", "NAME"), "."),
        )


def used_metric(scores: Scores) -> str:
    """Give the one metric that the rows are of."""
    return scores.metrics[int(scores.metric.codes[0])]


def refuse_lacking_datasets(scores: Scores, systems: Sequence[str], missing: str) -> None:
    """Refuse systems that have no score at all on some of the datasets, unless those may be dropped."""
    if missing != "refuse":
        return
    found = lacking_datasets(scores, systems)
    common = set(scores.datasets).difference(*found.values())
    for name, lacking in found.items():
        if lacking:
            logs = scores.status is not None
            others = "give systems that were run on the same tasks." if logs else "check the column of datasets."
            raise InputError(
                f"{name!r} has no score on {listing(lacking)} (of {len(scores.datasets)} datasets).",
                where=where(scores),
                fix=Fix("look at those alone that all systems have: ", Option("missing", "drop"), ".")
                if common
                else others,
            )


def lacking_datasets(scores: Scores, systems: Sequence[str]) -> dict[str, list[str]]:
    """Give the datasets that each of these systems has no row of."""
    wide = len(scores.datasets)
    there = set(scores.keys("system", "dataset").tolist())
    codes = {name: code_of_system(scores, name) for name in systems}
    return {
        name: [label for at, label in enumerate(scores.datasets) if code * wide + at not in there]
        for name, code in codes.items()
    }


def no_average_of(sample: Sample, datasets: Sequence[str]) -> MethodError:
    """The error for a score that only all items of a dataset have together, such as a rank correlation."""
    return MethodError(
        f"{sample.metric} of several datasets is not averaged.",
        fix=Fix("choose one: ", Option("dataset", datasets[0]), "; ", Verb("replicate"), " looks at each of them."),
    )
