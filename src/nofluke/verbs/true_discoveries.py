"""true_discoveries: how many of these datasets are certain?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nofluke.check import check_level
from nofluke.errors import InputError, unknown
from nofluke.inference.multiplicity.closed_testing import true_among
from nofluke.inference.replication.analysis import METHOD_UNDER, check_dependence
from nofluke.readers.p_values import to_p_values
from nofluke.types import PValues, Replication


def true_discoveries(
    data: Any, subset: Sequence[Any] | None = None, *, alpha: float = 0.05, dependence: str = "positive"
) -> int:
    """How many of these datasets are certain, whichever were picked, before or after looking?

    `data` is a Replication (then its level and dependence hold), PValues, a mapping name -> p, or a list; `subset`
    names datasets, or gives their positions from 0; all of them by default. The bound holds for all subsets at once.
    The default dependence is that of Simes' inequality, with Hommel's h; "unknown" counts Holm's list, "independent"
    uses Fisher's closure.

    >>> import nofluke as nf
    >>> nf.true_discoveries({"de": 0.0004, "fr": 0.026, "it": 0.03, "pl": 0.6}, ["fr", "it"])
    1
    """
    if isinstance(data, Replication):
        given: Any = data
        level, test = data.level, data.method
    else:
        check_level(alpha, "alpha")
        check_dependence(dependence)
        level, test = float(alpha), METHOD_UNDER[dependence]
        given = data if isinstance(data, PValues) else to_p_values(data)
    return true_among(given.p_values, _positions(given.datasets, subset), level, test, given.log_p_values)


def _positions(datasets: tuple[str, ...], subset: Sequence[Any] | None) -> Any:
    if subset is None:
        return np.arange(len(datasets))
    found = []
    for one in subset:
        if isinstance(one, str):
            if one not in datasets:
                raise unknown("dataset", one, datasets)
            found.append(datasets.index(one))
        elif 0 <= int(one) < len(datasets):
            found.append(int(one))
        else:
            raise InputError(
                f"there is no dataset at position {one}.", fix=f"positions go from 0 to {len(datasets) - 1}."
            )
    if len(set(found)) < len(found):
        raise InputError("the subset names a dataset twice.", fix="name every dataset once.")
    return np.array(found, dtype=np.int64)
