"""Items whose true difference is 0: how the difference is taken out of a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nofluke.align import differences
from nofluke.errors import Fix, MethodError, Option
from nofluke.registry import Method
from nofluke.types import MEAN, Grid, Sample, frozen

FORMS = ("auto", "recentred", "reweighted")
# Above this share of ties recentring would move too many items off the tie.
_MANY_TIES = 0.05
_LARGEST = 2**50


def form_for(sample: Sample, methods: Sequence[Method], form: str) -> str:
    """Recentre where that leaves the scores what they are; otherwise reweight."""
    for method in methods:
        if method.facts["needs"] == "unpaired":
            raise MethodError(
                f"{method.name} compares independent groups, and the audit moves paired differences.",
                fix="audit a paired test, such as 'permutation'.",
            )
        if sample.clusters is not None and not method.facts["clusters"]:
            raise MethodError(
                f"{method.name} takes items as independent, and these come in clusters.",
                fix="audit 'permutation' or 'bootstrap', which keep clusters together.",
            )
    fixed = not sample.aggregate.linear or any(method.facts["needs"] == "binary" for method in methods)
    if form == "recentred" and fixed:
        raise MethodError(
            "corpus metrics and tests of 0/1 scores have no differences that could be moved to a mean of 0.",
            fix=Fix("use ", Option("no_difference", "reweighted"), "."),
        )
    if form != "auto":
        return form
    tied = fixed or float(np.mean(differences(sample).whole == 0)) > _MANY_TIES
    return "reweighted" if tied else "recentred"


def recentred(sample: Sample) -> Sample:
    """Move the differences so that their mean over items is exactly 0; B then scores 0 on every item."""
    d = differences(sample).whole
    n, total = len(d), int(d.sum())
    largest = int(np.abs(d).max())
    # Times n the mean is whole. Where that does not fit, half a grid step is far below anything that matters.
    moved = d * n - total if (largest + 1) * n < _LARGEST else d - round(total / n)
    table = np.stack((moved, np.zeros_like(moved)), axis=1)[:, :, None].astype(np.float64)
    return replace(
        sample,
        statistics=frozen(table),
        aggregate=MEAN,
        higher_is_better=True,
        grid=Grid(0, 1, exact=True),
        incomplete=frozen(np.empty((0, 2, 1))),
        notes=(),
    )
