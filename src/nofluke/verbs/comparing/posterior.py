"""The Bayesian answer beside the test, where it is asked for."""

from __future__ import annotations

from typing import Any

from nofluke.errors import Fix, InputError, Option
from nofluke.types import Posterior, Sample
from nofluke.verbs.bayes import bayes


def posterior_of(sample: Sample, wanted: bool, rope: Any, *, level: float, seed: int) -> Posterior | None:
    """Give the posterior that fits the data, or nothing when it was not asked for."""
    if not wanted:
        if rope is not None:
            raise InputError(
                "a region of practical equivalence was stated, and only the Bayesian answer uses it.",
                fix=Fix("ask for it: ", Option("bayes", "True"), "; or test with a margin: ", Option("margin"), "."),
            )
        return None
    result = bayes(sample, rope=rope, seed=seed, confidence_level=level)
    return result if isinstance(result, Posterior) else None
