"""The pictures of docs/studies, each with the command line that draws it in docs/examples."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

# Picture -> command. {folder} is a folder that is thrown away; a command line may have two steps, the last one draws.
PICTURES = {
    "gains.svg": "nofluke study gains shared-task.csv --groups teams.csv",
    "similarity.svg": "nofluke study similarity shared-task.csv",
    "test-size.svg": "nofluke study test-size shared-task.csv --sizes 75,150,300",
    "domain.svg": "nofluke study domain shared-task.csv --domains genres.csv",
    "audit.svg": "nofluke study audit translation.csv --methods permutation,paired_t,wilcoxon,bootstrap",
    "multiplicity-independent.svg": "nofluke study multiplicity",
    "multiplicity-dependent.svg": "nofluke study multiplicity --dependence dror",
    "sample-size.svg": "nofluke study sample-size",
    "synthesize.svg": "nofluke study synthesize --example digits",
    "calibration-digits.svg": "nofluke study synthesize --example digits --scores {folder}/digits.csv "
    "--groups {folder}/groups.csv -q && nofluke study calibration {folder}/digits.csv",
}
# Pictures of systems that are trained first.
TRAINED = ("synthesize.svg", "calibration-digits.svg")


def drawn(command: str, run: Callable[[str], str], chart: str = "") -> str:
    """Give the SVG that a command draws (of the named chart); `run` runs a shell line and gives what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.svg"
        wanted = f"{chart}={picture}" if chart else picture
        printed = run(f"{command.format(folder=folder)} --chart {wanted} -q")
        if not picture.exists():
            raise SystemExit(f"{command} drew nothing:\n{printed}")
        return picture.read_text(encoding="utf-8")
