"""sample_size: how many items are needed?"""

from __future__ import annotations

from typing import Any

from nofluke.inference.power.planning import needed_items
from nofluke.inference.power.replicate_plan import Replicating, replicating_items
from nofluke.inference.power.terms import Claim, Target, Terms
from nofluke.noting import called
from nofluke.options import stating
from nofluke.types import PowerPlan
from nofluke.verbs.power import Planned, what_is_planned


@called("sample_size", settled=lambda result: {"test": result.test})
@stating(Terms, Claim)
def sample_size(test: Planned = "auto", *, power: Target = 0.8, **stated: Any) -> PowerPlan:
    """How many items are needed to find a true difference of this size most of the time?

    What is stated is what `power` takes, but for n. `difference` is the smallest true difference that would matter, not
    the one observed. The answer's `.n` is a whole number, for unpaired tests of each system; `.n_exact` is before
    rounding up. The power of exact tests (sign, mcnemar, tango) goes up and down with n: `.n` is the smallest number
    from which it stays above the target. With "replicate" it is the number of items in each dataset. With `run_sd`
    systems are trained several times: `.n_runs` is how often, chosen so that fewest scores are needed unless it was
    stated, and `.by_runs` lists (runs, items) of other plans.

    >>> import nofluke as nf
    >>> nf.sample_size(difference=0.2, sd=1, power=0.9).n
    265
    >>> nf.sample_size("mcnemar", accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1).n
    2043
    >>> plan = nf.sample_size(difference=0.02, sd=0.4, run_sd=0.01)
    >>> plan.n_runs, plan.n
    (9, 5856)
    """
    plan = what_is_planned(test, **stated)
    return replicating_items(plan, power) if isinstance(plan, Replicating) else needed_items(plan, power)
