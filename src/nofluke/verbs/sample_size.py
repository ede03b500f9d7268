"""sample_size: how many items are needed?"""

from __future__ import annotations

from typing import Any

from nofluke.inference.power.planning import needed_items
from nofluke.inference.power.replicate_plan import Replicating, replicating_items
from nofluke.types import SampleSize
from nofluke.verbs.power import what_is_planned


def sample_size(
    test: str = "paired_t",
    *,
    difference: Any = None,
    sd: Any = None,
    sd_b: Any = None,
    accuracy_a: Any = None,
    accuracy_b: Any = None,
    disagreement: Any = None,
    p10: Any = None,
    p01: Any = None,
    prob_a_better: Any = None,
    margin: float | None = None,
    design_effect: float = 1.0,
    tests: int = 1,
    adjust: str = "holm",
    datasets: int | None = None,
    claim: int | None = None,
    each: str = "auto",
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> SampleSize:
    """How many items are needed to find a true difference of this size most of the time?

    What is stated is what `power` takes, but for n. `difference` is the smallest true difference that would matter, not
    the one observed. The answer's `.n` is a whole number, for unpaired tests of each system; `.n_exact` is before
    rounding up. The power of exact tests (sign, mcnemar, tango) goes up and down with n: `.n` is the smallest number
    from which it stays above the target. With "replicate" it is the number of items in each dataset.

    >>> import nofluke as nf
    >>> nf.sample_size(difference=0.2, sd=1, power=0.9).n
    265
    >>> nf.sample_size("mcnemar", accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1).n
    2043
    """
    given = {name: value for name, value in locals().items() if name not in ("test", "power")}
    plan = what_is_planned(test, **given)
    return replicating_items(plan, power) if isinstance(plan, Replicating) else needed_items(plan, power)
