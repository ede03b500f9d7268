"""The Bayesian answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from nofluke.types.base import Drawable, FloatArray, Value, frozen
from nofluke.types.call import Call
from nofluke.types.notes import Note
from nofluke.types.results import Interval

# What a posterior may be about: a mean difference of items, splits or accuracies, who wins decided items, the common
# mean of datasets, the next dataset, how many datasets A wins, how many pairs of datasets favour A on average.
ABOUT = ("mean", "accuracy", "wins", "datasets_mean", "next_dataset", "dataset_wins", "dataset_pairs")


def _nothing() -> FloatArray:
    return frozen(np.empty(0))


@dataclass(frozen=True, slots=True)
class DatasetEffect(Value):
    """One dataset of several: the mean difference seen there, and what is believed of it after all were seen."""

    dataset: str
    n: int
    observed: float
    standard_error: float
    estimate: float
    interval: Interval
    p_better: float


@dataclass(frozen=True, slots=True, eq=False)
class Posterior(Drawable):
    """What the data and the stated prior say about A against B, from A's view.

    `p_equal` is the probability of the region of practical equivalence `rope` = (low, high), nan where none was stated;
    `p_better` and `p_worse` are then about both sides of no difference. `about` is the parameter, one of ABOUT, and is
    `null` where A and B do not differ; `estimate` is its posterior mean (its median where that does not exist) and
    `interval` holds it with the stated probability, as much left out below as above. `grid` and `density` draw it
    (empty where the posterior is about three probabilities). `error` is the largest Monte Carlo standard error of the
    three probabilities; 0 where nothing was drawn. `datasets` holds the single datasets of a hierarchical model.
    """

    p_better: float
    p_equal: float
    p_worse: float
    rope: tuple[float, float] | None
    prior: Note
    estimate: float
    interval: Interval | None
    n: int
    grid: FloatArray = field(default_factory=_nothing)
    density: FloatArray = field(default_factory=_nothing)
    draws: int = 0
    seed: int | None = None
    error: float = 0.0
    datasets: tuple[DatasetEffect, ...] = ()
    notes: tuple[Note, ...] = ()
    systems: tuple[str, str] = ("A", "B")
    metric: str = ""
    method: str = ""
    label: str = ""
    about: str = ""
    null: float = 0.0
    signature: str = ""
    call: Call | None = None

    @property
    def known(self) -> bool:
        """Whether the model could say anything at all about these data."""
        return not math.isnan(self.p_better)
