"""omnibus, nemenyi and critical_difference: do many systems differ at all over many datasets?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from nofluke import __version__
from nofluke.errors import MethodError
from nofluke.inference.omnibus.nemenyi import critical_gap, nemenyi_p
from nofluke.inference.omnibus.ranked import as_matrix, ranked
from nofluke.options import Metric, Missing, Opt, Run
from nofluke.registry import OMNIBUS, Method
from nofluke.types import FloatArray, Sample, Scores, TestResult
from nofluke.verbs.ranking.inputs import Selection, over_datasets, systems_of
from nofluke.verbs.test import check_level


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
    chosen = OMNIBUS[method]
    settings = chosen.check_options(options)
    selection = Selection(metric=metric, run=run, missing=missing)
    table = oriented_table(scores, selection)
    result: TestResult = chosen.function(table, **settings)
    given = "".join(f"|{name}:{value}" for name, value in settings.items())
    return replace(
        result,
        method=chosen.name,
        label=chosen.label,
        null=str(chosen.facts["null"]),
        estimand=str(chosen.facts["estimand"]),
        about="ranks",
        kind="omnibus",
        unit=_rows(scores, selection, chosen),
        signature=f"nofluke:{__version__}|omnibus:{chosen.name}{given}|systems:{table.shape[1]}|n:{len(table)}",
    )


def _rows(scores: Any, selection: Selection, method: Method) -> str:
    """What a row of the table is: a bare matrix is taken for what the method is made for."""
    if isinstance(scores, Scores):
        return "dataset" if over_datasets(scores, selection) else "item"
    return "item" if isinstance(scores, Sample) or method.facts["needs"].startswith("items") else "dataset"


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


def oriented_table(scores: Any, selection: Selection) -> FloatArray:
    """Give datasets (or items) x systems, higher = better; right and wrong answers stay 1 and 0."""
    if not isinstance(scores, Scores | Sample):
        return as_matrix(scores)
    sample = systems_of(scores, selection, unpaired=False)
    if not sample.aggregate.linear:
        raise MethodError(
            f"{sample.metric} is no mean over items, so the systems cannot be ranked item by item.",
            fix="give several datasets, or compare the systems with nf.rank.",
        )
    values: FloatArray = sample.statistics[:, :, 0]
    if sample.higher_is_better:
        return values
    return 1.0 - values if np.isin(values, (0.0, 1.0)).all() else -values
