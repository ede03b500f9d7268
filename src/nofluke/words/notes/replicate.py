"""What is worth knowing about a replicability analysis, and why a count is not the answer."""

from __future__ import annotations

import math

from nofluke.errors import listing
from nofluke.types import Note
from nofluke.types.base import counted
from nofluke.words.notes import Sayings

_SHOWN = 30


def _percent(share: float) -> str:
    """Print a chance in percent with the digits that matter; what is not certain is never called so.

    >>> _percent(0.05), _percent(0.4563), _percent(0.0025), _percent(0.9996), _percent(1.0)
    ('5%', '46%', '0.25%', 'more than 99%', '100%')
    """
    if 0.995 <= share < 1:
        return "more than 99%"
    return f"{100 * share:.0f}%" if share >= 0.1 else f"{100 * share:.2g}%"


def false_claims(size: int, level: float, what: str = "dataset") -> str:
    """Explain the multiplicity problem with the user's own number of tests."""
    if size == 1:
        return f"one {what} without a true difference gives a false claim in {_percent(level)} of studies"
    chance = _percent(-math.expm1(size * math.log1p(-level)))
    chance = chance if chance.startswith("more") else f"about {chance}"
    return f"{size:,} independent {what}s without a true difference give a false claim in {chance} of studies"


def _contradicted(winner: str, loser: str, datasets: tuple[str, ...]) -> str:
    return (
        f"These p-values are not one-sided for {winner}: they are below 0.5 although {winner} scores worse than "
        f"{loser} on {listing(datasets, _SHOWN)}. They must not be counted for one claim."
    )


def _shared_items(items: int, example: str, datasets: tuple[str, ...]) -> str:
    occur = "occurs" if items == 1 else "occur"
    return (
        f"{counted(items, 'item')} {occur} in more than one dataset (for example {example!r}; datasets "
        f"{listing(datasets, 6)}), so the datasets depend on each other."
    )


def _items_dropped(items: int, datasets: int) -> str:
    were = "was" if items == 1 else "were"
    return (
        f"{counted(items, 'item')} without a score for both systems {were} left out ({counted(datasets, 'dataset')})."
    )


def _datasets_dropped(datasets: tuple[str, ...]) -> str:
    were = "was" if len(datasets) == 1 else "were"
    return f"{listing(datasets, _SHOWN)} {were} left out: a system has no score there."


def _of(names: tuple[str, ...], note: Note) -> str:
    return f"{listing(names, 6)}: {note}"


REPLICATE: Sayings = {
    "contradicted": _contradicted,
    "shared_items": _shared_items,
    "items_dropped": _items_dropped,
    "datasets_dropped": _datasets_dropped,
    "same_numbers": "The datasets number their items alike, which does not show whether the items are the same. If "
    "they are (translations of the same texts, say), the datasets depend on each other.",
    "on_datasets": lambda datasets, note: _of(datasets, note),
    "by_metrics": lambda metrics, note: _of(metrics, note),
    "each_alone": lambda datasets, level: f"tests each dataset alone at {level:g}: {false_claims(datasets, level)}",
    "needs_independence": "valid only for independent datasets",
    "needs_positive_dependence": "valid only for independent or positively dependent datasets",
    "assumes_less": lambda allowed: (
        f"valid too, and assumes nothing; the stated dependence allows {allowed.capitalize()}"
    ),
    "not_chosen_before": "valid too; one method is chosen before looking, not the larger of two counts",
}
