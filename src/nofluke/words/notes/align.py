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
    return ", ".join(f"{count:,} without a score for {name}" for name, count in missing)


def _left_out(n: int, missing: tuple[tuple[str, int], ...]) -> str:
    return f"{counted(n, 'item')} left out ({_without(missing)})."


def _leftover(items: int, size: int) -> str:
    were = "was" if items == 1 else "were"
    return f"{counted(items, 'item')} at the end {were} left out: too few for another unit of {size:,}."


def _scores_missing(counts: tuple[tuple[str, int], ...]) -> str:
    return f"Missing scores were left out: {', '.join(f'{count:,} of {name}' for name, count in counts)}."


def _runs(low: int, high: int) -> str:
    times = f"{high}" if low == high else f"{low} to {high}"
    # Missing runs are refused there: nobody is sent to an error. Runs may also be answers of one model.
    training = (
        f"if each run was trained anew, {Option('runs', 'crossed')} makes it about training."
        if low == high
        else f"one about training needs every item in 3 runs of each system and {Option('runs', 'crossed')}."
    )
    return f"Each item was run {times} times; its score is the mean. The claim is about these checkpoints; {training}"


def _numbered_alike(n: int) -> str:
    return (
        f"{n:,} datasets number their items alike. If equal numbers are the same item (translated, say), name its "
        f"column: {named_as(cluster='ITEM')}."
    )


def _shared_items(n: int, unit: str) -> str:
    # Where items are of several datasets each of them is a cluster; words for one kind serve both.
    what = "item" if unit == "item" else "item or cluster"
    verb = "is" if n == 1 else "are"
    plural = "items or clusters" if what != "item" else "items"
    return (
        f"{n:,} {what if n == 1 else plural} {verb} in several datasets (the same id). The test keeps each of them "
        "together."
    )


def _datasets_dropped(datasets: tuple[str, ...], runs: bool = False) -> str:
    were, its = ("was", "its") if len(datasets) == 1 else ("were", "their")
    every = "run of every system" if runs else "system"
    return f"{listing(datasets)} {were} left out of the average: none of {its} items has a score for every {every}."


def _unlike_scales(share: tuple[str, float, float], other: tuple[str, float, float]) -> str:
    first, second = (f"{name} has scores from {low:g} to {high:g}" for name, low, high in (other, share))
    return (
        f"The datasets are on different scales ({first}, {second}): those of large scores decide the mean. Count "
        f"datasets instead: {Option('method', 'sign')}."
    )


def _primary_metric(metrics: tuple[str, ...], others: tuple[str, ...]) -> str:
    named = "by " + listing(metrics, 4) if len(metrics) == 1 else f"by its own metric ({listing(metrics, 4)})"
    return f"Each task is judged {named}. Other metrics ({Option('metric', 'NAME')}): {listing(others, 4)}."


def _other_scales(tasks: tuple[tuple[str, str], ...]) -> str:
    told = [f"{task} ({metric})" for task, metric in tasks]
    are, it = ("is", "it") if len(told) == 1 else ("are", "one")
    look = Option("dataset", tasks[0][0])
    return f"{listing(told, 4)} {are} on another scale and not in the average. To see {it}: {look}."


def _groups(groups: tuple[tuple[str, int, bool], ...], alone: bool) -> str:
    told = [
        f"{name} (its {number:,} tasks {'weighted by size' if by_size else 'count the same'})"
        for name, number, by_size in groups
    ]
    if alone:
        return f"The average is that of {told[0]}, as the harness computes it."
    return f"A group counts as one task, as the harness averages it: {listing(told, 3)}."


def _folds(columns: tuple[str, ...], folds: int) -> str:
    ignored = [named_as(ignore=",".join(columns))] if columns else []
    options = [*ignored, Option("method", "corrected_resampled_t"), Option("rho", f"{1 / folds:.2g}")]
    together = str(By(python=", ", shell=" ", page=", ")).join(map(str, options))
    return (
        f"The items are folds, which share training data, so p may be too small. Use {together}"
        f"{' (one item per split)' if columns else ''}."
    )


ALIGN: Sayings = {
    "folds": _folds,
    "numbered_alike": _numbered_alike,
    "items": _items,
    "left_out": _left_out,
    "leftover": _leftover,
    "scores_missing": _scores_missing,
    "runs": _runs,
    "primary_metric": _primary_metric,
    "other_scales": _other_scales,
    "groups": _groups,
    "datasets_as_items": "Every dataset has one item, so the {n} datasets are compared as items.",
    "shared_items": _shared_items,
    "datasets_dropped": _datasets_dropped,
    "unlike_scales": _unlike_scales,
    "metrics_averaged": "The datasets have different metrics ({metrics}), all of them between 0 and 1. Their average "
    "is taken as it stands, so a dataset with a wider spread of scores decides more.",
    "clusters_set_aside": "The clusters were set aside: items are taken as independent, which they may not be.",
    "repeats_pooled": "Items have up to {n} scores per system, and all were taken as independent. Those of one item "
    "resemble each other, so p may be too small: take one run, or compare item by item.",
    "shuffled": "Items were shuffled with seed {seed} before units were made.",
    "item_scores": "Figures of single items are their own {metric}; the score of the test set is not their mean.",
    "item_shares": "Single items have no {metric}; their figures are their shares in that of the test set.",
}
