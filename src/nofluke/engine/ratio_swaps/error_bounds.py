"""Which swaps of two systems certainly stay below, or above, an observed studentised difference of ratios.

With D the sum of all denominators, C that of all numerators and f = C / D, none of which a swap changes, and with the
differences U, V of the two systems' numerators and denominators after swapping, let w = V / D and L = U - f V. Then

    F_A - F_B = d = 2 L / (D (1 - w^2)),    t = (F_A - F_B) / se = L / E,
    E = || r - w s - d/2 ((1 + w^2) z - 2 w m) ||,

where p = c_A - f y_A, q = c_B - f y_B item by item, r = p - q, s = p + q, z = y_A + y_B, m = y_A - y_B. A swap changes
signs of r and m, so the lengths of all four stay: E is within |w| |s| + |d|/2 (1 + w^2) |z| + |d w| |m| of |r|. That
settles most draws. For others E^2 is added up; of its terms only d (1 - w^2) sum s m has no sum at hand, and is bounded
by sum |s m|.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nofluke.types import FloatArray, IntArray

# Bounds are taken this much wider, relatively: far more than computed quotients are off by rounding where ...
_MARGIN = 1e-9
# ... the variance is at least this share of the terms that cancel in it, and ...
_SHARE = 1e-5
# ... neither system has much less than its part of the denominators.
_ASKEW = 0.5
_ROUNDING = 1e-13


class ErrorBounds:
    """The invariants of all pairs (first, second) of the systems with (systems, n) numerators c and denominators y."""

    def __init__(
        self,
        c: npt.NDArray[np.floating],
        y: npt.NDArray[np.floating],
        first: IntArray,
        second: IntArray,
        observed: FloatArray,
    ) -> None:
        self._first, self._second = first, second
        columns = c.sum(axis=1, dtype=np.float64), y.sum(axis=1, dtype=np.float64)
        self._u, self._v = (column[first] - column[second] for column in columns)
        pooled, self._d = (column[first] + column[second] for column in columns)
        self._f = pooled / np.maximum(self._d, 1.0)
        moments = [np.einsum("sn,sn->s", a, b, dtype=np.float64) for a, b in ((c, c), (c, y), (y, y))]
        self._moments = np.stack([moment[first] - moment[second] for moment in moments])
        self._lengths(c.astype(np.float64), y.astype(np.float64))
        # A pair is looked at from the side of the system that is ahead.
        self._sign = np.where(observed < 0, -1.0, 1.0)
        self._observed = np.abs(observed)
        cc, _, yy = (moment[first] + moment[second] for moment in moments)
        reach = np.abs(c).sum(axis=1, dtype=np.float64)
        largest = (reach[first] + reach[second]) / np.maximum(self._d * (1.0 - _ASKEW) / 2.0, 1e-300)
        self._terms = 4.0 * (cc + largest**2 * yy)
        self._slack = _ROUNDING * (self._d * (1.0 + np.abs(self._f)) + reach[first] + reach[second])

    def _lengths(self, c: FloatArray, y: FloatArray) -> None:
        size = self._first.size
        self._r, self._s, self._z, self._m, self._rm, self._sz, self._sm = np.empty((7, size))
        for place, (i, j) in enumerate(zip(self._first.tolist(), self._second.tolist(), strict=True)):
            p, q = c[i] - self._f[place] * y[i], c[j] - self._f[place] * y[j]
            r, s, z, m = p - q, p + q, y[i] + y[j], y[i] - y[j]
            self._r[place], self._s[place], self._z[place], self._m[place] = (np.sqrt(x @ x) for x in (r, s, z, m))
            self._rm[place], self._sz[place], self._sm[place] = r @ m, s @ z, np.abs(s * m).sum()

    def settled(self, sums: FloatArray) -> tuple[IntArray, IntArray, tuple[IntArray, IntArray]]:
        """Take (draws, systems, 5) sums of the swapped items: how many draws are above and below, and which are open.

        Above and below are counts by pair; open draws are listed as (draw, place of the pair).
        """
        v = self._moved(sums[:, :, 1], self._v)
        lead = self._moved(sums[:, :, 0], self._u)
        lead -= self._f * v
        low, high = self._limits(np.abs(v).max(axis=0) / np.maximum(self._d, 1.0))
        lead *= self._sign
        is_above, is_open = lead > high, lead >= low
        is_open &= ~is_above
        draws, places = np.nonzero(is_open)
        above = np.count_nonzero(is_above, axis=0)
        below = len(sums) - above - np.bincount(places, minlength=low.size)
        # What the bounds of all draws leave open, their own may settle.
        side = self._side(lead[draws, places], v[draws, places], sums, draws, places)
        above += np.bincount(places[side > 0], minlength=low.size)
        below += np.bincount(places[side < 0], minlength=low.size)
        still = side == 0
        ahead = self._sign > 0
        found = np.where(ahead, above, below), np.where(ahead, below, above)
        return *found, (draws[still], places[still])

    def _moved(self, sums: FloatArray, start: FloatArray) -> FloatArray:
        """The differences of the two systems of every pair after their items have changed sides."""
        twice = np.ascontiguousarray(2.0 * sums)
        result: FloatArray = np.take(twice, self._second, axis=1)
        result -= np.take(twice, self._first, axis=1)
        result += start
        return result

    def _limits(self, askew: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give for every pair limits of L: t is below the observed one under the first, above it over the second.

        |E - |r|| <= alpha + beta |L| for draws with |w| <= askew. Nothing is settled where rounding might matter.
        """
        t = self._observed
        with np.errstate(all="ignore"):
            alpha = askew * self._s
            beta = (self._z * (1.0 + askew**2) + 2.0 * self._m * askew) / (self._d * (1.0 - askew**2))
            low, high = t * (self._r - alpha) / (1.0 + t * beta), t * (self._r + alpha) / (1.0 - t * beta)
            high = np.where(t * beta < 1.0, high, np.inf)
            least = (self._r - alpha) / (1.0 + t * beta)
            sound = np.isfinite(t) & (askew < _ASKEW) & (least > 0) & (least**2 > _SHARE * self._terms)
            margin = _MARGIN * (self._r + np.abs(low)) + self._slack
            low, high = low - margin, high * (1.0 + _MARGIN) + margin
        return np.where(sound, low, -np.inf), np.where(sound, high, np.inf)

    def _side(self, lead: FloatArray, v: FloatArray, sums: FloatArray, draws: IntArray, places: IntArray) -> IntArray:
        """Give for some draws whether t is above (1) or below (-1) the observed one, or open (0)."""
        i, j, f, lead = self._first[places], self._second[places], self._f[places], self._sign[places] * lead
        moved = (sums[draws, j, 2:] - sums[draws, i, 2:]).T
        cc, cy, yy = self._moments[:, places] + 2.0 * moved
        denominators, t = self._d[places], self._observed[places]
        with np.errstate(all="ignore"):
            w = v / denominators
            ww, d = w * w, 2.0 * lead / (denominators * (1.0 - w * w))
            square = (
                self._r[places] ** 2
                + ww * self._s[places] ** 2
                + (d * (1.0 + ww) * self._z[places] / 2.0) ** 2
                + (d * w * self._m[places]) ** 2
                + 2.0 * d * w * self._rm[places]
                + d * w * (1.0 + ww) * self._sz[places]
                - 2.0 * w * (cc - 2.0 * f * cy + f * f * yy)
                - 2.0 * d * (1.0 + ww) * (cy - f * yy)
                - d * d * w * (1.0 + ww) * yy
            )
            unknown = np.abs(2.0 * lead / denominators) * self._sm[places]
            lead = self._sign[places] * lead
            sound = np.isfinite(t) & (np.abs(w) < _ASKEW) & (square - unknown > _SHARE * self._terms[places])
            margin = 1.0 + 4.0 * _MARGIN
            reached = lead - self._slack[places] > 0
            above = sound & reached & (lead**2 > t**2 * (square + unknown) * margin)
            below = sound & (lead**2 * margin < t**2 * (square - unknown))
        side: IntArray = above.astype(np.int64) - below
        return side
