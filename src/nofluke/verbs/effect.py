"""effect: how large is the difference?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from nofluke.align import as_sample
from nofluke.check import check_level
from nofluke.noting import called, sample_facts, signature
from nofluke.options import Missing, Opt
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Sample


@called("effect", "pair", "a", "b", methods=EFFECTS, settled=lambda result: {"name": result.name})
def effect(
    a: Any,
    b: Any = None,
    name: Annotated[str, Opt("The effect size.", registry="effect")] = "mean_difference",
    *,
    missing: Missing = "refuse",
    **options: Any,
) -> Estimate:
    """How large is the difference between A and B, by this index?

    Takes two sequences, or one Sample (then the name may follow it directly). Positive always means that A is better.
    Options belong to the index (see `methods`).

    >>> import nofluke as nf
    >>> nf.effect([0.5, 0.75, 1.0], [0.25, 0.5, 0.25], "mean_difference").value
    0.4166666666666667
    """
    if isinstance(a, Sample) and isinstance(b, str):
        b, name = None, b
    method = EFFECTS[name]
    settings = method.check_options(options)
    unpaired = method.facts["needs"] == "unpaired" or (settings.get("form") == "unpaired" and not _one_list(a, b))
    sample = as_sample(a, b, paired=not unpaired, missing=missing)
    if "confidence_level" in settings:
        check_level(settings["confidence_level"], "confidence_level")
    result: Estimate = method.function(sample, **settings)
    signed = signature("effect", method.name, settings, sample_facts(sample), {"n": sample.n})
    systems = (sample.systems[0], sample.systems[1])
    return replace(result, name=method.name, signature=signed, systems=systems, n=sample.n)


def _one_list(a: Any, b: Any) -> bool:
    """Whether two sequences may be scores of the same items: equally many, under the same labels if any.

    Where they are not after all, their covariance is 0 but for chance, and taking it into account does no harm.
    """
    if isinstance(a, Sample) or b is None or not hasattr(a, "__len__") or not hasattr(b, "__len__"):
        return False
    labels = [list(side.index) for side in (a, b) if hasattr(side, "index") and not callable(side.index)]
    return len(a) == len(b) and (len(labels) < 2 or labels[0] == labels[1])
