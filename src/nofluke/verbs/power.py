"""power: how often would a true difference be found?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from nofluke.errors import Fix, InputError, Option
from nofluke.inference.power.designs import DESIGNS
from nofluke.inference.power.planning import planned_power
from nofluke.inference.power.replicate_plan import Replicating, replicating_of, replicating_power
from nofluke.inference.power.terms import Claim, Plan, Terms, plan_of
from nofluke.noting import called
from nofluke.options import Bounds, Opt, parted, stating
from nofluke.types import PowerPlan

_SIZE = Bounds(at_least=1, at_most=10**9)
Planned = Annotated[
    str,
    Opt(
        f"{', '.join(DESIGNS)} or replicate; auto takes crossed_runs with `run_sd`, else mcnemar for accuracies, else "
        "paired_t."
    ),
]
Items = Annotated[int | Sequence[int] | None, Opt("Number of items.", bounds=_SIZE)]
Size = Annotated[int | None, Opt("Number of items (sign: of untied ones).", bounds=_SIZE)]
# What to do where nobody said how many items there are.
SIZE_OR_UNTIED = Fix("give ", Option("n"), " (for sign: ", Option("n_untied"), ").")
Untied = Annotated[int | None, Opt("sign: number of untied items.", bounds=_SIZE)]


@called("power", settled=lambda result: {"test": result.test})
@stating(Terms, Claim)
def planned(test: Planned = "auto", *, n: Items = None, n_untied: Untied = None, **stated: Any) -> PowerPlan:
    """Give the power with everything it rests on."""
    if n is not None and n_untied is not None:
        raise InputError("both n and n_untied were given.", fix="give n_untied with prob_a_better, otherwise n.")
    size = n_untied if n is None else n
    plan = what_is_planned(test, **stated)
    if size is None:
        raise InputError("the power depends on the number of items.", fix=SIZE_OR_UNTIED)
    return replicating_power(plan, size) if isinstance(plan, Replicating) else planned_power(plan, size)


@stating(planned)
def power(test: Planned = "auto", **stated: Any) -> float:
    """In what share of all test sets of this size would a true difference be found?

    paired_t, permutation, wilcoxon: `n` items, `difference` and `sd` of the item-by-item differences. student_t,
    welch_t: n items for each system, sd of the scores (sd_b: of B's). mcnemar, tango: n and the accuracies
    (`accuracy_a`, `accuracy_b`, `disagreement` = share of items that exactly one system gets right), or p10 and p01.
    sign: `n_untied` and `prob_a_better`. With `margin` it is the chance to show that A is not worse by more than that.
    crossed_runs: `n_runs` training runs of each system, whose scores vary by `run_sd`; sd is that of the differences of
    items, without the `answer_sd` of one item's scores in several runs.
    `design_effect` discounts items in clusters. `tests=m` plans each of m tests at alpha / m (Holm, Bonferroni).

    "replicate" gives the chance to claim that A is better on at least `claim` of `datasets` (test `each`), the terms
    being one number for all datasets or one for each. "auto" takes crossed_runs with run_sd, mcnemar for accuracies,
    and paired_t otherwise.

    >>> import nofluke as nf
    >>> round(nf.power(n=30, difference=0.3, sd=1), 4)
    0.3555
    >>> round(nf.power("mcnemar", n=1000, accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1), 4)
    0.4787
    """
    return planned(test, **stated).power


def what_is_planned(test: str, *, effect_needed: bool = True, **stated: Any) -> Plan | Replicating:
    """Put together what was stated: one test, or one on each of many datasets."""
    claimed, terms = parted(Claim, stated)
    if test != "replicate":
        if claimed != Claim():
            raise InputError(
                "datasets, claim and each belong to a replicability plan.", fix="leave them out, or use 'replicate'."
            )
        return plan_of(test, Terms(**terms), effect_needed=effect_needed)
    return replicating_of(claimed, terms)
