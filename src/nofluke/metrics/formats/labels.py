"""Labels of items, one per line; of a column of a table also the items that have none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines, Texts, read_lines


@dataclass(frozen=True, slots=True)
class Labels:
    """One label per item, and where they stand."""

    source: Lines
    labels: tuple[str, ...]

    def where(self, item: int) -> str:
        """Name the place of an item."""
        return self.source.where(item)


def read_labels(source: Texts, role: str, *, empty: bool = False) -> Labels:
    """Read one label per item; `role` is output or gold, and `empty` allows empty labels."""
    lines = read_lines(source, role)
    if not any(line.strip() for line in lines.lines):
        raise InputError("there are no labels.", where=lines.name, fix="give one label per line.")
    found = Labels(lines, tuple(line.strip() for line in lines.lines))
    for item, label in enumerate(found.labels if not empty else ()):
        if not label and item not in lines.missing:
            raise InputError("the label is empty.", where=found.where(item), fix="give every item a label.")
    return found


def matched_labels(output: Labels, gold: Labels) -> Sequence[str | None]:
    """Give the output's labels, of which there must be as many as of gold; None is an item without an output.

    Whether such an item is left out or refused is decided where systems are compared. A label that gold spells in
    another way (true and True, 1 and 1.0) is given as gold spells it.
    """
    if len(output.labels) != len(gold.labels):
        raise InputError(
            f"{len(output.labels):,} labels, and {gold.source.name} has {len(gold.labels):,}.",
            where=output.source.name,
            fix="give one label for every item of the gold file.",
        )
    spelled = {canonical_label(label): label for label in gold.labels}
    known = set(gold.labels)
    labels = [label if label in known else spelled.get(canonical_label(label), label) for label in output.labels]
    return [None if item in output.source.missing else label for item, label in enumerate(labels)]


def canonical_label(label: str) -> str:
    """Give one spelling to what formats write differently: true and True, 1 and 1.0.

    >>> [canonical_label(label) for label in ("True", "1.0", "1.5", "yes")]
    ['true', '1', '1.5', 'yes']
    """
    if label.casefold() in ("true", "false"):
        return label.casefold()
    return re.sub(r"^([-+]?\d+)\.0+$", r"\1", label)
