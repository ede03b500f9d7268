"""What there is to know of a gate beside its verdict."""

from __future__ import annotations

from nofluke.errors import listing
from nofluke.words.notes import Sayings


def _other_scales(tasks: tuple[tuple[str, str], ...]) -> str:
    told = [f"{task} ({metric})" for task, metric in tasks]
    return f"On other scales, so not in the average: {listing(told, 4)}."


GATE: Sayings = {
    "identical": "Baseline and candidate have the same score on every item: check that they are not the same files.",
    "other_scales": _other_scales,
}
