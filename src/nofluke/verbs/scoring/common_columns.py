"""Several systems, column by column: statistics by class get the classes of all systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from nofluke.metrics.averages import COUNTS, class_names
from nofluke.metrics.statistics import ItemStatistics
from nofluke.types import frozen


def with_all_classes(statistics: Mapping[str, ItemStatistics]) -> dict[str, ItemStatistics]:
    """Give every system columns for the classes that any of them has, 0 where it lacks one: the score stays the same.

    Only averages over classes have such columns; their formula takes any number of classes.
    """
    reference = next(iter(statistics.values()))
    different = any(found.names != reference.names for found in statistics.values())
    if not different or not all(_by_class(found.names) for found in statistics.values()):
        return dict(statistics)
    classes = {name.partition(":")[2] for found in statistics.values() for name in found.names}
    names = class_names(tuple(sorted(classes)))
    return {system: _padded(found, names) for system, found in statistics.items()}


def _by_class(names: tuple[str, ...]) -> bool:
    return {name.partition(":")[0] for name in names} == set(COUNTS) and all(":" in name for name in names)


def _padded(found: ItemStatistics, names: tuple[str, ...]) -> ItemStatistics:
    values = np.zeros((len(found.values), len(names)))
    place = {name: index for index, name in enumerate(names)}
    values[:, [place[name] for name in found.names]] = found.values
    return replace(found, values=frozen(values), names=names)
