"""What the audit of a test says, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.inference.wording import unit_name
from nofluke.studies.audit.tables import KEPT, TOO_OFTEN, Audited, Drawing
from nofluke.types import Sample
from nofluke.words.numbers import hundredths

Table = Mapping[str, tuple[Any, ...]]
_SIDES = 3


def _of_100(share: float) -> str:
    return f"{hundredths(share, 1)} of 100"


def headline(done: Sequence[Audited], table: Table, sample: Sample, drawing: Drawing) -> str:
    """Say of the first test whether it keeps its promise."""
    sides = table["verdict"][1:_SIDES]
    text = (
        f"When A and B truly score the same, the test {done[0].method.name!r} calls them different in "
        f"{_of_100(table['found'][0])} test sets of {drawing.size:,} {unit_name(sample)}s like these"
    )
    if not done[0].of_the_mean:
        return f"{text}. It asks about something other than the mean, so that is no breach of its promise."
    text += f"; it promises at most {_of_100(drawing.alpha)}"
    if table["verdict"][0] == TOO_OFTEN:
        return f"{text}, and does not keep it."
    kept = "keeps it" if table["verdict"][0] == KEPT else "no breach is seen"
    if TOO_OFTEN in sides:
        side = "A" if sides[0] == TOO_OFTEN else "B"
        return f"{text}, and {kept}; but its errors are on one side: it calls {side} better too often."
    return f"{text}, and {kept} (95% range {100 * table['from'][0]:.1f} to {100 * table['to'][0]:.1f})."


def sentences(done: Sequence[Audited], table: Table, sample: Sample, units: int, drawing: Drawing) -> tuple[str, ...]:
    """Say how the test sets were made and what each test did."""
    unit = f"{unit_name(sample)}s"
    made = (
        "differences moved to a mean of 0"
        if drawing.how == "recentred"
        else f"{unit} reweighted until A and B score the same"
    )
    lines = [
        f"Drawn: {drawing.iterations:,} test sets of {drawing.size:,} {unit} from the {units:,} that there are, {made}."
    ]
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
    other = [one.method.name for one in done if not one.of_the_mean]
    if other:
        found.append(
            f"{', '.join(other)} {'asks' if len(other) == 1 else 'ask'} another question than the mean: equal means "
            "need not be a case of the null hypothesis, and a high rate then shows only that it is no test of the mean."
        )
    if sample.clusters is not None:
        found.append("whole clusters were drawn, as a new test set would bring new ones.")
    return tuple(found)


def captions(sample: Sample, drawing: Drawing) -> dict[str, str]:
    """Say what the table shows."""
    return {
        "significant": f"How often each test is significant when A and B truly score the same, in "
        f"{drawing.iterations:,} test sets of {drawing.size:,} {unit_name(sample)}s; two-sided at "
        f"{drawing.alpha:g}, each side at {drawing.alpha / 2:g}; from and to: 95% range of the simulation."
    }
