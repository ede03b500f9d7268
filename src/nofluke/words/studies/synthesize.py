"""What the study of synthesized systems says: which came out, and whether the models overlap."""

from __future__ import annotations

from typing import Any

from nofluke.types import Study, Table
from nofluke.types.base import counted

TITLE = "Synthesized systems"
QUESTION = "Which systems come out of resampled training sets?"
_ROUGHLY = (
    "Systems that differ only in their training sample stand very roughly for the small changes of a line of research "
    "(Berg-Kirkpatrick et al. 2012, section 3.2.1)."
)


def headline(study: Study) -> str:
    """How many systems there are."""
    systems, models = study.settings["systems"], len(study.settings["models"])
    were = "was" if systems == 1 else "were"
    return (
        f"{counted(systems, 'system')} {were} made from {counted(models, 'model')} and tested on "
        f"{counted(study.settings['items'], 'item')}."
    )


def sentences(study: Study) -> tuple[str, ...]:
    """Whether all models share a range of scores; only then do small gains occur between any two of them."""
    models = study.settings["models"]
    if len(models) < 2:
        return ()
    table: Any = study.tables["systems"]
    rows = list(zip(table["model"], table["lowest"], table["highest"], strict=True))
    low = max(min(lowest for name, lowest, _ in rows if name == model) for model in models)
    high = min(max(highest for name, _, highest in rows if name == model) for model in models)
    if low < high:
        return (f"The models overlap between {low:.4g} and {high:.4g}, so small gains occur between all of them.",)
    return ("The models do not all overlap: some pairs of models show no small gain. Change the training sizes.",)


def remarks(_: Study) -> tuple[str, ...]:
    """What such systems stand for."""
    return (_ROUGHLY,)


def shown(study: Study) -> Table:
    """The scores by model and training size."""
    table: Any = study.tables["systems"]
    columns = tuple(table)
    rows = tuple(
        tuple(
            f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
            for value in row
        )
        for row in zip(*table.values(), strict=True)
    )
    return Table(columns, rows, figures=columns[1:])


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """Whether the models overlap."""
    return tuple(("Overlap", line) for line in sentences(study))


def caveats(_: Study) -> tuple[str, ...]:
    """What such systems stand for, in short."""
    return ("Such systems stand only roughly for the small steps of a line of research.",)


def captions(study: Study) -> dict[str, str]:
    """Say what the table shows."""
    return {
        "systems": f"Synthesized systems and their scores ({study.settings['metric']}), by model and training size."
    }
