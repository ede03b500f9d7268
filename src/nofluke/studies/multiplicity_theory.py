"""What probability theory says of counting significant datasets when no effect is there; simulations must agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from nofluke.types import FloatArray

# Even steps integrate what is smooth to the last digits, and steep curves (correlations near 1) to about a step.
_NODES = np.linspace(-9.0, 9.0, 6001)
_WEIGHTS = np.exp(-_NODES * _NODES / 2)
_WEIGHTS /= _WEIGHTS.sum()


Groups = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances that k-hat is above 0 and above 1; nan where no formula is known."""

    more_than_none: float
    more_than_one: float


def independent(groups: Groups, *, shared_factor: bool) -> bool:
    """Whether no two test statistics are correlated: then fewer than two depend on any one factor.

    >>> independent(((1, 0.9), (1, 0.9)), shared_factor=False), independent(((1, 0.9), (1, 0.9)), shared_factor=True)
    (True, False)
    """
    touched = [size for size, correlation in groups if correlation > 0]
    return (sum(touched) if shared_factor else max(touched, default=0)) < 2


def chances(groups: Groups, alpha: float, *, shared_factor: bool) -> dict[str, Chances]:
    """Give the chances of false claims by method, where they have a formula.

    Counting and Bonferroni's p^(1/N) = N p(1) ask how many p-values lie below a bound, which given the common factors
    are independent; the factors are integrated out. Fisher's and Simes' tests of the whole have size alpha when the
    p-values are independent.

    >>> round(chances(((100, 0.0),), 0.05, shared_factor=False)["count"].more_than_one, 4)
    0.9629
    """
    number = sum(size for size, _ in groups)
    none, one = _at_most_one(groups, (0.0, alpha), shared_factor=shared_factor)
    found = {"count": Chances(1 - none, 1 - none - one)}
    first, second = alpha / number, alpha / max(number - 1, 1)
    untouched, _ = _at_most_one(groups, (0.0, first), shared_factor=shared_factor)
    # More than one: p(1) <= first and p(2) <= second. Else p(1) lies above first, or it alone lies below second.
    wide_none, wide_one = _at_most_one(groups, (0.0, second), shared_factor=shared_factor)
    missed = untouched - wide_none - _exactly_one(groups, first, second, shared_factor=shared_factor)
    found["bonferroni"] = Chances(1 - untouched, 1 - wide_none - wide_one - missed if number > 1 else 0.0)
    if independent(groups, shared_factor=shared_factor):
        found["fisher"] = found["simes"] = Chances(alpha, float("nan"))
    return found


def _exactly_one(groups: Groups, first: float, second: float, *, shared_factor: bool) -> float:
    """The chance that no p-value is below `first` and exactly one between it and `second`."""
    return _at_most_one(groups, (first, second), shared_factor=shared_factor)[1]


def _at_most_one(groups: Groups, bounds: tuple[float, float], *, shared_factor: bool) -> tuple[float, float]:
    """The chances that none, and exactly one, of all p-values lies between the bounds and none below the lower one."""
    parts = [_group(size, correlation, bounds, _NODES) for size, correlation in groups]
    if not shared_factor:
        parts = [(np.array([_WEIGHTS @ none]), np.array([_WEIGHTS @ one])) for none, one in parts]
    none, one = reduce(lambda x, y: (x[0] * y[0], x[0] * y[1] + x[1] * y[0]), parts)
    return (float(_WEIGHTS @ none), float(_WEIGHTS @ one)) if shared_factor else (float(none[0]), float(one[0]))


def _group(
    size: int, correlation: float, bounds: tuple[float, float], factor: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The same for one group, given each value of its common factor."""
    below, within = (_tail(bound, correlation, factor) for bound in bounds)
    return (1 - within) ** size, size * (within - below) * (1 - within) ** (size - 1)


def _tail(bound: float, correlation: float, factor: FloatArray) -> FloatArray:
    """The chance that a p-value is below the bound, given the common factor."""
    from scipy.special import ndtr, ndtri

    if bound <= 0:
        return np.zeros_like(factor)
    edge = -float(ndtri(bound))
    if correlation >= 1:
        return (factor >= edge).astype(np.float64)
    tail: FloatArray = ndtr((np.sqrt(correlation) * factor - edge) / np.sqrt(1 - correlation))
    return tail
