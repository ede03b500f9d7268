"""Scores of single items under a corpus metric: for looking at the data, never for testing it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nofluke.align.decimals import FLOAT_DIGITS, find_grid
from nofluke.align.strata import unblocked
from nofluke.types import MEAN, Sample, frozen, note


def as_item_scores(sample: Sample) -> Sample:
    """Give a sample whose scores are the metric of every item alone; items where it is undefined are left out.

    A linear sample comes back as it is.
    """
    if sample.aggregate.linear:
        return sample
    sample = unblocked(sample)
    whole = sample.aggregate.whole
    with np.errstate(all="ignore"):
        if whole is None:
            values = sample.aggregate(sample.statistics, 1.0)
        else:
            values = np.stack([whole.shares(sample.of(index)) for index in range(len(sample.systems))], axis=1)
            if whole.kind == "black box":
                # Equal outputs are a tie, whatever the rest of the list makes of them.
                same = (sample.statistics == sample.statistics[:, :1]).all(axis=(1, 2))
                values[same] = values[same].mean(axis=1, keepdims=True)
    defined = np.isfinite(values).all(axis=1)
    kept = values[defined][..., None]
    told = note("align.item_scores" if whole is None else "align.item_shares", metric=sample.metric)
    return replace(
        sample,
        statistics=frozen(kept),
        ids=None,
        clusters=None if sample.clusters is None else frozen(sample.clusters[defined], np.int64),
        aggregate=MEAN,
        grid=find_grid(kept, FLOAT_DIGITS),
        lengths=(len(kept),) * len(sample.systems),
        notes=(*sample.notes, told),
    )
