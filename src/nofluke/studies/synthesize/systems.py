"""Which systems came out of resampled training sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.studies.recording import recorded
from nofluke.studies.synthesize.study import Recipe, recipe_of
from nofluke.types import Scores, Series, Study, frozen
from nofluke.types.base import counted
from nofluke.verbs.score import system_scores

Row = dict[str, Any]


def synthesized(scores: Scores, settings: Mapping[str, Any] | None = None) -> Study:
    """Which systems came out, and do the models overlap enough that small gains occur between them?"""
    values, made = system_scores(scores), {name: recipe_of(name) for name in scores.systems}
    rows = _rows(values, made)
    models, sizes = (tuple(dict.fromkeys(row[column] for row in rows)) for column in ("model", "training size"))
    metric, number, items = scores.metrics[0], len(scores.systems), len(scores.item.labels)
    return recorded(
        "synthesize",
        {"models": models, "sizes": sizes, "metric": metric, **dict(settings or {}), "systems": number, "items": items},
        title="Synthesized systems",
        question="Which systems come out of resampled training sets?",
        tables={"systems": {column: tuple(row[column] for row in rows) for column in rows[0]}},
        series={"systems": _points(values, made)},
        charts=("training_sizes",),
        headline=f"{counted(number, 'system')} {'was' if number == 1 else 'were'} made from "
        f"{counted(len(models), 'model')} and tested on {counted(items, 'item')}.",
        sentences=(_overlap(rows, models),) if len(models) > 1 else (),
        notes=(
            *scores.notes,
            "systems that differ in their training sample only stand very roughly for the small changes of a line of "
            "research (Berg-Kirkpatrick et al. 2012, section 3.2.1).",
        ),
        citations=("Berg-Kirkpatrick et al. 2012",),
        captions={"systems": f"Synthesized systems and their scores ({metric}), by model and training size."},
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


def _overlap(rows: Sequence[Row], models: Sequence[str]) -> str:
    """Whether all models share a range of scores; only then do small gains occur between any two of them."""
    low = max(min(row["lowest"] for row in rows if row["model"] == model) for model in models)
    high = min(max(row["highest"] for row in rows if row["model"] == model) for model in models)
    if low < high:
        return f"The models overlap between {low:.4g} and {high:.4g}, so small gains occur between all of them."
    return "The models do not all overlap, so some pairs of models show no small gain; change the training sizes."
