"""Where tests of Pearson correlations promise too much: scores with long tails, of which a few items decide."""

from __future__ import annotations

import numpy as np

from nofluke.engine.correlation import centred_in_own_unit
from nofluke.types import Note, Sample, note

# Kurtosis of normal numbers is 3, of exponential ones 9; above this, sizes in docs/decisions/correlations.md leave .05.
_LONG = 6.0


def long_tails_notes(sample: Sample) -> tuple[Note, ...]:
    """Warn of long tails where the metric is Pearson's correlation; ranks have none."""
    if sample.aggregate.whole is None or sample.aggregate.name != "pearson":
        return ()
    columns = {name: sample.of(index)[:, 0] for index, name in enumerate(sample.systems)}
    columns["gold"] = sample.of(0)[:, 1]
    sizes = {name: kurtosis(column) for name, column in columns.items()}
    long = {name: size for name, size in sizes.items() if size > _LONG}
    return (note("test.long_tails", names=tuple(long), kurtosis=tuple(long.values())),) if long else ()


def kurtosis(column: np.ndarray) -> float:
    """Give the mean fourth power of standard scores; nan without spread.

    >>> kurtosis(np.array([-1.0, 1.0, -1.0, 1.0]))
    1.0
    """
    squares = centred_in_own_unit(column[:, None])[:, 0] ** 2
    mean = float(squares.mean())
    return float((squares**2).mean()) / mean**2 if mean else float("nan")
