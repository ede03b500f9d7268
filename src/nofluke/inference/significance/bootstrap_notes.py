"""What must be said beside a bootstrap p-value: where it is known to promise too much."""

from __future__ import annotations

from nofluke.inference.resampled_mean import Units
from nofluke.inference.significance.bootstrap_settings import Settings

# Below these the test is known to reject a true null too often; the figures are simulated sizes at a nominal .05.
FEW_ITEMS = 50
FEW_CLUSTERS = 50
OUT_OF_REACH = (
    "no resample of these items can reach the difference in question, so the bootstrap's p-value would be 0, which no "
    "finite sample supports; use method 'permutation'."
)


def notes_on(units: Units, asked: Settings, out_of_reach: bool, flat: float) -> tuple[str, ...]:
    """Give the warnings that these data and this form call for."""
    found = (
        _reach(out_of_reach, asked),
        _clusters(units),
        _few(units, asked.form),
        _form(asked.form, asked.alternative),
        _size(units, asked.size),
        _flat(flat),
    )
    return tuple(note for note in found if note)


def _reach(out_of_reach: bool, asked: Settings) -> str:
    if not out_of_reach:
        return ""
    if asked.on_request:
        return (
            f"no resample of these items can reach the difference in question: p is the least that {asked.resamples:,} "
            "draws can give, and more draws would make it smaller without end; use method 'permutation'."
        )
    return OUT_OF_REACH


def _clusters(units: Units) -> str:
    if units.sizes is None or len(units) >= FEW_CLUSTERS:
        return ""
    return (
        f"{len(units)} clusters are few for the cluster bootstrap, which rejects a true null too often (.10 to .15 "
        "instead of .05 at 10 clusters, .07 to .11 at 20, .06 to .08 at 50, the more unequal their sizes the more); "
        "use method 'permutation'."
    )


def _few(units: Units, form: str) -> str:
    if units.sizes is not None or form in ("studentized", "moses") or len(units) >= FEW_ITEMS:
        return ""
    return (
        f"{len(units)} items are few for the bootstrap, which rejects a true null too often (one-sided .077, .062, "
        ".054 instead of .05 at 10, 20, 50 items); method 'permutation' is the safer test."
    )


def _form(form: str, alternative: str) -> str:
    if form == "moses":
        return (
            "form 'moses' reproduces what Moses and sacrebleu print; it rejects a true null about twice as often as it "
            "says (.11 instead of .05) and is not recommended."
        )
    if form == "berg_kirkpatrick" and alternative == "two-sided":
        return "the paper's test is one-sided; this is twice its smaller tail (alternative 'greater' is as printed)."
    return ""


def _size(units: Units, size: int) -> str:
    if size == len(units):
        return ""
    small = "large" if size < len(units) else "small"
    what = "items" if units.sizes is None else "clusters"
    return (
        f"each resample has {size:,} {what}, not {len(units):,}: p-value and interval are those of a test set of that "
        f"size, too {small} for this one."
    )


def _flat(flat: float) -> str:
    if flat <= 0.001:
        return ""
    return f"{flat:.1%} of the resamples have no spread, which form 'studentized' cannot use; use method 'permutation'."
