"""Is system A really better than system B, or was it a fluke?

Public names are imported on first use, so that `import nofluke` loads nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC = {
    "read": "nofluke.verbs.read",
    "correlation_test": "nofluke.verbs.correlation_test",
    "describe": "nofluke.verbs.describe",
    "recommend": "nofluke.verbs.recommend",
    "test": "nofluke.verbs.test",
    "effect": "nofluke.verbs.effect",
    "compare": "nofluke.verbs.compare",
    "methods": "nofluke.verbs.methods",
    "sample_from_counts": "nofluke.align",
    "score": "nofluke.verbs.score",
    "report": "nofluke.reports",
    "Scores": "nofluke.types",
    "Sample": "nofluke.types",
    "InputError": "nofluke.errors",
    "MethodError": "nofluke.errors",
    "MissingExtra": "nofluke.errors",
    "NoflukeError": "nofluke.errors",
}

__all__ = [
    "InputError",
    "MethodError",
    "MissingExtra",
    "NoflukeError",
    "Sample",
    "Scores",
    "__version__",
    "compare",
    "correlation_test",
    "describe",
    "effect",
    "methods",
    "read",
    "recommend",
    "report",
    "sample_from_counts",
    "score",
    "test",
]

if TYPE_CHECKING:
    from nofluke.align import sample_from_counts
    from nofluke.errors import InputError, MethodError, MissingExtra, NoflukeError
    from nofluke.reports import report
    from nofluke.types import Sample, Scores
    from nofluke.verbs.compare import compare
    from nofluke.verbs.correlation_test import correlation_test
    from nofluke.verbs.describe import describe
    from nofluke.verbs.effect import effect
    from nofluke.verbs.methods import methods
    from nofluke.verbs.read import read
    from nofluke.verbs.recommend import recommend
    from nofluke.verbs.score import score
    from nofluke.verbs.test import test


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'nofluke' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
