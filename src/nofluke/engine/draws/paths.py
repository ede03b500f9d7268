"""Which of the exact paths gives the tail of a sum of draws."""

from __future__ import annotations

import math

from nofluke.engine.draws.counting import BOUND, count_draws
from nofluke.engine.draws.inversion import Contour, contour_of, invert
from nofluke.engine.draws.law import DrawLaw
from nofluke.engine.draws.outlier import NOT_FAR, condition, far_values
from nofluke.engine.draws.rare import rare_tail
from nofluke.engine.tail import EXACT_BOUND, Tail

# Above this the complement loses digits, and the tail is computed from its own side.
_MOST_COMPLEMENT = 0.9
# A tail found with the nodes of another threshold is good enough below this bound.
_GOOD = 1e-11


def law_tail(law: DrawLaw, least: int) -> Tail:
    """Give P(Y >= least) for a law on its own lattice."""
    if law.draws == 0 or law.values.size == 1 or least <= 0:
        return Tail(0.0 if least <= 0 else -math.inf, 0.0, "support")
    if least > law.top:
        return Tail(-math.inf, 0.0, "support")
    if law.top - least < law.largest - int(law.values[-2]):
        log_p = law.draws * law.log_share(-1)
        return Tail(log_p, 4.0 * math.ulp(1.0) * (1.0 + abs(log_p)), "support")
    if least <= int(law.values[1]):
        log_none = law.draws * law.log_share(0)
        return _complement(Tail(log_none, 4.0 * math.ulp(1.0) * (1.0 + abs(log_none)), "support"))
    if least * law.items > law.draws * law.total:
        return _upper(law, least)
    below = _upper(law.mirrored(), law.top - least + 1)
    tail = _complement(below)
    if math.exp(below.log_p) > _MOST_COMPLEMENT and tail.bound > 0:
        direct = _upper(law, least)
        return direct if direct.bound < tail.bound else tail
    return tail


def _complement(tail: Tail) -> Tail:
    p = math.exp(tail.log_p)
    left = -math.expm1(tail.log_p)
    if left <= 0.0:
        return Tail(-math.inf, math.inf, tail.path)
    bound = tail.bound * p / left + math.ulp(1.0)
    return Tail(math.log(left) if p > 0.5 else math.log1p(-p), bound, tail.path)


def _upper(law: DrawLaw, least: int) -> Tail:
    """0 < least < top, preferably above the mean."""
    counted = count_draws(law, least)
    if counted is not None:
        return Tail(counted, BOUND, "enumeration")
    mixed = _mixture(law, least)
    if mixed is not None and mixed.bound < EXACT_BOUND:
        return mixed
    rare = rare_tail(law, least)
    if rare is not None and rare[1] < EXACT_BOUND:
        return Tail(*rare, "enumeration")
    tail = invert(law, least)
    if tail.bound > EXACT_BOUND:
        counted = count_draws(law, least, patient=True)
        if counted is not None:
            return Tail(counted, BOUND, "enumeration")
    if tail.path == "inversion":
        mixed = _mixture(law, least, NOT_FAR) or mixed
    return tail if mixed is None or tail.bound < mixed.bound else mixed


def _mixture(law: DrawLaw, least: int, *far_from: float) -> Tail | None:
    """Give the tail over the number of draws of far-away values, at one end or at both; None without such values."""
    ends = far_values(law, *far_from)
    return None if ends is None else Tail(*condition(law, least, ends, _plain), "mixture")


class NearbyTails:
    """Tails of one law near one level: thresholds near each other share the nodes of one contour where it serves."""

    def __init__(self, law: DrawLaw, level: float) -> None:
        self._law, self._level = law, level
        self._contour: Contour | None = None
        self._enough = _GOOD

    def log_p(self, least: int) -> float:
        """Give log P(Y >= least); only as accurate as is needed to say on which side of the level it is."""
        if not self._is_plain(least):
            return law_tail(self._law, least).log_p
        if self._contour is None:
            if not self._is_inverted(least):
                return law_tail(self._law, least).log_p
            self._contour = contour_of(self._law, least)
            # Another contour would be no better than this one is at home; beyond what is exact, counting may be.
            self._enough = max(_GOOD, min(2.0 * self._contour.tail(least).bound, EXACT_BOUND / 2.0))
        log_p, bound, _ = self._contour.tail(least)
        if bound <= self._enough or 2.0 * bound < min(abs(log_p - self._level), 0.2):
            return log_p
        return law_tail(self._law, least).log_p

    def _is_inverted(self, least: int) -> bool:
        law = self._law
        return count_draws(law, least) is None and far_values(law) is None and rare_tail(law, least) is None

    def _is_plain(self, least: int) -> bool:
        """Whether the threshold is above the mean and inside the support, where tails are inverted as they are."""
        law = self._law
        return law.values.size > 2 and law.draws * law.total < least * law.items and least < law.top - law.largest


def _plain(law: DrawLaw, least: int) -> tuple[float, float]:
    tail = law_tail(law, least)
    return tail.log_p, tail.bound
