"""The tests whose power is known without simulation, and what each of them is planned from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from nofluke.errors import By, Fix, InputError, did_you_mean
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.normal_differences import (
    paired_t_power,
    permutation_power,
    student_t_power,
    welch_t_power,
    wilcoxon_power,
)
from nofluke.inference.power.over_runs import crossed_runs_power
from nofluke.inference.power.paired_binary import mcnemar_power, tango_power
from nofluke.types import FloatArray


@dataclass(frozen=True, slots=True)
class Design:
    """One test as it is planned.

    `kind` says what the effect is made of: "pairs" the mean and sd of differences, "groups" two independent groups,
    "binary" paired 0/1 scores. `sawtooth` marks exact tests, whose power falls a little where the critical value moves.
    `assumptions` are codes of notes.
    """

    name: str
    label: str
    kind: Literal["pairs", "groups", "binary"]
    power: Callable[[FloatArray, Effect, float, str], FloatArray]
    sawtooth: bool
    assumptions: tuple[str, ...]
    cite: str
    margin: bool = True


_NORMAL, _PAIRS = "power.normal_differences", "power.same_items"

DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design("paired_t", "paired t-test", "pairs", paired_t_power, False, (_NORMAL,), "Student 1908"),
        Design(
            "permutation",
            "paired permutation test of the mean",
            "pairs",
            permutation_power,
            False,
            (_NORMAL, "power.flips_as_t"),
            "Fisher 1935",
        ),
        Design(
            "wilcoxon",
            "Wilcoxon signed-rank test",
            "pairs",
            wilcoxon_power,
            True,
            ("power.normal_ranks",),
            "Wilcoxon 1945; Lehmann 1975",
            margin=False,
        ),
        Design(
            "student_t",
            "Student's t-test, unpaired",
            "groups",
            student_t_power,
            False,
            ("power.equal_spreads",),
            "Student 1908; Fisher 1925",
        ),
        Design(
            "welch_t",
            "Welch's t-test, unpaired",
            "groups",
            welch_t_power,
            False,
            ("power.satterthwaite",),
            "Welch 1947",
        ),
        Design("sign", "sign test", "binary", mcnemar_power, True, (_PAIRS,), "Dixon and Mood 1946", margin=False),
        Design(
            "mcnemar",
            "McNemar's test",
            "binary",
            mcnemar_power,
            True,
            (_PAIRS, "power.all_disagreements"),
            "McNemar 1947; Duffy 1984",
            margin=False,
        ),
        Design(
            "tango",
            "Tango's score test of paired accuracies",
            "binary",
            tango_power,
            True,
            (_PAIRS, "power.all_disagreements", "power.tango_forms"),
            "Tango 1998",
        ),
        Design(
            "crossed_runs",
            "t-test over items and training runs",
            "pairs",
            crossed_runs_power,
            False,
            ("power.items_and_runs",),
            "Satterthwaite 1946; Miller 2024",
        ),
    )
}

# From this variance of the number of disagreements on, teeth are below 1e-17.
_SMOOTH = 8.0

# Tests that can be run but not planned by a formula, with the nearest one that can.
_NEAREST = {"bootstrap": "paired_t", "approximate_randomization": "permutation", "chi_square": "student_t"}


def design_of(test: str, *, margin: bool) -> Design:
    """Find a test by name; with a margin only tests that are valid for one."""
    if test not in DESIGNS:
        near = (
            f"its power is close to that of {_NEAREST[test]!r}; " if test in _NEAREST else did_you_mean(test, DESIGNS)
        )
        raise InputError(
            f"the power of the test {test!r} is not known without simulation.",
            fix=Fix(
                f"{near}choose one of: {', '.join((*DESIGNS, 'replicate'))}; or simulate from a pilot, for any test: ",
                By("nf.power_curve", "nofluke power curve", "the page Two systems"),
                ".",
            ),
        )
    design = DESIGNS[test]
    if margin and not design.margin:
        instead = "tango" if design.kind == "binary" else "paired_t"
        raise InputError(
            f"{test} has no valid form with a margin.", fix=f"plan with {instead!r}, which tests against a margin."
        )
    return design


def sawtooth_width(effect: Effect) -> Callable[[int], int]:
    """How many items the teeth of an exact test's power reach over: some four roots of n.

    Where the number of disagreements varies from test set to test set by more than the two from tooth to tooth, the
    average over it is smooth: teeth shrink by exp(-pi^2/2 variance).
    """
    share = effect.disagreement if math.isfinite(effect.disagreement) else 1.0

    def width(n: int) -> int:
        return 8 if n * share * (1 - share) > _SMOOTH else 64 + math.ceil(4 * math.sqrt(n * share) / share)

    return width
