"""How items were matched, what was left out, and what a score of an item is."""

from __future__ import annotations

from nofluke.errors import By, Option, listing, named_as
from nofluke.types.base import counted
from nofluke.words.notes import Sayings


def _items(matched: int, missing: tuple[tuple[str, int], ...], dropped: int, by: str, leftover: int) -> str:
    """Half a sentence without a full stop: it stands in titles and behind names."""
    text = f"{counted(matched, 'item')} matched by {by}"
    if dropped:
        text += f"; {dropped:,} left out" + (f" ({_without(missing)})" if missing else "")
    if leftover:
        were = "was" if leftover == 1 else "were"
        text += f"; {counted(leftover, 'item')} at the end did not fill a unit and {were} left out"
    return text


def _without(missing: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{count:,} without a score of {name}" for name, count in missing)


def _left_out(n: int, missing: tuple[tuple[str, int], ...]) -> str:
    return f"{counted(n, 'item')} left out ({_without(missing)})."


def _leftover(items: int, size: int) -> str:
    were = "was" if items == 1 else "were"
    return f"{counted(items, 'item')} at the end {were} left out: too few for another unit of {size:,}."


def _scores_missing(counts: tuple[tuple[str, int], ...]) -> str:
    return f"Missing scores were left out: {', '.join(f'{count:,} of {name}' for name, count in counts)}."


def _runs(low: int, high: int) -> str:
    times = f"{high}" if low == high else f"{low} to {high}"
    return (
        f"Each item was run {times} times. A score is the mean over an item's runs, so the result holds for items like "
        "these, averaged over runs."
    )


def _numbered_alike(n: int) -> str:
    return (
        f"{n:,} datasets number their items alike. If equal numbers are one item (a translation of it, say), keep them "
        f"together: {named_as(cluster='ITEM')} with the name of that column."
    )


def _shared_items(n: int, unit: str) -> str:
    return f"{counted(n, unit)} {'is' if n == 1 else 'are'} in several datasets, and swapped together."


def _datasets_dropped(datasets: tuple[str, ...]) -> str:
    return f"{counted(len(datasets), 'dataset')} without an item that all systems have: {listing(datasets)}."


def _folds(columns: tuple[str, ...], folds: int) -> str:
    ignored = [named_as(ignore=",".join(columns))] if columns else []
    options = [*ignored, Option("method", "corrected_resampled_t"), Option("rho", f"{1 / folds:.2g}")]
    together = str(By(python=", ", shell=" ", page=", ")).join(map(str, options))
    return (
        f"The items are folds, which share training data, so p may be too small. Use {together}"
        f"{' (one item per split)' if columns else ''}."
    )


SAYINGS: Sayings = {
    "folds": _folds,
    "shared_items": _shared_items,
    "datasets_dropped": _datasets_dropped,
    "metrics_averaged": lambda metrics: (
        f"Datasets have different metrics ({listing(metrics)}), all of them shares from "
        "0 to 1, which are averaged as they are."
    ),
    "numbered_alike": _numbered_alike,
    "items": _items,
    "left_out": _left_out,
    "leftover": _leftover,
    "scores_missing": _scores_missing,
    "runs": _runs,
    "datasets_as_items": "Every dataset has one item, so the {n} datasets are compared as items.",
    "clusters_set_aside": "The clusters were set aside: items are taken as independent, which they may not be.",
    "shuffled": "Items were shuffled with seed {seed} before units were made.",
    "item_scores": "Figures of single items are their own {metric}; the score of the test set is not their mean.",
    "item_shares": "Single items have no {metric}; their figures are their shares in that of the test set.",
}
