"""Which datasets are looked at, and what is sampled: items within them, or the datasets themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nofluke.align.choose import choose_label, code_of_system, where
from nofluke.errors import Fix, InputError, MethodError, Option, Verb, listing, unknown, without_effect
from nofluke.options import listed
from nofluke.types import Axis, Note, Sample, Scores, frozen, note

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
    if dataset is None and metric is None and len(scores.metrics) > 1 and len(scores.datasets) > 1:
        scores = _one_metric_each(scores)
    if dataset is None and over != "datasets" and run is None and have_single_items(scores):
        scores = _of_single_items(scores)
    name = choose_label("metric", metric, scores.metric, scores)
    wanted = _wanted(scores, dataset)
    rows: npt.NDArray[np.bool_] = np.ones(len(scores.statistics), bool)
    if len(scores.metrics) > 1:
        rows &= scores.metric.codes == scores.metric.code_of(name)
    if wanted is not None:
        rows &= np.isin(scores.dataset.codes, [scores.dataset.code_of(one) for one in wanted])
    return scores if rows.all() else _rows(scores, rows)


def _wanted(scores: Scores, dataset: str | None) -> list[str] | None:
    if dataset is None:
        return None
    names = listed(dataset, scores.datasets)
    if scores.datasets == ("",) or len(names) < 2:
        return [choose_label("dataset", dataset, scores.dataset, scores)]
    for name in names:
        if name not in scores.datasets:
            raise unknown("dataset", str(name), scores.datasets, where=where(scores))
    return names


def _rows(scores: Scores, rows: npt.NDArray[np.bool_]) -> Scores:
    """Keep these rows, and the datasets they name; other axes keep their labels, which say what was asked for."""
    codes, place = np.unique(scores.dataset.codes[rows], return_inverse=True)
    datasets = Axis(tuple(scores.datasets[code] for code in codes.tolist()), frozen(place, np.int64))
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
    )


def _part(axis: Axis, rows: npt.NDArray[np.bool_]) -> Axis:
    return Axis(axis.labels, frozen(axis.codes[rows], np.int64))


def have_single_items(scores: Scores) -> bool:
    """Whether every one of several datasets has one item, such as its mean score."""
    if len(scores.datasets) < 2:
        return False
    pairs = np.unique(scores.dataset.codes * len(scores.item.labels) + scores.item.codes)
    return len(pairs) == len(scores.datasets)


def _of_single_items(scores: Scores) -> Scores:
    """Take datasets of one item as what is compared."""
    nowhere = Axis(("",), frozen(np.zeros_like(scores.dataset.codes), np.int64))
    told = note("align.datasets_as_items", n=len(scores.datasets))
    return replace(scores, item=scores.dataset, dataset=nowhere, ids_given=True, notes=(*scores.notes, told))


def _one_metric_each(scores: Scores) -> Scores:
    """Take the metrics as one where every dataset has its own and all of them are shares, higher being better."""
    pairs = np.unique(scores.dataset.codes * len(scores.metrics) + scores.metric.codes)
    used = [scores.metrics[code] for code in (pairs % len(scores.metrics)).tolist()]
    if len(pairs) != len(scores.datasets):
        return scores
    values = scores.statistics[~np.isnan(scores.statistics)]
    linear = all(scores.aggregates[name].linear and scores.higher_is_better[name] for name in used)
    if not linear or values.min(initial=0.0) < _SHARES[0] or values.max(initial=1.0) > _SHARES[1]:
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
    first = used[0]
    name = " / ".join(dict.fromkeys(used))
    return replace(
        scores,
        metric=Axis((name,), frozen(np.zeros_like(scores.metric.codes), np.int64)),
        higher_is_better={name: True},
        aggregates={name: scores.aggregates[first]},
        notes=(*scores.notes, note("align.metrics_averaged", metrics=tuple(dict.fromkeys(used)))),
    )


def chosen_over(scores: Scores, over: str | None) -> str:
    """What is taken as sampled: as asked for, else items, unless these are folds of a cross-validation."""
    if over not in (None, "items", "datasets"):
        raise unknown("value of over", str(over), ("items", "datasets"))
    return over or ("datasets" if _items_are_folds(scores) else "items")


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


def has_folds(sample: Sample) -> bool:
    """Whether the items of a sample are folds of a cross-validation."""
    return any(one.code == FOLDS for one in sample.notes)


def refuse_without_datasets(weights: str | Mapping[str, float], over: str | None) -> None:
    """Refuse what concerns several datasets where there is one."""
    given = (["weights"] if weights != "equal" else []) + (["over"] if over is not None else [])
    if given:
        fix = Fix("leave it out, or name the column of datasets: ", Option("columns", "dataset=NAME"), ".")
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
    wide = len(scores.datasets)
    there = set(np.unique(scores.system.codes * wide + scores.dataset.codes).tolist())
    for name in systems:
        code = code_of_system(scores, name)
        lacking = [label for at, label in enumerate(scores.datasets) if code * wide + at not in there]
        if lacking:
            kept = [label for label in scores.datasets if label not in lacking]
            raise InputError(
                f"{name!r} has no score on {listing(lacking)}, and the average is taken over {wide} datasets.",
                where=where(scores),
                fix=Fix("take the average over those that all systems have: ", Option("missing", "drop"), ".")
                if kept
                else "check the column of datasets.",
            )


def no_average_of(sample: Sample, datasets: Sequence[str]) -> MethodError:
    """The error for a score that only all items of a dataset have together, such as a rank correlation."""
    return MethodError(
        f"{sample.metric} of several datasets is not averaged.",
        fix=Fix("choose one: ", Option("dataset", datasets[0]), "; ", Verb("replicate"), " looks at each of them."),
    )
