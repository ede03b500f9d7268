"""What the studies still say by themselves: figures with the digits that matter, and the name of a unit."""

from __future__ import annotations

from nofluke.types import Sample


def unit_name(sample: Sample) -> str:
    """Name what a test swaps or draws as a whole: an item, a unit of several items, or a cluster."""
    return sample.unit
