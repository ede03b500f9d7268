"""How each recorded quantity is computed here, by family; LEFT_OUT says which are no targets and why.

The p-value of a test ("sign.p"), an effect size and a coefficient of agreement (by their names) need no entry.
"""

from __future__ import annotations

import nofluke as nf
from nofluke.registry import AGREEMENT, EFFECTS, TESTS
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
    strata,
)
from support.quantities.base import Quantity, p_value

FAMILIES = (
    *(core, binary, correlations, ranks, resampling, standardised, multiplicity, bayes, agreement, omnibus, power),
    *(metrics, strata, scores_and_runs),
)
STATED: dict[str, Quantity] = {name: entry for family in FAMILIES for name, entry in family.QUANTITIES.items()}


def effect(name: str) -> Quantity:
    return Quantity(lambda _inputs, a, b: nf.effect(a, b, name).value, (f"effect:{name}",))


QUANTITIES: dict[str, Quantity] = {
    **{f"{name}.p": Quantity(p_value(name), (f"test:{name}",)) for name in TESTS.names()},
    **{name: effect(name) for name in EFFECTS.names()},
    **{name: Quantity(agreement.value(name), (f"agreement:{name}",)) for name in AGREEMENT.names()},
    **STATED,
}
LEFT_OUT: dict[str, str] = {name: reason for family in FAMILIES for name, reason in family.LEFT_OUT.items()}
