"""What a power curve rests on and where it is weak, as notes."""

from __future__ import annotations

import math

from nofluke.inference.power.curves.ask import Ask
from nofluke.inference.power.curves.inner import TANGENT
from nofluke.inference.power.curves.simulate import Check
from nofluke.types import Note, note

CHECK_DRAWS = 9_999
_SMALL_PILOT = 200
_MUCH_TILTED = 0.5


def assumptions_of(ask: Ask, units: int, unit: str, difference: float, *, by_formula: bool) -> tuple[Note, ...]:
    """Name everything that has to hold."""
    if ask.form == "normal" or by_formula:
        drawn = note("power.normal_with_sd" if ask.sd is not None else "power.normal_like_pilot", sd=ask.sd)
    elif ask.observed:
        drawn = note("power.pilot_as_it_is", pilot=units, unit=unit)
    else:
        drawn = note("power.pilot_reweighted", pilot=units, unit=unit, difference=difference)
    return drawn, note("power.independent_units", unit=unit), note("power.size_fixed")


def notes_of(
    ask: Ask, units: int, unit: str, difference: float, error: float, *, carried: float, by_formula: bool, nothing: bool
) -> tuple[Note, ...]:
    """Warn where a curve is rough or no evidence; `nothing` says that it is drawn where there is nothing to find.

    `carried` is the share of the pilot that carries the reweighted picture, `error` the standard error of the
    difference.
    """
    notes = [note("power.at_observed")] if ask.observed else []
    if by_formula:
        notes.append(note("power.not_reweighted", pilot=units, unit=unit, difference=difference, scale=error))
    elif carried < _MUCH_TILTED and ask.form == "pilot":
        notes.append(note("power.much_reweighted", carried=round(carried * units), pilot=units, unit=unit))
    if units < _SMALL_PILOT and ask.sd is None and not nothing:
        low, high = _spread_range(units)
        notes.append(note("power.small_pilot", pilot=units, unit=unit, low=low, high=high))
    about = str(ask.method.facts["about"])
    if about != "mean" and not ask.observed:
        notes.append(note("power.other_question", about=about))
    return tuple(notes)


def _spread_range(units: int) -> tuple[float, float]:
    """The 95% range of (true variance) / (estimated variance) for normal differences: n is proportional to it."""
    from scipy.special import chdtri

    df = units - 1
    return df / float(chdtri(df, 0.025)), df / float(chdtri(df, 0.975))


def how_computed(how: str, checked: Check | None) -> Note:
    """Name how the p-values of the drawn test sets were computed, and what the check found."""
    if checked is None or not checked.checked:
        return note(how)
    if how == TANGENT:
        noise = 2 * math.sqrt(0.025 * 0.975 / CHECK_DRAWS)
        return note(how, checked=checked.checked, off=checked.absolute, draws=CHECK_DRAWS, noise=noise)
    found = {"changed": checked.changed, "relative": checked.relative, "undecided": checked.undecided}
    return note(how, checked=checked.checked, **found)
