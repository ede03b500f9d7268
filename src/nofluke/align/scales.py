"""Whether datasets are scored on one scale: right or wrong beside points of ten have no average that means anything.

Only shares (all scores within 0 and 1) beside a dataset that clearly has others are told apart. Losses, times and
counts, where lower is better, have no such limit: one dataset may well stay below 1 and another not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nofluke.align.choose import where
from nofluke.errors import Fix, InputError, Option, Verb
from nofluke.types import Note, Scores, note

# With fewer scores a dataset does not show its scale: all of them may happen to be low.
_FEWEST_SCORES = 10
# A share with a bonus, or a rounding error, is no other scale.
_BEYOND = 1.5

_Span = tuple[str, float, float]


def refuse_unlike_scales(scores: Scores, systems: Sequence[str], weights: str | Mapping[str, float]) -> None:
    """Refuse the average of shares and of scores on another scale, unless the weight of each was stated."""
    stated = not isinstance(weights, str) or "=" in weights
    found = None if stated else _unlike(scores, systems)
    if found is None:
        return
    (share, low, high), (other, least, most) = found
    few = len(scores.datasets) <= 3
    raise InputError(
        f"{other} has scores from {least:g} to {most:g} and {share} from {low:g} to {high:g}, and an average over "
        "different scales means nothing.",
        where=where(scores),
        fix=Fix(
            "choose datasets of one scale: ",
            Option("dataset", share),
            "; or say what a point of each is worth, by constants that do not come from these systems: ",
            Option("weights", ",".join(f"{name}=WEIGHT" for name in (scores.datasets if few else ("NAME",)))),
            " (equal ones if the scale is the same after all); or look at each by itself: ",
            Verb("replicate"),
            ".",
        ),
    )


def notes_on_scales(scores: Scores, systems: Sequence[str]) -> tuple[Note, ...]:
    """Note that datasets, each of them one observation, are on different scales: tests of ranks and signs may."""
    found = _unlike(scores, systems)
    return () if found is None else (note("align.unlike_scales", share=found[0], other=found[1]),)


def _unlike(scores: Scores, systems: Sequence[str]) -> tuple[_Span, _Span] | None:
    """Give a dataset of shares and one whose scores lie mostly beyond 1, each with its lowest and highest score."""
    name = scores.metrics[int(scores.metric.codes[0])]
    if not scores.aggregates[name].linear or not scores.higher_is_better[name]:
        return None
    values = scores.statistics[:, 0]
    asked = [code for code, system in enumerate(scores.systems) if system in systems]
    rows = np.isin(scores.system.codes, asked) & ~np.isnan(values)
    values, homes, number = values[rows], scores.dataset.codes[rows], len(scores.datasets)
    if values.max(initial=0.0) <= _BEYOND:
        return None
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(low, homes, values)
    np.maximum.at(high, homes, values)
    enough = np.bincount(homes, minlength=number) >= _FEWEST_SCORES
    mostly = 2 * np.bincount(homes[values > 1], minlength=number) > np.bincount(homes[values != 0], minlength=number)
    shares = np.flatnonzero(enough & (low >= 0) & (low < 1) & (high > 0) & (high <= 1))
    others = np.flatnonzero(enough & (high > _BEYOND) & mostly)
    if not shares.size or not others.size:
        return None
    first, second = ((scores.datasets[at], float(low[at]), float(high[at])) for at in (shares[0], others[0]))
    return first, second
