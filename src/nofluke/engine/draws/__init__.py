"""The exact tail of a sum of draws with replacement: the bootstrap of a mean, or of a ratio, without simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from nofluke.engine.draws.law import multiset, on_lattice
from nofluke.engine.draws.paths import law_tail
from nofluke.engine.draws.quantile import draw_quantile
from nofluke.engine.draws.saddlepoint import draw_tail_saddlepoint, draw_tails_saddlepoint
from nofluke.engine.tail import Tail
from nofluke.errors import InputError
from nofluke.types import IntArray

__all__ = [
    "draw_quantile",
    "draw_tail",
    "draw_tail_saddlepoint",
    "draw_tails_saddlepoint",
    "ratio_draw_tail",
]


def draw_tail(
    values: npt.NDArray[Any],
    threshold: int,
    *,
    draws: int | None = None,
    strict: bool = False,
    counts: IntArray | None = None,
) -> Tail:
    """How likely is the sum of `draws` numbers drawn from the list, with replacement, at least `threshold`?

    `draws` is the length of the list unless given; `strict` asks for more than the threshold; with `counts`, each value
    is there so many times. Paths: "support" (certain, impossible, or only by one value all the time), "enumeration"
    (few compositions), "lattice" (Fourier inversion, every node of the period summed or proved negligible),
    "inversion" (the same, left-out nodes judged by a search), "mixture" (of those, over the number of draws of
    far-away values), "saddlepoint" (numbers too wide for 64 bits; its bound is infinite, for it is not known).

    >>> import numpy as np
    >>> tail = draw_tail(np.array([0, 0, 1]), 1)
    >>> round(math.exp(tail.log_p), 12)  # 1 - (2/3)^3
    0.703703703704
    """
    distinct, often = multiset(values, counts)
    number = int(often.sum()) if draws is None else int(draws)
    if number < 1:
        raise InputError(f"{number} numbers cannot be drawn.", fix="draw at least one.")
    least = int(threshold) + (1 if strict else 0)
    law = on_lattice(distinct, often, number)
    if law is None:
        approximate = draw_tail_saddlepoint(distinct.astype(np.float64), float(least), draws=number, counts=often)
        return Tail(approximate, math.inf, "saddlepoint")
    # S = number * lowest + scale * Y
    return law_tail(law, -((number * int(distinct[0]) - least) // law.scale))


def ratio_draw_tail(
    differences: npt.NDArray[Any],
    denominators: npt.NDArray[Any],
    numerator: int,
    denominator: int,
    *,
    draws: int | None = None,
    strict: bool = False,
) -> Tail:
    """How likely is sum(differences*) / sum(denominators*) at least numerator / denominator, drawing pairs together?

    With denominators T >= 0 this is sum (q d - p T)* >= 0: linear. A resample whose denominators are all 0 has no
    ratio; it fulfils 0 >= 0, so it counts when not strict and not when strict. Its probability is
    (share of T = 0)^draws; T is never 0 for the sizes of clusters.

    >>> import numpy as np
    >>> tail = ratio_draw_tail(np.array([1, 0]), np.array([1, 3]), 1, 3)  # (1 + 1) / (1 + 1), not (1 + 0) / (1 + 3)
    >>> round(math.exp(tail.log_p), 12)
    0.25
    """
    tops, bottoms = np.asarray(differences), np.asarray(denominators)
    if denominator <= 0 or tops.shape != bottoms.shape or bool((bottoms < 0).any()):
        raise InputError(
            "the ratio is not defined by these numbers.",
            fix="give one denominator of at least 0 for each difference, and a bound with a denominator above 0.",
        )
    divisor = math.gcd(numerator, denominator)
    p, q = numerator // divisor, denominator // divisor
    return draw_tail(_combined(tops, q, bottoms, -p), 0, draws=draws, strict=strict)


def _combined(first: npt.NDArray[Any], a: int, second: npt.NDArray[Any], b: int) -> npt.NDArray[Any]:
    """Give a first + b second, in Python's integers when 64 bits might not do."""
    widest = sum(
        abs(factor) * max(abs(int(part.min(initial=0))), abs(int(part.max(initial=0))))
        for factor, part in ((a, first), (b, second))
    )
    kind = np.int64 if widest < 1 << 62 else object
    combined: npt.NDArray[Any] = first.astype(kind) * a + second.astype(kind) * b
    return combined
