"""omnibus, nemenyi and critical_difference: do many systems differ at all over many datasets?"""

from __future__ import annotations

from typing import Annotated, Any

from nofluke.check import check_level
from nofluke.inference.omnibus.ranked import critical_gap, nemenyi_p, ranked
from nofluke.inference.omnibus.run import oriented_table, run_omnibus
from nofluke.inference.ranking.systems import Selection
from nofluke.noting import called
from nofluke.options import Metric, Missing, Opt, Run
from nofluke.registry import OMNIBUS
from nofluke.types import FloatArray, TestResult


@called("omnibus", "scores", "scores", methods=OMNIBUS, settled=lambda result: {"method": result.method})
def omnibus(
    scores: Any,
    method: Annotated[str, Opt("The test of all systems at once.")] = "friedman",
    *,
    metric: Metric = None,
    run: Run = None,
    missing: Missing = "refuse",
    **options: Any,
) -> TestResult:
    """Do the systems differ at all, over all datasets?

    Takes a table of datasets x systems (higher is better), or Scores: with several datasets a row is the score of a
    whole dataset, with one it is an item. The test says that some systems differ, not which: see `rank`. Options belong
    to the method (see `methods`).

    >>> import nofluke as nf
    >>> nf.omnibus([[0.7, 0.6, 0.5], [0.8, 0.6, 0.7], [0.9, 0.5, 0.6], [0.6, 0.5, 0.4]]).statistic
    6.0
    """
    selection = Selection(metric=metric, run=run, missing=missing)
    return run_omnibus(scores, method, selection, **options)


def nemenyi(scores: Any, *, metric: str | None = None, run: str | None = None) -> FloatArray:
    """Which systems have different mean ranks over the datasets, all pairs taken together?

    Gives the p-values of all pairs, systems x systems in the order given (the diagonal is 1), by the studentised range
    of the mean ranks. The verdict on two systems depends on the others in the table; `rank` compares them directly.

    >>> import nofluke as nf
    >>> nf.nemenyi([[3, 2, 1]] * 10)[0].round(4).tolist()
    [1.0, 0.0653, 0.0]
    """
    return nemenyi_p(ranked(oriented_table(scores, Selection(metric=metric, run=run))))


def critical_difference(n_systems: int, n_datasets: int, alpha: float = 0.05) -> float:
    """How far apart must two mean ranks be for Nemenyi's test to separate them?

    >>> import nofluke as nf
    >>> round(nf.critical_difference(4, 14), 2)
    1.25
    """
    check_level(alpha, "alpha")
    return critical_gap(n_systems, n_datasets, float(alpha))
