"""The imagined dataset that sign and signed-rank models start from, and what hangs on where it is put."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isnan
from typing import Annotated, Literal, NamedTuple

import numpy as np

from nofluke.align import differences, in_steps
from nofluke.inference.bayes.region import Region
from nofluke.types import IntArray, Note, Sample, note

# How a sample says that each of its scores is that of a dataset.
BY_DATASET = "dataset"

PriorStrength = Annotated[float, "weight of the imagined dataset that makes the prior"]
PriorPlace = Annotated[
    Literal["auto", "zero", "split", "better", "worse"],
    "where the imagined dataset lies: a tie, half on each side, for A, against A; auto is a tie where a region is "
    "stated (Benavoli's choice) and split where none is",
]


def place_of(place: str, region: Region | None) -> str:
    """Settle auto. Without a region a tie would be no prior at all, and one win would be certainty."""
    if place != "auto":
        return place
    return "split" if region is None else "zero"


def prior_of(sample: Sample, strength: float, place: str) -> Note:
    """Note where the imagined dataset lies."""
    a, b = sample.systems[:2]
    return note("bayes.prior_dataset", strength=strength, place=place, a=a, b=b)


def other_place(p: tuple[float, float, float]) -> tuple[str, int]:
    """Where the imagined dataset would speak most against the leading outcome, and that outcome's index."""
    leader = max(range(3), key=lambda index: -1.0 if isnan(p[index]) else p[index])
    return ("better" if leader == 2 else "worse"), leader


def sensitivity_note(sample: Sample, place: str, leader: int, changed: float, draws: int = 0) -> Note:
    """Note what the answer would be under a prior that speaks against it."""
    outcome = ("better", "equal", "worse")[leader]
    a, b = sample.systems[:2]
    return note("bayes.other_place", place=place, outcome=outcome, p=changed, draws=draws, a=a, b=b)


class Steps(NamedTuple):
    """Differences in whole steps of the grid, and the region's limits in the same steps, as fractions."""

    differences: IntArray
    low: Fraction
    high: Fraction

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many lie above, inside and below the region."""
        above = int(np.sum(self.differences > floor(self.high)))
        below = int(np.sum(self.differences < ceil(self.low)))
        return above, len(self.differences) - above - below, below


def in_whole_steps(sample: Sample, region: Region | None) -> Steps:
    """A difference of exactly 0.01 must lie on the limit 0.01 whatever binary arithmetic says."""
    low, high = region or (0.0, 0.0)
    return Steps(differences(sample).snapped, in_steps(low, sample.grid), in_steps(high, sample.grid))


def unit_note(sample: Sample) -> tuple[Note, ...]:
    """Warn where the scores may be those of single items."""
    if sample.alignment.by == BY_DATASET:
        return ()
    return (note("bayes.scores_as_datasets", n=sample.n),)
