"""What of the scores a study of pairs looks at and how it compares them, with what repeats it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from nofluke.engine.pairs.table import Progress
from nofluke.errors import By, Fix, InputError, MethodError, Option, Verb, named_as
from nofluke.inference.ranking.panel import units_of
from nofluke.inference.ranking.systems import Selection, several_datasets, systems_of
from nofluke.inference.tests.bootstrap_settings import FEW_CLUSTERS, FEW_ITEMS
from nofluke.options import Opt
from nofluke.studies.pairs.comparisons import BOOTSTRAP, Comparisons, compare_all
from nofluke.studies.pairs.segments import FEWEST_CLUSTERS, Take
from nofluke.types import Note, Sample, Scores, note
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


@dataclass(frozen=True, slots=True)
class Look:
    """The part of the scores that is looked at, and how its pairs are compared."""

    selection: Selection
    method: str
    draws: int
    seed: int

    def sample(self, scores: Any) -> Sample:
        """Give the one sample of all systems."""
        return sample_of(scores, self.selection)

    def elsewhere(self, scores: Any, sample: Sample) -> Look:
        """Give the same look at other scores: the dataset, metric and run of the sample where they have them."""
        run, known = self.selection.run, isinstance(scores, Scores)
        # What a table does not name is "", which cannot be chosen.
        chosen = replace(
            self.selection,
            dataset=sample.dataset or None if known and sample.dataset in scores.datasets else None,
            metric=sample.metric or None if known and sample.metric in scores.metrics else None,
            run=run if known and scores.run is not None and run in scores.run.labels else None,
        )
        return replace(self, selection=chosen)

    def compare(self, sample: Sample, progress: Progress | None = None) -> Comparisons:
        """Compare all pairs of the sample."""
        return compare_all(sample, self.method, draws=self.draws, seed=self.seed, progress=progress)

    def settings(
        self, sample: Sample, found: Comparisons, own: Mapping[str, Any], *, seeded: bool = False
    ) -> dict[str, Any]:
        """Give all that repeats the study; None where something was not used or is as always.

        `own` are the settings of the study itself; `seeded` says that it takes random items.
        """
        clustered = "yes" if sample.clusters is not None else None if self.selection.clusters else "no"
        return {
            "dataset": sample.dataset or None,
            "metric": found.metric,
            "run": self.selection.run,
            "missing": None if self.selection.missing == "refuse" else self.selection.missing,
            "clusters": clustered,
            "method": self.method,
            **own,
            "n": sample.n,
            "systems": len(sample.systems),
            "draws": found.resamples if found.corrected else None,
            "seed": self.seed if seeded or found.resamples else None,
        }


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
