"""What is installed, and what is missing: the answer of nofluke doctor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# What each extra is for, in the words of somebody who may miss it.
EXTRAS = {
    "app": "the web app (nofluke serve)",
    "charts": "pictures, also in reports",
    "cluster": "work on a Dask cluster",
    "logs": "Inspect's .eval logs",
    "mcp": "tools of assistants (nofluke mcp)",
    "metrics": "BLEU, chrF and TER",
    "studies": "study synthesize",
}
CORE = "core"


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Say which versions are there, a line a group of packages, and how to get the groups that lack one."""
    lacking = [group for group, packages in found["packages"].items() if None in packages.values()]
    fine = "Everything is there." if not lacking else f"Not everything is there: {', '.join(lacking)}."
    yield f"nofluke {found['nofluke']} on Python {found['python']} ({found['machine']}). {fine}"
    yield ""
    for group, packages in found["packages"].items():
        versions = ", ".join(f"{name} {number or 'missing'}" for name, number in packages.items())
        yield f"  {group:<9}{versions}"
        if group in lacking:
            wanted = "nofluke" if group == CORE else f"'nofluke[{group}]'"
            yield f"  {'':<9}{EXTRAS.get(group, 'without it nothing works')}: pip install {wanted}"
