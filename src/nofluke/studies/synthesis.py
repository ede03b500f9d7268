"""Many systems from few: every model is trained on resampled training sets (Berg-Kirkpatrick et al. 2012, 3.2.1)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from nofluke.check import check_count
from nofluke.engine.randomness import SYNTHESIZE, Stream
from nofluke.errors import InputError
from nofluke.executors import ordered, using
from nofluke.noting import called
from nofluke.options import Opt
from nofluke.types import MEAN, Axis, FloatArray, IntArray, Scores, Series, Source, Study, frozen, note

Progress = Callable[[int, int], None] | None
ItemScores = Callable[[Any, Any], Sequence[float]]

Row = dict[str, Any]
# What a command line may say of the systems, whatever makes them.
Sizes = Annotated[
    Sequence[int] | None, Opt("Sizes of the training sets with commas between them. Default: the full size.")
]
Systems = Annotated[
    int | Sequence[int] | None, Opt("Systems of each model and size (one number, or one for each size).")
]
Seed = Annotated[int, Opt("Seed of the resampled training sets.")]
SYSTEMS = 10


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one system is made: its model, and which resampled training set of which size it sees."""

    model: str
    size: int
    number: int

    @property
    def name(self) -> str:
        """The name of the system; recipe_of reads it again."""
        return f"{self.model} {self.size} #{self.number}"


def recipe_of(name: str) -> Recipe:
    """Read the recipe from the name of a synthesized system.

    >>> recipe_of("nearest neighbours 600 #2")
    Recipe(model='nearest neighbours', size=600, number=2)
    """
    parts = name.rsplit(" ", 2)
    if len(parts) == 3 and parts[1].isdecimal() and parts[2].startswith("#") and parts[2][1:].isdecimal():
        return Recipe(parts[0], int(parts[1]), int(parts[2][1:]))
    raise InputError(f"{name!r} is no synthesized system.", fix="such systems are called MODEL SIZE #NUMBER.")


def groups_of(scores: Scores) -> dict[str, str]:
    """Give the model that each system was made from: what `gains` calls its group."""
    return {name: recipe_of(name).model for name in scores.systems}


def recipes(models: Sequence[str], sizes: Sequence[int], systems: int | Sequence[int]) -> list[Recipe]:
    """All systems: for every size so many resampled training sets, each seen by every model."""
    numbers = [check_count(size, "training size", 1, 100_000_000) for size in sizes]
    if not models or not numbers or len(set(numbers)) != len(numbers):
        raise InputError("no models, no training sizes, or a size named twice.", fix="name models and different sizes.")
    each = [systems] * len(numbers) if isinstance(systems, int) else list(systems)
    if len(each) != len(numbers):
        raise InputError(
            f"{len(each)} numbers of systems were given for {len(numbers)} training sizes.", fix="give one for each."
        )
    wanted = [(size, check_count(count, "systems", 1, 10_000)) for size, count in zip(numbers, each, strict=True)]
    return [Recipe(model, size, number + 1) for model in models for size, count in wanted for number in range(count)]


def resampled_rows(recipe: Recipe, rows: int, seed: int) -> IntArray:
    """The rows of the training set, drawn with replacement; all models see the same ones."""
    return Stream(seed, SYNTHESIZE, recipe.size * 2**20 + recipe.number).indices(recipe.size, rows)


def training_seed(seed: int, number: int) -> int:
    """Give the seed that system `number` (from 1) trains with: another one for each, and for each seed of the study.

    >>> training_seed(0, 1), training_seed(1, 1)
    (1, 1000004)
    """
    return (seed * 1_000_003 + number) % 2**32


def synthesize(
    models: Mapping[str, Any],
    train: tuple[Any, Any],
    test: tuple[Any, Any],
    *,
    sizes: Sequence[int] | None = None,
    systems: int | Sequence[int] = SYSTEMS,
    score: ItemScores | None = None,
    metric: str = "correct",
    higher_is_better: bool = True,
    seed: int = 0,
    progress: Progress = None,
    executor: Any = None,
) -> Scores:
    """What would many systems score that differ in their model, their training data, and chance in training?

    `models` are {name: estimator}, anything with fit(X, y) and predict(X); `train` and `test` are (X, y). For each of
    `sizes` (default: the training set's own) `systems` training sets are drawn with replacement, and every model is
    trained on each. `score(y, predicted)` gives the scores of the items (default: 1 where they are equal, 0 elsewhere).
    An estimator with a random_state gets one of its own, fixed by `seed`. `executor` says who trains, as in `compare`.
    The result goes into `gains`, `calibration` and `rank`.

    >>> class Majority:
    ...     def fit(self, X, y): self.answer = max(set(y), key=list(y).count)
    ...     def predict(self, X): return [self.answer] * len(X)
    >>> scores = synthesize({"majority": Majority()}, ([[0]] * 9, [0, 1, 1] * 3), ([[0]] * 4, [1, 1, 0, 1]), systems=2)
    >>> scores.systems
    ('majority 9 #1', 'majority 9 #2')
    """
    x, y = (_as_rows(part) for part in train)
    x_test, y_test = (_as_rows(part) for part in test)
    for first, second, what in ((x, y, "training"), (x_test, y_test, "test")):
        if len(first) != len(second) or not len(first):
            raise InputError(
                f"the {what} set has {len(first)} inputs and {len(second)} answers.", fix="give one answer an input."
            )
    _check_models(models)
    plan = recipes(list(models), [len(y)] if sizes is None else sizes, systems)
    training = _Training(models, (x, y), (x_test, y_test), _equal if score is None else score, seed)
    with using(executor):
        columns = list(ordered(_trained, training, list(enumerate(plan, start=1)), progress, must_travel=True))
    return scores_of(plan, np.stack(columns, axis=1), metric, seed, higher_is_better=higher_is_better)


@dataclass(frozen=True, slots=True, eq=False)
class _Training:
    """What all systems are trained and scored with."""

    models: Mapping[str, Any]
    train: tuple[Any, Any]
    test: tuple[Any, Any]
    score: Callable[[Any, Any], Any]
    seed: int


def _trained(training: _Training, numbered: tuple[int, Recipe]) -> FloatArray:
    """Train one system, and score its items."""
    (number, recipe), (x, y), (x_test, y_test) = numbered, training.train, training.test
    rows = resampled_rows(recipe, len(y), training.seed)
    model = _fresh(training.models[recipe.model], training_seed(training.seed, number))
    model.fit(x[rows], y[rows])
    return _checked(training.score(y_test, model.predict(x_test)), recipe, len(y_test))


def _check_models(models: Mapping[str, Any]) -> None:
    for name, model in models.items():
        lacking = [method for method in ("fit", "predict") if not callable(getattr(model, method, None))]
        if lacking:
            raise InputError(
                f"the model {name!r}, a {type(model).__name__}, has no {lacking[0]}.",
                fix="give estimators with fit(X, y) and predict(X).",
            )


def _as_rows(part: Any) -> Any:
    """Give something that an array of indices picks rows from; sparse matrices and arrays do already."""
    return part if hasattr(part, "shape") and not hasattr(part, "columns") else np.asarray(part)


def _fresh(model: Any, seed: int) -> Any:
    fresh = copy.deepcopy(model)
    if hasattr(fresh, "get_params") and "random_state" in fresh.get_params():
        fresh.set_params(random_state=seed)
    return fresh


def _equal(answers: Any, predicted: Any) -> FloatArray:
    if np.shape(predicted) != np.shape(answers):
        # One answer for all would be compared with every item.
        raise InputError(
            f"predict gave answers of shape {np.shape(predicted)}, and those of the test set are {np.shape(answers)}.",
            fix="predict one answer for each test item, or give a score function.",
        )
    equal: FloatArray = (np.asarray(answers) == np.asarray(predicted)).astype(np.float64)
    return equal


def _checked(values: Any, recipe: Recipe, items: int) -> FloatArray:
    column = np.asarray(values, dtype=np.float64)
    if column.shape != (items,) or not np.isfinite(column).all():
        raise InputError(
            f"{recipe.name!r} was given scores of shape {column.shape}, and there are {items:,} items.",
            fix="the score function gives one finite number for each item.",
        )
    return column


def scores_of(plan: Sequence[Recipe], table: FloatArray, metric: str, seed: int, *, higher_is_better: bool) -> Scores:
    """Make the table of scores of (items, systems) values."""
    items, systems = table.shape
    zeros: npt.NDArray[np.int64] = np.zeros(items * systems, np.int64)
    return Scores(
        statistics=frozen(table.reshape(-1, 1)),
        item=Axis(tuple(str(i + 1) for i in range(items)), frozen(np.repeat(np.arange(items), systems), np.int64)),
        system=Axis(tuple(recipe.name for recipe in plan), frozen(np.tile(np.arange(systems), items), np.int64)),
        dataset=Axis(("test",), frozen(zeros, np.int64)),
        metric=Axis((metric,), frozen(zeros, np.int64)),
        run=None,
        cluster=None,
        higher_is_better={metric: higher_is_better},
        aggregates={metric: MEAN},
        ids_given=True,
        digits=12,
        lines=None,
        sources=(Source("synthesized systems", f"training sets resampled with seed {seed}", items * systems),),
        notes=(note("study.synthesized"),),
    )


@called("studies.synthesized", "models", "scores")
def synthesized(scores: Scores, settings: Mapping[str, Any] | None = None) -> Study:
    """Which systems came out, and do the models overlap enough that small gains occur between them?"""
    from nofluke.studies.recording import recorded
    from nofluke.verbs.score import system_scores

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
