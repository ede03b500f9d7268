"""How each recorded quantity is computed here, by family; LEFT_OUT says which are no targets and why."""

from __future__ import annotations

from support.quantities import (
    agreement,
    bayes,
    binary,
    core,
    correlations,
    metrics,
    multiplicity,
    omnibus,
    power,
    ranks,
    resampling,
    scores_and_runs,
    standardised,
)
from support.quantities.base import Quantity

FAMILIES = (
    *(core, binary, correlations, ranks, resampling, standardised, multiplicity, bayes, agreement, omnibus, power),
    *(metrics, scores_and_runs),
)
QUANTITIES: dict[str, Quantity] = {name: entry for family in FAMILIES for name, entry in family.QUANTITIES.items()}
LEFT_OUT: dict[str, str] = {name: reason for family in FAMILIES for name, reason in family.LEFT_OUT.items()}
