"""Where tests of Pearson correlations promise too much: scores with long tails, of which a few items decide."""

from __future__ import annotations

import numpy as np

from nofluke.engine.correlation import centred_in_own_unit
from nofluke.types import Sample

# Kurtosis of normal numbers is 3, of exponential ones 9; above this, sizes in docs/decisions/correlations.md leave .05.
_LONG = 6.0


def long_tails_notes(sample: Sample) -> tuple[str, ...]:
    """Warn of long tails where the metric is Pearson's correlation; ranks have none."""
    if sample.aggregate.whole is None or sample.aggregate.name != "pearson":
        return ()
    columns = {name: sample.of(index)[:, 0] for index, name in enumerate(sample.systems)}
    columns["gold"] = sample.of(0)[:, 1]
    sizes = {name: kurtosis(column) for name, column in columns.items()}
    long = [f"{name} ({size:.0f})" for name, size in sizes.items() if size > _LONG]
    if not long:
        return ()
    return (
        f"long tails in the scores of {', '.join(long)} (kurtosis; normal scores have 3): a few items decide, and "
        "tests of Pearson correlations can reject a true null too often (up to .36 instead of .05 in simulations); "
        "metric 'spearman' uses ranks, which have no tails.",
    )


def kurtosis(column: np.ndarray) -> float:
    """Give the mean fourth power of standard scores; nan without spread.

    >>> kurtosis(np.array([-1.0, 1.0, -1.0, 1.0]))
    1.0
    """
    squares = centred_in_own_unit(column[:, None])[:, 0] ** 2
    mean = float(squares.mean())
    return float((squares**2).mean()) / mean**2 if mean else float("nan")
