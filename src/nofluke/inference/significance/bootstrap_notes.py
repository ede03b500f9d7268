"""What must be said beside a bootstrap p-value: where it is known to promise too much."""

from __future__ import annotations

from nofluke.inference.resampled_mean import Units
from nofluke.inference.significance.bootstrap_settings import Settings
from nofluke.types import Note, note

# Below these the test is known to reject a true null too often; words/notes/test.py has the simulated sizes.
FEW_ITEMS = 50
FEW_CLUSTERS = 50
# A smaller share of resamples without spread changes no p-value that is printed.
_RARE = 0.001
OUT_OF_REACH = note("test.out_of_reach", instead=("permutation",))


def notes_on(units: Units, asked: Settings, out_of_reach: bool, flat: float) -> tuple[Note, ...]:
    """Give the warnings that these data and this form call for."""
    number, clustered = len(units), units.sizes is not None
    notes = []
    if out_of_reach:
        notes.append(note("test.least_of_draws", draws=asked.resamples) if asked.on_request else OUT_OF_REACH)
    if clustered and number < FEW_CLUSTERS:
        notes.append(note("test.few_clusters_for_bootstrap", clusters=number))
    if not clustered and asked.form not in ("studentized", "moses") and number < FEW_ITEMS:
        notes.append(note("test.few_items_for_bootstrap", n=number))
    if asked.form == "moses":
        notes.append(note("test.moses"))
    if asked.form == "berg_kirkpatrick" and asked.alternative == "two-sided":
        notes.append(note("test.berg_kirkpatrick_two_sided"))
    if asked.size != number:
        unit = "cluster" if clustered else "item"
        notes.append(note("test.resample_size", size=asked.size, n=number, unit=unit))
    if flat > _RARE:
        notes.append(note("test.flat_resamples", share=flat))
    return tuple(notes)
