"""Scores to Sample: match by id, missing policy, evaluation units, clusters, orientation, exact decimals."""

from nofluke.align.clusters import cluster_totals, mean_of, weighed_totals
from nofluke.align.counts import sample_from_counts
from nofluke.align.datasets import FOLDS, has_folds
from nofluke.align.decimals import (
    Differences,
    differences,
    find_grid,
    in_steps,
    rounding_of_sums,
    to_integers,
)
from nofluke.align.item_scores import as_item_scores
from nofluke.align.match import pair, select
from nofluke.align.printed import fractions_behind, widen_ties
from nofluke.align.sequences import as_sample
from nofluke.align.strata import tasks_of
from nofluke.align.units import group_into_units
from nofluke.align.unpaired import select_unpaired

__all__ = [
    "FOLDS",
    "Differences",
    "as_item_scores",
    "as_sample",
    "cluster_totals",
    "differences",
    "find_grid",
    "fractions_behind",
    "group_into_units",
    "has_folds",
    "in_steps",
    "mean_of",
    "pair",
    "rounding_of_sums",
    "sample_from_counts",
    "select",
    "select_unpaired",
    "tasks_of",
    "to_integers",
    "weighed_totals",
    "widen_ties",
]
