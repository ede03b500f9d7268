"""P-values and the direction of the claim: two-sided ones are turned, one-sided ones are checked against the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.errors import InputError, listing
from nofluke.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Sided:
    """One-sided p-values for one claim, and their logarithms."""

    p_values: FloatArray
    logs: FloatArray


def one_sided(p_values: FloatArray, logs: FloatArray, signs: FloatArray, datasets: tuple[str, ...]) -> dict[str, Sided]:
    """Turn two-sided p-values with a sign into those for "A is better" (greater) and "B is better" (less).

    p/2 in the direction of the sign, 1 - p/2 against it, and 1 for both where the scores are equal.
    """
    unknown = [name for name, sign in zip(datasets, signs, strict=True) if math.isnan(sign)]
    if unknown:
        raise InputError(
            f"two-sided p-values do not say who is better, and the direction is unknown on {listing(unknown, 5)}.",
            fix="give scores_a and scores_b, or signs (1 where A is better, -1 where B is, 0 where they are equal); "
            "in a file a column for each system's score, or a column sign.",
        )
    half, half_log = p_values / 2, logs - math.log(2)

    def towards(side: float) -> Sided:
        along, off = signs == side, signs == -side
        p = np.where(along, half, np.where(off, 1 - half, 1.0))
        return Sided(p, np.where(along, half_log, np.where(off, np.log1p(-half), 0.0)))

    return {"greater": towards(1.0), "less": towards(-1.0)}


def against_claim(signs: FloatArray, alternative: str, datasets: tuple[str, ...]) -> tuple[str, ...]:
    """Name the datasets whose effect points away from the claim."""
    wrong = signs > 0 if alternative == "less" else signs < 0
    return tuple(name for name, flag in zip(datasets, wrong, strict=True) if flag)


def contradicted(
    p_values: FloatArray, signs: FloatArray, alternative: str, datasets: tuple[str, ...]
) -> tuple[str, ...]:
    """Name the datasets whose p-value speaks for the claim (below 1/2) while the scores speak against it."""
    against = set(against_claim(signs, alternative, datasets))
    return tuple(name for name, p in zip(datasets, p_values, strict=True) if p < 0.5 and name in against)
