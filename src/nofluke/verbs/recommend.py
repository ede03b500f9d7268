"""recommend: which test fits these data, and why?"""

from __future__ import annotations

from typing import Any

from nofluke.align import as_sample
from nofluke.errors import Fix, MethodError, Option, unknown
from nofluke.inference.recommend.default import judge_by_default
from nofluke.inference.recommend.rules import facts_of
from nofluke.inference.recommend.zhu2020 import judge_by_zhu2020
from nofluke.options import RULE_SETS, NormalityAlpha, Rules
from nofluke.types import Choices
from nofluke.verbs.describe import describe


def recommend(
    a: Any,
    b: Any = None,
    rules: Rules = "default",
    *,
    normality_alpha: NormalityAlpha = 0.05,
) -> Choices:
    """Which tests fit these data, which do not, and why?

    Takes two sequences or one Sample; the preferred method comes first. The default rules use only what stays the same
    when A and B are swapped on any items, so choosing by them costs nothing. rules="zhu2020" is the procedure of that
    paper (skewness, then normality), with a warning why its choice is not free.

    >>> import nofluke as nf
    >>> nf.recommend([1, 0, 1, 1], [0, 0, 1, 0]).preferred
    'mcnemar'
    """
    sample = as_sample(a, b)
    if rules == "zhu2020":
        if sample.clusters is not None:
            raise MethodError(
                "the procedure of zhu2020 takes items as independent, and these come in clusters.",
                fix=Fix("use ", Option("rules", "default"), "."),
            )
        return judge_by_zhu2020(describe(sample, normality_alpha=normality_alpha))
    if rules != "default":
        raise unknown("set of rules", rules, RULE_SETS)
    return judge_by_default(facts_of(sample))
