"""The lattice on which pairs of sums live: its Hermite normal form, in coordinates that fill the plane."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.types import IntArray


@dataclass(frozen=True, slots=True)
class Basis:
    """All integer combinations of the items are those of (step_u, 0) and (shear, step_v).

    step_u = 0 means that the items are collinear and (shear, step_v) alone spans them.
    """

    step_u: int
    shear: int
    step_v: int

    def coordinates(self, u: IntArray, v: IntArray) -> tuple[IntArray, IntArray]:
        """Give (x, y) with (u, v) = x (step_u, 0) + y (shear, step_v); step_u and step_v must not be 0."""
        y = v // self.step_v
        return (u - self.shear * y) // self.step_u, y

    def sheared(self, slope: float) -> Basis:
        """Give the basis of the same lattice whose second vector is nearest to the direction (slope, 1)."""
        turns = round((slope * self.step_v - self.shear) / self.step_u)
        return Basis(self.step_u, self.shear + turns * self.step_u, self.step_v)


def hermite_basis(u: IntArray, v: IntArray) -> Basis:
    """Reduce the items (u_j, v_j) to a basis by Euclid's algorithm on the second coordinate.

    >>> hermite_basis(np.array([2, 4]), np.array([3, 9]))
    Basis(step_u=2, shear=0, step_v=3)
    """
    step_u, shear, step_v = 0, 0, 0
    for x, y in zip(u.tolist(), v.tolist(), strict=True):
        rest_u, rest_v = x, y
        while rest_v:
            times = step_v // rest_v
            shear, step_v, rest_u, rest_v = rest_u, rest_v, shear - times * rest_u, step_v - times * rest_v
        step_u = math.gcd(step_u, rest_u)
        if step_u:
            shear %= step_u
    if step_v < 0:
        shear, step_v = -shear, -step_v
    if step_u:
        shear %= step_u
    return Basis(step_u, shear, step_v)


def merge_items(u: IntArray, v: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Give the distinct items up to sign, with counts; (0, 0) is left out, for a sign does not change it."""
    kept = (u != 0) | (v != 0)
    u, v = u[kept], v[kept]
    sign = np.where((u < 0) | ((u == 0) & (v < 0)), -1, 1)
    u, v = u * sign, v * sign
    reach = int(np.abs(v).max(initial=0))
    span = 2 * reach + 1
    if int(u.max(initial=0)) * span < 1 << 62:
        # One number per pair sorts many times faster than rows.
        keys, counts = np.unique(u * span + (v + reach), return_counts=True)
        return keys // span, keys % span - reach, counts.astype(np.int64)
    pairs, counts = np.unique(np.stack((u, v), axis=1), axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], counts.astype(np.int64)
