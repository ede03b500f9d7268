"""What of the scores a study of pairs looks at and how it compares them, with what repeats it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from nofluke.engine.pairs.table import Progress
from nofluke.errors import By, Fix, InputError, MethodError, Option, Verb, named_as
from nofluke.inference.ranking.panel import units_of
from nofluke.inference.ranking.systems import Selection, several_datasets, systems_of
from nofluke.inference.tests.bootstrap_settings import FEW_CLUSTERS, FEW_ITEMS
from nofluke.options import Clusters, Dataset, Metric, Missing, Opt, Run, Seed
from nofluke.studies.pairs.comparisons import BOOTSTRAP, DRAWS, Comparisons, compare_all, series_of
from nofluke.studies.pairs.segments import FEWEST_CLUSTERS, Take
from nofluke.studies.pairs.thresholds import PERCENTILE, WINDOW, Rule, Threshold
from nofluke.studies.recording import recorded
from nofluke.types import Note, Sample, Scores, Series, Study, note
from nofluke.types.base import counted

CITATION = "Berg-Kirkpatrick et al. 2012"
# What the studies of pairs take alike.
PairMethod = Annotated[
    str,
    Opt("P-value of a pair: bootstrap (the paper's, and the default), permutation, paired_t, sign, mcnemar, wilcoxon."),
]
Window = Annotated[
    tuple[float, float],
    Opt(
        "Comparisons with a p-value in this range are the just significant ones: LOW,HIGH; its middle is the level.",
        most=2,
    ),
]
Percentile = Annotated[float, Opt("The threshold is this percentile of their gains.")]
Draws = Annotated[int, Opt("Corpus metrics: shared draws that correct the tangent; 0 for none.")]
TakeItems = Annotated[Take, Opt("Which items: first (as in the paper, and the default) or random.")]

_STEPS = 1_000


@dataclass(frozen=True, slots=True)
class PairOptions:
    """What all studies of pairs take: how pairs are compared, what makes a threshold, which scores are looked at."""

    method: PairMethod = BOOTSTRAP
    window: Window = WINDOW
    percentile: Percentile = PERCENTILE
    metric: Metric = None
    run: Run = None
    missing: Missing = "refuse"
    clusters: Clusters = True
    draws: Draws = DRAWS
    seed: Seed = 0


@dataclass(frozen=True, slots=True)
class Look(PairOptions):
    """The options of a study of one test set, and what it does by them."""

    dataset: Dataset = None

    def __post_init__(self) -> None:
        """Refuse a window or percentile that is none before anything is read."""
        self.rule  # noqa: B018 (its own check)

    @property
    def rule(self) -> Rule:
        """Which comparisons make a threshold."""
        return Rule(self.window, self.percentile)

    @property
    def selection(self) -> Selection:
        """The part of the scores."""
        return Selection(self.dataset, self.metric, self.run, missing=self.missing, clusters=self.clusters)

    def sample(self, scores: Any) -> Sample:
        """Give the one sample of all systems."""
        return sample_of(scores, self.selection)

    def elsewhere(self, scores: Any, sample: Sample) -> Look:
        """Give the same look at other scores: the dataset, metric and run of the sample where they have them."""
        known = isinstance(scores, Scores)
        # What a table does not name is "", which cannot be chosen.
        return replace(
            self,
            dataset=sample.dataset or None if known and sample.dataset in scores.datasets else None,
            metric=sample.metric or None if known and sample.metric in scores.metrics else None,
            run=self.run if known and scores.run is not None and self.run in scores.run.labels else None,
        )

    def compare(self, sample: Sample, progress: Progress | None = None) -> Comparisons:
        """Compare all pairs of the sample."""
        return compare_all(sample, self.method, draws=self.draws, seed=self.seed, progress=progress)

    def recorded(
        self,
        name: str,
        samples: Sequence[Sample],
        found: Mapping[str, Comparisons],
        one: Comparisons,
        *,
        own: Mapping[str, Any] | None = None,
        further: Mapping[str, Any] | None = None,
        notes: tuple[Sequence[Note], Sequence[Note]] = ((), ()),
        facts: Mapping[str, Any] | None = None,
        **parts: Any,
    ) -> Study:
        """Give the study with all that repeats it: settings are None where something was not used or is as always.

        `found` are the comparisons on every test set, `one` those whose draws are told. `own` and `further` are the
        study's settings before and after those of thresholds, `notes` its notes before and after those on pairs.
        """
        sample = samples[0]
        settings = {
            "dataset": sample.dataset or None,
            "metric": one.metric,
            "run": self.run,
            "missing": None if self.missing == "refuse" else self.missing,
            "clusters": "yes" if sample.clusters is not None else None if self.clusters else "no",
            "method": self.method,
            **(own or {}),
            "window": list(self.window),
            "percentile": self.percentile,
            **(further or {}),
            "n": sample.n,
            "systems": len(sample.systems),
            "draws": one.resamples if one.corrected else None,
            "seed": self.seed if (own or {}).get("take") == "random" or one.resamples else None,
        }
        return recorded(
            name,
            # Of several test sets each has its own name and number of items, in a table.
            settings if len(samples) == 1 else settings | {"dataset": None, "n": None},
            notes=(*notes_of(samples), *notes[0], *notes_on_pairs(found), *notes[1]),
            citations=(CITATION,),
            facts={"resamples": one.resamples, **(facts or {})},
            **parts,
        )


def sample_of(scores: Any, selection: Selection) -> Sample:
    """Give one sample of all systems; of several datasets one has to be named."""
    if several_datasets(scores, selection):
        names: Scores = scores
        raise InputError(
            f"the scores hold {len(names.datasets)} datasets, and a gain belongs to one test set.",
            fix=Fix(
                "choose one: ",
                Option("dataset", "NAME"),
                "; look at all with ",
                By("nofluke.studies.domain", "nofluke study domain"),
                "; or make one test set of all by ignoring the column that tells them apart: ",
                named_as(ignore="NAME"),
                ".",
            ),
        )
    sample = systems_of(scores, selection, unpaired=False)
    if sample.aggregate.whole is not None:
        raise MethodError(
            f"{sample.metric} is a score of all items together, which is not compared for all pairs here.",
            fix="use a metric with a score or counts for every item.",
        )
    if len(sample.systems) < 3:
        raise InputError(
            f"a study of gains needs many systems, and there are {len(sample.systems)}.",
            fix=Fix("give three or more; for two systems use ", Verb("compare"), "."),
        )
    check_clusters(sample, sample.dataset)
    return sample


def check_clusters(sample: Sample, name: str) -> None:
    """Refuse a test set with so few clusters that no gain is significant on it."""
    clusters = units_of(sample)
    if sample.clusters is not None and clusters < FEWEST_CLUSTERS:
        raise InputError(
            f"items come in {counted(clusters, 'cluster')}, and with 5 or fewer no gain is significant: swaps of so "
            "few cannot reach a two-sided p-value of 0.05.",
            where=f"dataset {name}" if name else "",
            fix=Fix(
                "name a cluster column with more of them, or, if items are independent, say so: ",
                Option("clusters", "False"),
                ".",
            ),
        )


def check_varies(found: Iterable[Comparisons]) -> None:
    """Refuse scores with which nothing can be compared: no pair has a difference that varies from item to item."""
    if not any(one.varies for one in found):
        raise InputError(
            "no two systems differ by more on one item than on another, so that every gain or none is significant.",
            fix="give item scores that vary; constant scores may be averages.",
        )


def notes_of(samples: Iterable[Sample]) -> tuple[Note, ...]:
    """Give what must be known of the samples: items that were left out, clusters that were set aside."""
    notes: list[Note] = []
    for sample in samples:
        matched = sample.alignment
        if matched.dropped or matched.leftover:
            missing = tuple(matched.missing.items())
            left_out = {"dropped": matched.dropped, "leftover": matched.leftover, "missing": missing}
            notes.append(note("study.left_out", dataset=sample.dataset, **left_out))
        notes += sample.notes
    return tuple(dict.fromkeys(notes))


def notes_on_pairs(found: Mapping[str, Comparisons]) -> Iterator[Note]:
    """Say where bootstrap p-values are too small, and which pairs are special; `found` are those of every test set."""
    drawn = [one for one in found.values() if one.method == BOOTSTRAP]
    items = sorted({one.units for one in drawn if one.unit != "cluster" and one.units < FEW_ITEMS})
    clusters = sorted({one.units for one in drawn if one.unit == "cluster" and one.units < FEW_CLUSTERS})
    if items:
        yield note("study.few_items", units=items)
    if clusters:
        yield note("study.few_clusters", units=clusters)
    for what, count in (
        ("identical_pairs", "identical"),
        ("pairs_without_p", "without_p"),
        ("pairs_by_flips", "by_flips"),
    ):
        places = [(name, int(getattr(one, count))) for name, one in found.items()]
        if any(number for _, number in places):
            yield note(f"study.{what}", places=places)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One test set: its comparisons, its threshold, and the gain that its usual pair needs (nan: none varies)."""

    found: Comparisons
    limit: Threshold
    usual: float


Parts = Mapping[str, Part]


def compare_parts(samples: Mapping[str, Sample], look: Look, progress: Progress | None) -> dict[str, Part]:
    """Compare all pairs on every test set."""
    parts: dict[str, Part] = {}
    for place, (name, sample) in enumerate(samples.items()):
        found = look.compare(sample, _share_of(progress, place, len(samples)))
        parts[name] = Part(found, look.rule.threshold(found.gain, found.p_value), usual_gain(found, look.rule))
    check_varies(part.found for part in parts.values())
    return parts


def _share_of(progress: Progress | None, place: int, parts: int) -> Progress | None:
    """Report the progress of one part as that of all; parts count alike, whatever they count themselves."""
    if progress is None:
        return None
    return lambda done, total: progress(place * _STEPS + done * _STEPS // max(total, 1), parts * _STEPS)


def usual_gain(found: Comparisons, rule: Rule) -> float:
    """Give the gain that the usual pair needs: the median over pairs that vary, nan where none does."""
    varying = found.standard_error[found.standard_error > 0]
    return rule.errors * float(np.median(varying)) if varying.size else math.nan


def columns_of(parts: Parts) -> dict[str, tuple[Any, ...]]:
    """Give the columns that the tables of test sets have in common."""
    return {
        "just significant": tuple(part.limit.near for part in parts.values()),
        "threshold": tuple(part.limit.value for part in parts.values()),
        "needed by the usual pair": tuple(part.usual for part in parts.values()),
    }


def points_of(parts: Parts) -> dict[str, Series]:
    """Give the comparisons on every test set as points."""
    return {name: series_of(part.found, (name,) * part.found.size, name) for name, part in parts.items()}
