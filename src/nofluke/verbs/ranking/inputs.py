"""From scores to the table of systems that rank compares: items, independent groups, or whole datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from nofluke.align import as_sample, select
from nofluke.align.choose import choose, where
from nofluke.align.decimals import FLOAT_DIGITS, find_grid
from nofluke.align.units import group_into_units
from nofluke.errors import InputError, listing
from nofluke.types import MEAN, Alignment, FloatArray, Sample, Scores, frozen

Missing = Literal["refuse", "drop"]


@dataclass(frozen=True, slots=True)
class Selection:
    """What of the scores is looked at, and how items are grouped."""

    dataset: str | None = None
    metric: str | None = None
    run: str | None = None
    missing: Missing = "refuse"
    unit: int = 1
    unit_statistic: Literal["mean", "median"] = "mean"
    shuffle_seed: int | None = None
    clusters: bool = True


def systems_of(scores: Any, selection: Selection, *, unpaired: bool) -> Sample:
    """Give one sample of all systems; several datasets become one score a dataset."""
    if isinstance(scores, Sample):
        return _checked(group_into_units(scores, selection.unit, selection.unit_statistic, selection.shuffle_seed))
    if isinstance(scores, Mapping):
        sample = _of_sequences(scores)
        return _checked(group_into_units(sample, selection.unit, selection.unit_statistic, selection.shuffle_seed))
    if not isinstance(scores, Scores):
        raise InputError(
            f"a {type(scores).__name__} is no table of scores.",
            fix="read it first, nf.rank(nf.read(...)), or give {name: scores of the same items}.",
        )
    if len(scores.systems) < 2:
        raise InputError(
            f"systems are compared, and there is one: {listing(scores.systems)}.",
            where=where(scores),
            fix="give the scores of two or more systems.",
        )
    if over_datasets(scores, selection):
        return datasets_as_items(scores, selection)
    if unpaired:
        return _independent(scores, selection)
    return select(
        scores,
        scores.systems,
        dataset=selection.dataset,
        metric=selection.metric,
        run=selection.run,
        missing=selection.missing,
        unit=selection.unit,
        unit_statistic=selection.unit_statistic,
        shuffle_seed=selection.shuffle_seed,
        clusters=selection.clusters,
    )


def over_datasets(scores: Any, selection: Selection) -> bool:
    """Whether several datasets are looked at together."""
    return isinstance(scores, Scores) and selection.dataset is None and len(scores.datasets) > 1


def _checked(sample: Sample) -> Sample:
    if len(sample.systems) < 2:
        raise InputError("systems are compared, and there is one.", fix="give the scores of two or more systems.")
    return sample


def _of_sequences(scores: Mapping[str, Sequence[float]]) -> Sample:
    """Make a sample of {name: scores}, item i of one against item i of the others."""
    if len(scores) < 2:
        raise InputError(f"systems are compared, and there is {len(scores)}.", fix="give two or more sequences.")
    (first, values), *others = scores.items()
    # Pairing each with the first one checks numbers, lengths and missing scores with the usual messages.
    pairs = [as_sample(values, other, names=(str(first), str(name))) for name, other in others]
    table = np.concatenate([pairs[0].statistics[:, :1], *(pair.statistics[:, 1:] for pair in pairs)], axis=1)
    return replace(
        pairs[0],
        statistics=frozen(table),
        systems=tuple(str(name) for name in scores),
        grid=find_grid(table, FLOAT_DIGITS),
        lengths=(len(table),) * len(scores),
        incomplete=frozen(np.empty((0, len(scores), 1))),
    )


def _independent(scores: Scores, selection: Selection) -> Sample:
    """Give each system's own scores side by side, for tests that do not match items."""
    part = choose(scores, selection.dataset, selection.metric, selection.run)
    if not scores.aggregates[part.metric].linear or selection.unit != 1:
        raise InputError(
            "a test of independent groups needs one score an item.", fix="leave the unit at 1 and use item scores."
        )
    groups = []
    for name in scores.systems:
        values = scores.statistics[part.rows & (scores.system.codes == scores.system.code_of(name)), 0]
        lacking = int(np.isnan(values).sum())
        if lacking and selection.missing == "refuse":
            raise InputError(
                f"{lacking:,} scores of {name!r} are missing.",
                where=where(scores),
                fix="a missing score is not 0; leave such items out with --missing drop (missing='drop').",
            )
        values = values[~np.isnan(values)]
        if not values.size:
            raise InputError(f"system {name!r} has no scores here.", where=where(scores), fix="leave the system out.")
        groups.append(values)
    lengths = tuple(len(group) for group in groups)
    table = np.full((max(lengths), len(groups), 1), np.nan)
    for index, group in enumerate(groups):
        table[: len(group), index, 0] = group
    model = as_sample(groups[0], groups[1], paired=False)
    return replace(
        model,
        statistics=frozen(table),
        systems=scores.systems,
        grid=find_grid(table, scores.digits),
        alignment=Alignment(matched=min(lengths), by="position"),
        lengths=lengths,
        metric=part.metric,
        dataset=part.dataset,
        higher_is_better=scores.higher_is_better[part.metric],
        notes=scores.notes,
    )


def datasets_as_items(scores: Scores, selection: Selection) -> Sample:
    """Give the score of every system on every dataset: the dataset is the item."""
    if selection.unit != 1:
        raise InputError(
            "evaluation units were asked for over several datasets, and there the dataset is the unit.",
            fix="leave the unit at 1, or choose one dataset.",
        )
    kept: list[str] = []
    rows: list[list[float]] = []
    sizes: list[int] = []
    sample: Sample | None = None
    for name in scores.datasets:
        try:
            found = select(
                scores,
                scores.systems,
                dataset=name,
                metric=selection.metric,
                run=selection.run,
                missing=selection.missing,
                clusters=False,
            )
        except InputError:
            if selection.missing == "refuse":
                raise
            continue
        sample = found
        kept.append(name)
        rows.append([found.score(index) for index in range(len(scores.systems))])
        sizes.append(found.n)
    if sample is None:
        raise InputError(
            "no dataset has a score of all systems.",
            where=where(scores),
            fix="leave out systems with missing datasets.",
        )
    return _as_items(scores, sample, kept, np.array(rows), sizes)


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _as_items(scores: Scores, sample: Sample, kept: list[str], table: FloatArray, sizes: list[int]) -> Sample:
    dropped = len(scores.datasets) - len(kept)
    single = max(sizes) == 1
    note = (
        f"a score is that of a whole dataset ({_range(sizes)} items each); the dataset is the unit, "
        "and the result speaks of datasets like these."
    )
    return replace(
        sample,
        statistics=frozen(table[:, :, None]),
        ids=tuple(kept),
        clusters=None,
        cluster_labels=(),
        aggregate=MEAN,
        dataset="",
        grid=find_grid(table, scores.digits if single else FLOAT_DIGITS),
        alignment=Alignment(len(kept), {}, dropped, by="dataset"),
        lengths=(len(kept),) * len(scores.systems),
        incomplete=frozen(np.empty((0, len(scores.systems), 1))),
        notes=tuple(
            part
            for part in (
                *scores.notes,
                "" if single else note,
                f"{dropped} datasets without a score of all systems were left out." if dropped else "",
            )
            if part
        ),
    )
