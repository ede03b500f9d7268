"""The gallery of the documentation site: every chart and every report, each with the command that makes it.

All commands run in docs/examples while the site is built, which fails if a chart is missing here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from study_pictures import PICTURES, drawn

from nofluke import charts  # noqa: F401 (importing registers them)
from nofluke.registry import CHARTS

# Heading -> chart -> command that draws it. Charts of studies are drawn for their own pages already.
RESULTS = {
    "Two systems": {
        "interval": "nofluke compare translation.csv",
        "differences": "nofluke compare translation.csv",
        "histograms": "nofluke compare translation.csv",
        "null_distribution": "nofluke compare translation.csv",
        "posterior": "nofluke compare translation.csv --bayes",
    },
    "Many systems": {
        "rank_ranges": "nofluke rank leaderboard.csv",
        "groups": "nofluke rank leaderboard.csv",
        "heat_map": "nofluke rank leaderboard.csv",
    },
    "Many datasets": {
        "forest": "nofluke compare domains.csv",
        "partial_conjunction": "nofluke replicate domains.csv",
    },
    "Planning, and annotators": {
        "power_curve": "nofluke power curve translation.csv",
        "agreement_matrix": "nofluke agree sentiment.csv",
    },
}
STUDIES = {
    "gain_scatter": "gains.svg",
    "similarity_curve": "similarity.svg",
    "threshold_by_size": "test-size.svg",
    "audit": "audit.svg",
    "calibration_plot": "calibration-digits.svg",
    "k_hat_histogram": "multiplicity-independent.svg",
    "p_value_by_size": "sample-size.svg",
    "training_sizes": "synthesize.svg",
}
REPORTS = {
    "compare": "nofluke compare translation.csv",
    "tasks": "nofluke compare domains.csv",
    "rank": "nofluke rank leaderboard.csv",
    "replicate": "nofluke replicate domains.csv",
    "agree": "nofluke agree sentiment.csv",
    "power": "nofluke power curve translation.csv",
}
FORMATS = {
    "report.html": "A page with pictures, in one file",
    "report.md": "Markdown",
    "report.tex": "LaTeX: tables and paragraphs to paste",
    "report.bib": "BibTeX of all that was used",
    "report.csv": "The tables as CSV",
    "report.json": "Everything, unrounded",
    "report.txt": "Text",
}


def gallery(folder: Path, run: Callable[[str], str]) -> str:
    """Draw everything into `folder` and give the page that shows it; `run` runs a shell line in docs/examples."""
    shown = {name for of_charts in (*RESULTS.values(), STUDIES) for name in of_charts}
    if shown != {method.name for method in CHARTS}:
        raise SystemExit(f"gallery and charts differ: {sorted(shown ^ {method.name for method in CHARTS})}")
    folder.mkdir(parents=True)
    lines = [
        "# Gallery",
        "",
        "Every picture and report of nofluke, drawn from the example files when this site was built.",
        "",
        "A is blue and B orange. Green means that A is shown to be better, amber that the data leave it open, red that",
        "B is shown to be better. [How do I get the picture?](how-to/pictures.md)",
    ]
    for heading, of_charts in RESULTS.items():
        lines += ["", f"## {heading}"]
        for name, command in of_charts.items():
            (folder / f"{name}.svg").write_text(drawn(command, run, name), encoding="utf-8")
            lines += _picture(name, f"{folder.name}/{name}.svg", f"{command} --chart {name}={name}.svg")
    lines += ["", "## Studies"]
    for name, picture in STUDIES.items():
        command = PICTURES[picture].format(folder=".")
        lines += _picture(name, f"studies/{picture}", f"{command} --chart {picture}")
    return "\n".join([*lines, *_reports(folder, run)]) + "\n"


def _picture(name: str, path: str, command: str) -> list[str]:
    method = CHARTS[name]
    shown = [f"### {method.label}", "", f"{method.summary} ([`{name}`](how-to/pictures.md))"]
    code = ["```sh", *command.split(" && "), "```"]
    return ["", *shown, "", f"![{method.label}]({path})", "", '??? example "The command"', "", *_indented(code)]


def _indented(lines: list[str]) -> Iterator[str]:
    return (f"    {line}" if line else "" for line in lines)


def _reports(folder: Path, run: Callable[[str], str]) -> list[str]:
    lines = ["", "## Reports", "", "Pages with pictures, as `-o report.html` writes them:", ""]
    for name, command in REPORTS.items():
        _written(command, folder / f"{name}.html", run)
        lines.append(f"- [{command} -o {name}.html]({folder.name}/{name}.html)")
    command = next(iter(REPORTS.values()))
    lines += ["", f"The ending of the file chooses the format. All of `{command} -o ...`:", ""]
    for name, meaning in FORMATS.items():
        _written(command, folder / name, run)
        lines.append(f"- [{name}]({folder.name}/{name}): {meaning}")
    return lines


def _written(command: str, path: Path, run: Callable[[str], str]) -> None:
    # Named as a reader would name it: the report says how it was made.
    with tempfile.TemporaryDirectory() as scratch:
        wanted = Path(scratch) / path.name
        printed = run(f"{command} -o {wanted} -q")
        if not wanted.exists():
            raise SystemExit(f"{command} wrote no {path.name}:\n{printed}")
        path.write_text(wanted.read_text(encoding="utf-8").replace(f"{scratch}/", ""), encoding="utf-8")
