"""The options of a bootstrap test of the mean, which of them go together, and what must be said beside its p-value."""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.errors import InputError, MethodError
from nofluke.inference.p_values import Progress
from nofluke.inference.resampling.resampled_mean import Units
from nofluke.types import Note, note

# Below these the test is known to reject a true null too often; words/notes/test.py has the simulated sizes.
FEW_ITEMS = 50
FEW_CLUSTERS = 50
# A smaller share of resamples without spread changes no p-value that is printed.
_RARE = 0.001
OUT_OF_REACH = note("test.out_of_reach", instead=("permutation",))


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one call; `on_request` says that the user wants so many draws, and the p-value they give."""

    alternative: str
    delta: float
    form: str
    recentre: str
    two_sided: str
    size: int
    resamples: int
    seed: int
    level: float
    progress: Progress = None
    on_request: bool = False


def refuse_numbers(settings: Settings) -> None:
    """Refuse numbers of draws and seeds that cannot be."""
    if settings.resamples < 1:
        raise InputError(f"monte_carlo = {settings.resamples} draws cannot be made.", fix="give a number such as 9999.")
    if settings.seed < 0:
        raise InputError(f"seed = {settings.seed} is negative.", fix="give a whole number of at least 0.")
    if settings.size < 1:
        raise InputError(
            f"resample_size = {settings.size} is below 1.", fix="leave it out to draw as many as there are."
        )


def refuse(settings: Settings, units: Units) -> None:
    """Refuse what has no meaning, and name what has."""
    form = settings.form
    # A single item needs no refusal: it has no spread, and the result says so.
    least = 2 if form == "studentized" and len(units) > 1 else 1
    if settings.size < least:
        raise InputError(
            f"resample_size = {settings.size} is too small for form {form!r}.", fix=f"give at least {least}."
        )
    if units.sizes is not None and form not in ("shift", "percentile"):
        raise MethodError(
            f"form {form!r} is not defined for clusters.", fix="use form 'shift' or 'percentile', or 'permutation'."
        )
    if settings.recentre == "bootstrap_mean" and (form not in ("shift", "berg_kirkpatrick") or units.sizes is not None):
        where = "with clusters" if units.sizes is not None else f"in form {form!r}"
        raise MethodError(
            f"recentre = 'bootstrap_mean' has no meaning {where}.", fix="use recentre 'observed', or form 'shift'."
        )
    if settings.two_sided == "absolute" and (form != "shift" or settings.alternative != "two-sided"):
        raise MethodError(
            "two_sided = 'absolute' belongs to form 'shift' with a two-sided alternative.",
            fix="leave it out, or use form 'shift' and alternative 'two-sided'.",
        )
    if form == "moses" and (settings.delta or settings.alternative != "two-sided"):
        raise MethodError(
            "form 'moses' is defined only for delta = 0 and a two-sided alternative.", fix="use form 'shift'."
        )


def notes_on(units: Units, settings: Settings, out_of_reach: bool, flat: float) -> tuple[Note, ...]:
    """Give the warnings that these data and this form call for."""
    number, clustered = len(units), units.sizes is not None
    notes = []
    if out_of_reach:
        notes.append(note("test.least_of_draws", draws=settings.resamples) if settings.on_request else OUT_OF_REACH)
    if clustered and number < FEW_CLUSTERS:
        notes.append(note("test.few_clusters_for_bootstrap", clusters=number))
    if not clustered and settings.form not in ("studentized", "moses") and number < FEW_ITEMS:
        notes.append(note("test.few_items_for_bootstrap", n=number))
    if settings.form == "moses":
        notes.append(note("test.moses"))
    if settings.form == "berg_kirkpatrick" and settings.alternative == "two-sided":
        notes.append(note("test.berg_kirkpatrick_two_sided"))
    if settings.size != number:
        unit = "cluster" if clustered else "item"
        notes.append(note("test.resample_size", size=settings.size, n=number, unit=unit))
    if flat > _RARE:
        notes.append(note("test.flat_resamples", share=flat))
    return tuple(notes)
