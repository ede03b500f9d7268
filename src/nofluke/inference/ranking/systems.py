"""From scores to the table of systems that rank compares: items, independent groups, or whole datasets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from nofluke.align import select
from nofluke.align.choose import choose, where, which_two
from nofluke.align.datasets import have_single_items
from nofluke.align.decimals import find_grid
from nofluke.align.units import group_into_units, refuse_units_of_one
from nofluke.align.unpaired import check_unpaired_clusters
from nofluke.errors import Fix, InputError, Option, listing, unknown, without_effect
from nofluke.inference.ranking.panel import reordered
from nofluke.inference.ranking.sequences import of_sequences, side_by_side
from nofluke.inference.resampling.corpus import refuse_undefined
from nofluke.option_groups import Aligning
from nofluke.types import Sample, Scores, note


@dataclass(frozen=True)
class Selection(Aligning):
    """What of the scores is looked at, and how items are grouped."""

    higher_is_better: bool | None = None
    systems: tuple[str, ...] | None = None
    pairwise: bool = False


def systems_of(scores: Any, selection: Selection, *, unpaired: bool) -> Sample:
    """Give one sample of all systems, each of which has a score; several datasets become an average of them.

    Where every pair has items of its own, it holds the items that all systems have: they put the systems in order.
    """
    refuse_units_of_one(selection.unit, selection.unit_statistic, selection.shuffle_seed)
    sample = _systems_of(scores, selection, unpaired=unpaired)
    if selection.pairwise:
        _refuse_pairwise(sample, unpaired=unpaired, chosen=isinstance(scores, Sample))
    refuse_undefined(sample)
    return sample


def _systems_of(scores: Any, selection: Selection, *, unpaired: bool) -> Sample:
    if isinstance(scores, Mapping):
        _refuse_choices(selection, "a dict of scores")
        scores = {name: scores[name] for name in chosen_systems(tuple(scores), selection)}
        higher = selection.higher_is_better is not False
        sample = of_sequences(scores, missing=selection.missing, unpaired=unpaired, higher_is_better=higher)
        return group_into_units(sample, selection.unit, selection.unit_statistic, selection.shuffle_seed)
    if selection.higher_is_better is not None:
        raise InputError(
            "higher_is_better belongs to a dict of scores; a table says it itself.",
            fix="say it when reading: nf.read(..., higher_is_better=False).",
        )
    if isinstance(scores, Sample):
        _refuse_choices(selection, "a sample")
        scores = _of_these(scores, selection)
        if scores.clusters is not None and not selection.clusters:
            notes: Any = (*scores.notes, note("rank.clusters_ignored"))
            scores = replace(scores, clusters=None, notes=notes)
        return _checked(group_into_units(scores, selection.unit, selection.unit_statistic, selection.shuffle_seed))
    if not isinstance(scores, Scores):
        raise InputError(
            f"a {type(scores).__name__} is no table of scores.",
            fix="read it first, with nf.read(...), or give {name: scores of the same items}.",
        )
    if len(scores.systems) < 2:
        raise InputError(
            f"systems are compared, and there is one: {listing(scores.systems)}.",
            where=where(scores),
            fix=which_two(scores),
        )
    systems = chosen_systems(scores.systems, selection, where=where(scores))
    if unpaired:
        return _independent(scores, selection)
    single = selection.dataset is None and selection.run is None and have_single_items(scores)
    part = {field.name: getattr(selection, field.name) for field in fields(Aligning)}
    # Where every dataset has one item, such as its mean score, datasets are what was sampled.
    part |= {"over": "datasets"} if single and selection.over is None else {}
    return select(scores, systems, **part)


def chosen_systems(known: tuple[str, ...], selection: Selection, *, where: str = "") -> tuple[str, ...]:
    """Give the systems that were asked for, or all; fewer than two, a double or an unknown one is refused."""
    if selection.systems is None:
        return known
    for name in selection.systems:
        if name not in known:
            raise unknown("system", name, known, where=where)
    if len(set(selection.systems)) < max(2, len(selection.systems)):
        raise InputError(
            f"systems are compared with each other, and these were named: {listing(selection.systems)}.",
            fix="name two or more different systems.",
        )
    return selection.systems


def _of_these(sample: Sample, selection: Selection) -> Sample:
    if selection.systems is None:
        return sample
    places = [sample.systems.index(name) for name in chosen_systems(sample.systems, selection)]
    return reordered(sample, places)


def _refuse_pairwise(sample: Sample, *, unpaired: bool, chosen: bool) -> None:
    """Testing each pair on its own items needs items, matched, that count the same for every pair."""
    several = sample.strata is not None or over_datasets(sample)
    if several or unpaired or chosen:
        what = "of several datasets all systems need the same" if several else "the test matches no items"
        what = "a sample holds only items that all systems have" if chosen else what
        instead = Fix("use ", Option("missing", "drop"), ", or choose one dataset." if several else ".")
        raise InputError(f"missing = 'pairwise' tests every pair on the items that both have, and {what}.", fix=instead)


def several_datasets(scores: Any, selection: Selection) -> bool:
    """Whether no dataset is named where there are several."""
    return isinstance(scores, Scores) and selection.dataset is None and len(scores.datasets) > 1


def over_datasets(sample: Sample) -> bool:
    """Whether the items of a sample are whole datasets."""
    return sample.alignment.by == "dataset"


def _checked(sample: Sample) -> Sample:
    if len(sample.systems) < 2:
        raise InputError("systems are compared, and there is one.", fix="give the scores of two or more systems.")
    return sample


def _refuse_choices(selection: Selection, what: str) -> None:
    """A part can only be chosen of a table that names its parts."""
    for name in ("dataset", "metric", "run"):
        if getattr(selection, name) is not None:
            raise InputError(
                f"{name} = {getattr(selection, name)!r} chooses a part of a table, and {what} has no {name}s.",
                fix=f"leave {name} out, or read a table with a {name} column: nf.read(...).",
            )
    given = (["weights"] if selection.weights != "equal" else []) + (["over"] if selection.over is not None else [])
    if given:
        fix = Fix("leave it out, or read a table with a dataset column.")
        raise without_effect(given, f"{what} has no datasets", fix)
    if selection.runs != "nested":
        fix = Fix("leave it out, or read a table with a column of runs.")
        raise without_effect(["runs"], f"{what} has no column of them", fix)


def _independent(scores: Scores, selection: Selection) -> Sample:
    """Give each system's own scores side by side, for tests that do not match items."""
    if selection.runs != "nested":
        raise without_effect(["runs"], "an unpaired test matches no items", Fix("leave it out."))
    part = choose(scores, selection.dataset, selection.metric, selection.run)
    if not scores.aggregates[part.metric].linear or selection.unit != 1:
        raise InputError(
            "a test of independent groups needs one score an item.", fix="leave the unit at 1 and use item scores."
        )
    set_aside = check_unpaired_clusters(scores, selection.clusters)
    system = scores.system
    columns = {
        name: scores.statistics[part.rows & (system.codes == system.code_of(name)), 0]
        for name in chosen_systems(scores.systems, selection)
    }
    sample = side_by_side(columns, missing=selection.missing, where=where(scores))
    return replace(
        sample,
        grid=find_grid(sample.statistics, scores.digits),
        metric=part.metric,
        dataset=part.dataset,
        higher_is_better=scores.higher_is_better[part.metric],
        notes=(*part.notes, *set_aside, *sample.notes),
        metric_signature=scores.signatures.get(part.metric, ""),
    )
