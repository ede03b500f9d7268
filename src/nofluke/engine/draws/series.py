"""The characteristic function of one tilted draw near frequency 0, from its moments.

phi(t) - 1 = sum (it)^m E y^m / m!. In the main lobe of a sum of N draws t y is of the order of 9 / sqrt(N), so that a
dozen moments give all nodes at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray

# Where t y exceeds this for some value, too many moments would be needed.
WIDEST_PHASE = 4.0
_MOST_MOMENTS = 40
_CHUNK = 1 << 15
_ULP = math.ulp(1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Terms E y^m t^m / m! and E|y|^m t^m / m! for m = 1, 2, ... at the highest frequency `reach`."""

    reach: float
    terms: FloatArray
    sizes: FloatArray

    def excess(self, frequencies: FloatArray) -> tuple[npt.NDArray[np.complex128], FloatArray]:
        """Give phi - 1 at frequencies up to `reach`, and bounds on its errors.

        The last term is left out, and |e^(iz) - sum of terms before it| is at most its size. A moment consists of
        products of 2m + 4 rounded factors at most and a sum by halves, of depth below 30: m + 20 units of rounding.
        """
        orders = np.arange(1, self.terms.size + 1)
        powers = (frequencies / self.reach)[:, None] ** orders
        parts = powers[:, :-1] * self.terms[:-1]
        # i, -1, -i, 1: odd orders are imaginary.
        parts[:, 1::4] *= -1.0
        parts[:, 2::4] *= -1.0
        result = np.empty(frequencies.size, dtype=np.complex128)
        result.real, result.imag = parts[:, 1::2].sum(axis=1), parts[:, ::2].sum(axis=1)
        units = _ULP * (orders + 20.0)
        units[-1] = 1.0
        return result, (powers * (self.sizes * units)).sum(axis=1)


def series_of(values: FloatArray, weights: FloatArray, reach: float) -> Series | None:
    """Take moments until they no longer matter at frequency `reach`; None when that takes too many."""
    widest = max(abs(float(values[0])), abs(float(values[-1]))) * reach
    if widest > WIDEST_PHASE:
        return None
    chunks = [slice(start, start + _CHUNK) for start in range(0, values.size, _CHUNK)]
    phases = [values[chunk] * reach for chunk in chunks]
    products = [weights[chunk].copy() for chunk in chunks]
    terms: list[float] = []
    factorial = 1.0
    for order in range(1, _MOST_MOMENTS + 1):
        factorial *= order
        for phase, product in zip(phases, products, strict=True):
            product *= phase
        terms.append(math.fsum(float(np.add.reduce(product)) for product in products) / factorial)
        # Even moments are sums of positive terms; the error of the first one left out stays below rounding.
        if order % 2 == 0 and order > 2 and terms[-1] < _ULP * math.sqrt(terms[1]):
            return Series(reach, np.array(terms), _absolute(terms))
    return None


def _absolute(terms: list[float]) -> FloatArray:
    """Bound E|y|^m t^m / m!: equal for even m, by Cauchy and Schwarz between its neighbours for odd m."""
    sizes = list(terms)
    for place in range(0, len(terms), 2):
        m = place + 1
        before = terms[place - 1] if place else 1.0
        # E|y|^m <= sqrt(E y^(m - 1) E y^(m + 1)), each over its factorial.
        sizes[place] = math.sqrt(before * terms[place + 1] * (m + 1) / m)
    return np.array(sizes)
