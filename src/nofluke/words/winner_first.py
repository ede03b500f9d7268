"""A Comparison as a reader takes it: the winner first, so that every difference speaks of the winner's lead.

The value itself, and every format for programs, keeps the order in which the systems were named.
"""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.registry import EFFECTS
from nofluke.types import Comparison, Estimate, Interval, Note, Profile, Summary, TestResult

_OTHER_SIDE = {"greater": "less", "less": "greater"}
# What is said of one system's odds is turned with them.
_OTHER_NOTE = {"effect.odds_infinite": "effect.odds_zero", "effect.odds_zero": "effect.odds_infinite"}


def second_leads(result: Comparison) -> bool:
    """Whether the second named system is the winner."""
    return result.verdict == "worse" and result.test.delta <= 0


def winner_first(result: Comparison) -> Comparison:
    """Turn a comparison that the second system wins; its margin and choices stay as seen from the first named."""
    if not second_leads(result):
        return result
    return replace(
        result,
        systems=result.systems[::-1],
        scores=result.scores[::-1],
        verdict="better",
        profile=_profile(result.profile),
        test=_test(result.test),
        effects={name: _estimate(one) for name, one in result.effects.items()},
    )


def _test(test: TestResult) -> TestResult:
    return replace(
        test,
        systems=test.systems[::-1],
        alternative=_OTHER_SIDE.get(test.alternative, test.alternative),
        direction=-test.direction,
        delta=-test.delta,
        estimate=1 - test.estimate if test.about == "items" else -test.estimate,
        interval=_turned(test.interval, 0.5 if test.about == "items" else 0.0),
    )


def _estimate(one: Estimate) -> Estimate:
    null = float(EFFECTS[one.name].facts["null"]) if one.name in EFFECTS else 0.0
    # An odds ratio turns into its inverse, whose standard error shrinks with the square of the ratio.
    error = one.standard_error / one.value**2 if null == 1 and one.value else one.standard_error
    return replace(
        one,
        value=_across(one.value, null),
        interval=_turned(one.interval, null),
        standard_error=error,
        systems=one.systems[::-1],
        notes=tuple(Note(_OTHER_NOTE.get(note.code, note.code), note.facts) for note in one.notes),
    )


def _across(value: float, null: float) -> float:
    """The same size on the other side of no difference: a ratio (1) is inverted, all else is mirrored.

    >>> _across(4.0, 1.0), _across(0.25, 0.5), _across(2.0, 0.0), _across(0.0, 1.0)
    (0.25, 0.75, -2.0, inf)
    """
    if null == 1:
        return math.inf if value == 0 else 1 / value
    return 2 * null - value


def _turned(interval: Interval | None, null: float) -> Interval | None:
    if interval is None:
        return None
    return replace(interval, low=_across(interval.high, null), high=_across(interval.low, null))


def _profile(profile: Profile) -> Profile:
    return replace(
        profile,
        a=profile.b,
        b=profile.a,
        difference=_difference(profile.difference, (profile.a.name, profile.b.name)),
        wins=profile.losses,
        losses=profile.wins,
        skewness=-profile.skewness,
        skewness_adjusted=-profile.skewness_adjusted,
        skewness_b1=-profile.skewness_b1,
        quantiles=tuple(-value for value in reversed(profile.quantiles)),
    )


def _difference(one: Summary, systems: tuple[str, str]) -> Summary:
    a, b = systems
    name = f"{b} - {a}" if one.name == f"{a} - {b}" else f"{a} - {b}"
    return replace(one, name=name, mean=-one.mean, median=-one.median, minimum=-one.maximum, maximum=-one.minimum)
