"""Which systems came out of resampled training sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.studies.recording import signature_of
from nofluke.studies.synthesize.study import recipe_of
from nofluke.types import Scores, Study
from nofluke.verbs.score import system_scores

Row = dict[str, Any]


def synthesized(scores: Scores, settings: Mapping[str, Any] | None = None) -> Study:
    """Which systems came out, and do the models overlap enough that small gains occur between them?"""
    rows = _rows(scores)
    models = tuple(dict.fromkeys(row["model"] for row in rows))
    kept = {
        "models": models,
        **dict(settings or {}),
        "systems": len(scores.systems),
        "items": len(scores.item.labels),
    }
    return Study(
        name="synthesize",
        title="Synthesized systems",
        question="Which systems come out of resampled training sets?",
        settings=kept,
        tables={"systems": {column: tuple(row[column] for row in rows) for column in rows[0]}},
        series={},
        charts=(),
        headline=f"{kept['systems']} systems were made from {len(models)} models and tested on "
        f"{kept['items']:,} items.",
        sentences=(_overlap(rows, models),) if len(models) > 1 else (),
        notes=(
            *scores.notes,
            "systems that differ in their training sample only stand very roughly for the small changes of a line of "
            "research (Berg-Kirkpatrick et al. 2012, section 3.2.1).",
        ),
        citations=("Berg-Kirkpatrick et al. 2012",),
        signature=signature_of("synthesize", kept),
        captions={
            "systems": f"Synthesized systems and their scores ({scores.metrics[0]}), by model and training size."
        },
    )


def _rows(scores: Scores) -> list[Row]:
    values = system_scores(scores)
    made = {name: recipe_of(name) for name in scores.systems}
    rows: list[Row] = []
    for model, size in dict.fromkeys((recipe.model, recipe.size) for recipe in made.values()):
        part = [values[name] for name, recipe in made.items() if (recipe.model, recipe.size) == (model, size)]
        rows.append(
            {
                "model": model,
                "training size": size,
                "systems": len(part),
                "lowest": min(part),
                "mean": float(np.mean(part)),
                "highest": max(part),
            }
        )
    return rows


def _overlap(rows: Sequence[Row], models: Sequence[str]) -> str:
    """Whether all models share a range of scores; only then do small gains occur between any two of them."""
    low = max(min(row["lowest"] for row in rows if row["model"] == model) for model in models)
    high = min(max(row["highest"] for row in rows if row["model"] == model) for model in models)
    if low < high:
        return f"The models overlap between {low:.4g} and {high:.4g}, so small gains occur between all of them."
    return "The models do not all overlap, so some pairs of models show no small gain; change the training sizes."
