"""Several datasets as one sample: items with the dataset as their cluster, or one score for each dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from nofluke.align import as_sample, find_grid
from nofluke.align.choose import two_systems
from nofluke.errors import InputError, MethodError
from nofluke.inference.bayes.imagined_dataset import BY_DATASET
from nofluke.types import Alignment, Sample, Scores, frozen


@dataclass(frozen=True, slots=True)
class Datasets:
    """The same two systems on several datasets, by one metric."""

    samples: Mapping[str, Sample]
    digits: int = 12

    @property
    def has_items(self) -> bool:
        """Whether the datasets are known item by item, by a metric that is a mean over items."""
        return all(sample.aggregate.linear and sample.n > 1 for sample in self.samples.values())

    @property
    def single(self) -> tuple[str, ...]:
        """The datasets with a single item, where others have several."""
        alone = tuple(name for name, sample in self.samples.items() if sample.n == 1)
        return alone if len(alone) < len(self.samples) else ()

    def pooled(self) -> Sample:
        """All items, with the dataset as cluster."""
        first = next(iter(self.samples.values()))
        _refuse_what_cannot_be_pooled(self.samples)
        statistics = frozen(np.concatenate([sample.statistics for sample in self.samples.values()]))
        codes = np.repeat(np.arange(len(self.samples)), [sample.n for sample in self.samples.values()])
        return replace(
            first,
            statistics=statistics,
            ids=None,
            clusters=frozen(codes, np.int64),
            cluster_labels=tuple(self.samples),
            dataset="",
            grid=find_grid(statistics, self.digits),
            alignment=Alignment(matched=len(codes)),
            lengths=(len(codes),) * len(first.systems),
        )

    def scores(self) -> Sample:
        """One score of each system for each dataset."""
        first = next(iter(self.samples.values()))
        a, b = ([sample.score(index) for sample in self.samples.values()] for index in (0, 1))
        names = (first.systems[0], first.systems[1])
        sample = as_sample(a, b, names=names, higher_is_better=first.higher_is_better)
        return replace(
            sample,
            ids=tuple(self.samples),
            metric=first.metric,
            alignment=Alignment(matched=len(a), by=BY_DATASET),
        )


def datasets_of(
    scores: Scores, systems: tuple[str, str] | None, metric: str | None, missing: Literal["refuse", "drop"]
) -> Datasets:
    """Take every dataset of a table of scores."""
    a, b = two_systems(scores, *(systems or (None, None)))
    found = {name: scores.pair(a, b, dataset=name, metric=metric, missing=missing) for name in scores.datasets}
    return Datasets(found, scores.digits)


def datasets_from(mapping: Mapping[Any, Any], missing: Literal["refuse", "drop"]) -> Datasets:
    """Read {dataset: Sample} or {dataset: (scores of A, scores of B)}."""
    if not mapping:
        raise InputError("there is no dataset.", fix="give {name: (scores of A, scores of B), ...}.")
    found = {}
    for name, given in mapping.items():
        if not isinstance(given, Sample) and (not hasattr(given, "__len__") or len(given) != 2):
            raise InputError(
                f"dataset {name!r} does not hold two systems.",
                where=str(name),
                fix="give {name: (scores of A, scores of B), ...}, or {name: Sample, ...}.",
            )
        found[str(name)] = given if isinstance(given, Sample) else as_sample(given[0], given[1], missing=missing)
    return Datasets(found)


def _refuse_what_cannot_be_pooled(samples: Mapping[str, Sample]) -> None:
    for name, sample in samples.items():
        if sample.clusters is not None:
            raise MethodError(
                f"the items of dataset {name!r} come in clusters, and 'hierarchical' takes them as independent.",
                fix="use method 'signed_rank', which takes one score for each dataset.",
            )
        if not sample.aggregate.linear:
            raise MethodError(
                f"{sample.metric} is not a mean over items, so the items of a dataset have no differences.",
                fix="use method 'signed_rank' or 'sign', which take one score for each dataset.",
            )
