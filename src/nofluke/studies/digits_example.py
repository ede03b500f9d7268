"""The bundled example: three kinds of models read handwritten digits, data that ship with scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nofluke.engine.randomness import SYNTHESIZE, Stream
from nofluke.errors import MissingExtra
from nofluke.studies.synthesis import synthesize
from nofluke.types import Scores

TRAINING = 600
SIZES = (600, 300, 150)


def synthesize_digits(
    *,
    sizes: Sequence[int] = SIZES,
    systems: int | Sequence[int] = 6,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    executor: Any = None,
) -> Scores:
    """What do 54 systems score that read handwritten digits: three models, each trained on 18 resampled sets?

    600 of the 1,797 images are for training, the others are the test set; a score is 1 where the digit is right.
    Needs scikit-learn (pip install 'nofluke[studies]'); other versions of it may train slightly other models.
    """
    images, digits = _load()
    order = np.argsort(Stream(0, SYNTHESIZE, 0).words(len(digits)), kind="stable")
    train, test = order[:TRAINING], order[TRAINING:]
    return synthesize(
        _models(),
        (images[train], digits[train]),
        (images[test], digits[test]),
        sizes=sizes,
        systems=systems,
        seed=seed,
        progress=progress,
        executor=executor,
    )


def _load() -> tuple[Any, Any]:
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise MissingExtra("the digits come with scikit-learn.", fix="pip install 'nofluke[studies]'") from None
    images, digits = load_digits(return_X_y=True)
    return images / 16.0, digits


def _models() -> dict[str, Any]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.neighbors import KNeighborsClassifier

    return {
        "nearest neighbours": KNeighborsClassifier(n_neighbors=3),
        "linear discriminant": LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        "extra trees": ExtraTreesClassifier(n_estimators=30),
    }
