"""What the audit of a test says, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nofluke.types import Sample

if TYPE_CHECKING:
    from nofluke.studies.audit.tables import Audited

Table = Mapping[str, tuple[Any, ...]]
_SIDES = 3


def _of_100(share: float) -> str:
    return f"{100 * share:.1f} of 100"


def headline(done: Sequence[Audited], table: Table, alpha: float, unit: str, size: int) -> str:
    """Say of the first test whether it keeps its promise."""
    found, verdict = table["found"][0], table["verdict"][0]
    sides = [table["verdict"][index] for index in range(1, _SIDES)]
    text = (
        f"With no true difference, the test {done[0].method.name!r} calls A and B different in {_of_100(found)} test "
        f"sets of {size:,} {unit} like these; it promises at most {_of_100(alpha)}"
    )
    if verdict == "too often":
        return f"{text}, and does not keep it."
    if "too often" in sides:
        side = "A" if sides[0] == "too often" else "B"
        return f"{text}, and keeps it; but its errors are on one side: it calls {side} better too often."
    return f"{text}, and keeps it."


def sentences(
    done: Sequence[Audited], table: Table, sample: Sample, how: str, unit: str, units: int, size: int, iterations: int
) -> tuple[str, ...]:
    """Say how the test sets were made and what each test did."""
    made = (
        "differences moved to a mean of 0" if how == "recentred" else f"{unit} reweighted until A and B score the same"
    )
    lines = [f"Drawn: {iterations:,} test sets of {size:,} {unit} from the {units:,} that there are, {made}."]
    if sample.systems != ("A", "B"):
        lines[0] += f" A is {sample.systems[0]}, B is {sample.systems[1]}."
    for index, one in enumerate(done):
        rows = slice(index * _SIDES, (index + 1) * _SIDES)
        both, up, down = table["found"][rows]
        low, high = table["from"][rows][0], table["to"][rows][0]
        half = table["promised"][rows][1]
        lines.append(
            f"{one.method.name}: two-sided {_of_100(both)} (95% range {100 * low:.1f} to {100 * high:.1f}); A called "
            f"better in {_of_100(up)}, B in {_of_100(down)} (promised {100 * half:.2g} of 100 each)."
        )
    return tuple(lines)


def notes(done: Sequence[Audited], sample: Sample, how: str) -> tuple[str, ...]:
    """Say what the audit cannot tell."""
    found = [
        "the audit takes these items for the whole world: it shows how the test behaves on data of this shape, not "
        "whether these items are typical."
    ]
    if how == "reweighted":
        found.append("single items were kept as they are and given other weights, so that ties and 0/1 scores stay.")
    other = [one.method.name for one in done if one.method.facts["about"] != "mean"]
    if other and how == "recentred":
        found.append(
            f"{', '.join(other)} asks another question than the mean: a skewed metric with equal means may be no case "
            "of its null hypothesis, and a high rate then shows that it is no test of the mean."
        )
    if sample.clusters is not None:
        found.append("whole clusters were drawn, as a new test set would bring new ones.")
    return tuple(found)


def captions(alpha: float, size: int, unit: str, iterations: int) -> dict[str, str]:
    """Say what the table shows."""
    return {
        "significant": f"How often each test is significant when A and B do not differ, in {iterations:,} test sets of "
        f"{size:,} {unit}; two-sided at {alpha:g}, each side at {alpha / 2:g}; from and to: 95% range of the "
        "simulation."
    }
