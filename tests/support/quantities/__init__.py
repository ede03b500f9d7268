"""How each recorded quantity is computed here, by family; LEFT_OUT says which are no targets and why."""

from __future__ import annotations

from support.quantities import core
from support.quantities.base import Quantity

FAMILIES = (core,)
QUANTITIES: dict[str, Quantity] = {name: entry for family in FAMILIES for name, entry in family.QUANTITIES.items()}
