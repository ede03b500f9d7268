"""Which systems came out of resampled training sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nofluke.noting import called
from nofluke.studies.recording import recorded
from nofluke.studies.synthesize.study import Recipe, recipe_of
from nofluke.types import Scores, Series, Study, frozen
from nofluke.verbs.score import system_scores

Row = dict[str, Any]


@called("studies.synthesized", "models", "scores")
def synthesized(scores: Scores, settings: Mapping[str, Any] | None = None) -> Study:
    """Which systems came out, and do the models overlap enough that small gains occur between them?"""
    values, made = system_scores(scores), {name: recipe_of(name) for name in scores.systems}
    rows = _rows(values, made)
    models, sizes = (tuple(dict.fromkeys(row[column] for row in rows)) for column in ("model", "training size"))
    metric, number, items = scores.metrics[0], len(scores.systems), len(scores.item.labels)
    return recorded(
        "synthesize",
        {"models": models, "sizes": sizes, "metric": metric, **dict(settings or {}), "systems": number, "items": items},
        tables={"systems": {column: tuple(row[column] for row in rows) for column in rows[0]}},
        series={"systems": _points(values, made)},
        charts=("training_sizes",),
        notes=scores.notes,
        citations=("Berg-Kirkpatrick et al. 2012",),
    )


def _points(values: Mapping[str, float], made: Mapping[str, Recipe]) -> Series:
    """Give every system as a point: its training size and its score."""
    return Series(
        "systems",
        {
            "training size": frozen([float(recipe.size) for recipe in made.values()]),
            "score": frozen([values[name] for name in made]),
        },
        {"model": tuple(recipe.model for recipe in made.values()), "system": tuple(made)},
    )


def _rows(values: Mapping[str, float], made: Mapping[str, Recipe]) -> list[Row]:
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
