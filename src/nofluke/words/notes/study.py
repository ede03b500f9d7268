"""Notes of the studies: what was left out, and how p-values were computed."""

from __future__ import annotations

from collections.abc import Sequence

from nofluke.errors import Option, listing
from nofluke.types.base import counted
from nofluke.types.notes import Note
from nofluke.words.notes import Sayings

Places = Sequence[tuple[str, int]]


def _left_out(dataset: str, dropped: int, leftover: int, missing: Places) -> str:
    parts = []
    if dropped:
        lacking = ", ".join(f"{count:,} without a score for {name}" for name, count in missing if count)
        parts.append(f"{counted(dropped, 'item')} left out ({lacking})")
    if leftover:
        parts.append(f"{counted(leftover, 'item')} at the end left out: too few for another unit")
    return f"{dataset}: {'; '.join(parts)}." if dataset else f"{'; '.join(parts)}."


def _of_pairs(what: str, places: Places) -> str:
    """Say something of so many pairs; of several test sets, how many on each."""
    if len(places) == 1:
        return f"{counted(places[0][1], 'pair')} of systems {what}."
    return f"Pairs of systems {what}: {', '.join(f'{count:,} on {name}' for name, count in places if count)}."


def _either(numbers: Sequence[int]) -> str:
    """Join numbers.

    >>> _either([20]), _either([20, 50, 1200])
    ('20', '20, 50 or 1,200')
    """
    *first, last = [f"{number:,}" for number in numbers]
    return f"{', '.join(first)} or {last}" if first else last


def _few_items(units: Sequence[int]) -> str:
    return (
        f"With {_either(units)} items the bootstrap's p-values are too small (.078 instead of .05 at 10 items, .055 at "
        f"50); {Option('method', 'permutation')} keeps its level."
    )


def _few_clusters(units: Sequence[int]) -> str:
    return (
        f"With {_either(units)} clusters the bootstrap's p-values are far too small (at 10 clusters below .05 two to "
        f"four times too often); {Option('method', 'permutation')} keeps its level."
    )


def _without_draws(metric: str | None) -> str:
    how = (
        "an Edgeworth series, near 0.05 by a saddlepoint approximation"
        if metric is None
        else f"a normal approximation of {metric}, linearised"
    )
    return f"Bootstrap p-values were computed without draws, by {how}."


def _ties(count: int, dataset: str) -> str:
    where = f"on {dataset}" if dataset else "in truth"
    return f"Left out: {counted(count, 'comparison')} of systems that score the same {where}."


def _overlay(name: str, note: Note) -> str:
    return f"{name}: {note}"


STUDY: Sayings = {
    "left_out": _left_out,
    "without_domain": lambda items, count: (
        f"{counted(count, 'item')} without a domain left out: {listing(items)}{', ...' if count > len(items) else ''}."
    ),
    "simulated": "These scores are simulated, not measured.",
    "synthesized": "These systems were trained on resampled training sets; they are not real submissions.",
    "failed_commands": "Left out: {failed} of {systems} systems, because their command failed.",
    "overlay": _overlay,
    "whole_clusters": "Clusters were taken whole, so sizes differ from those wanted ({sizes}).",
    "identical_pairs": lambda places: _of_pairs("with the same scores on every item left out", places),
    "pairs_without_p": lambda places: _of_pairs("without a p-value left out", places),
    "pairs_by_flips": lambda places: _of_pairs(
        "with the p-value of the sign-flip permutation test, because no resample can show more than twice the gain",
        places,
    ),
    "few_items": _few_items,
    "few_clusters": _few_clusters,
    "without_draws": _without_draws,
    "drawn": "{count} p-values came from {draws} random sign flips shared by all pairs: approximations were too rough.",
    "undecided": "{count:comparison} without a winner or a p-value left out.",
    "ties": _ties,
}
