"""How items were matched, what was left out, and what a score of an item is."""

from __future__ import annotations

from nofluke.types.base import counted
from nofluke.words.notes import Sayings

Missing = tuple[tuple[str, int], ...]


def _items(matched: int, missing: Missing, dropped: int, by: str, leftover: int) -> str:
    """Half a sentence without a full stop: it stands in titles and behind names."""
    text = f"{counted(matched, 'item')} matched by {by}"
    if dropped:
        text += f"; {dropped:,} left out" + (f" ({_without(missing)})" if missing else "")
    if leftover:
        were = "was" if leftover == 1 else "were"
        text += f"; {counted(leftover, 'item')} at the end did not fill a unit and {were} left out"
    return text


def _without(missing: Missing) -> str:
    return ", ".join(f"{count:,} without a score of {name}" for name, count in missing)


def _runs(fewest: int, most: int) -> str:
    number = f"{most}" if fewest == most else f"{fewest} to {most}"
    return f"Each item was run {number} times, and its score is the mean of its runs."


SAYINGS: Sayings = {
    "items": _items,
    "shuffled": lambda seed: f"Items were shuffled (seed {seed}) before units were made.",
    "datasets_as_items": "Every dataset has one item: the {datasets} datasets are compared as items.",
    "left_out": lambda items, missing: f"Left out: {counted(items, 'item')} ({_without(missing)}).",
    "missing_left_out": lambda missing: (
        f"Missing scores were left out: {', '.join(f'{count:,} of {name}' for name, count in missing)}."
    ),
    "runs": _runs,
    "clusters_set_aside": "The cluster column was set aside: items count as independent, which they may not be.",
    "figures_of_items": "Figures of single items are their own {metric}; their mean is not the {metric} of the test "
    "set.",
    "shares_of_items": "A single item has no {metric}; its figure is its share in the {metric} of the test set.",
}
