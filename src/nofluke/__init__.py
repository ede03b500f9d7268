"""Is system A really better than system B, or was it a fluke?

Public names are imported on first use, so that `import nofluke` loads nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PUBLIC = {
    "agree": "nofluke.verbs.agree",
    "read_ratings": "nofluke.readers.ratings",
    "ratings_from_matrix": "nofluke.readers.rating_matrix",
    "read": "nofluke.verbs.read",
    "contents": "nofluke.verbs.contents",
    "keep": "nofluke.readers.formats.kept",
    "bayes": "nofluke.verbs.bayes",
    "correlation": "nofluke.verbs.correlation",
    "correlation_test": "nofluke.verbs.correlation_test",
    "describe": "nofluke.verbs.describe",
    "recommend": "nofluke.verbs.recommend",
    "test": "nofluke.verbs.test",
    "effect": "nofluke.verbs.effect",
    "estimate": "nofluke.verbs.estimate",
    "compare": "nofluke.verbs.compare",
    "gate": "nofluke.verbs.gate",
    "self_check": "nofluke.verbs.self_check",
    "rank": "nofluke.verbs.rank",
    "omnibus": "nofluke.verbs.omnibus",
    "nemenyi": "nofluke.verbs.omnibus",
    "critical_difference": "nofluke.verbs.omnibus",
    "methods": "nofluke.verbs.methods",
    "detectable_effect": "nofluke.verbs.detectable_effect",
    "power": "nofluke.verbs.power",
    "power_curve": "nofluke.verbs.power_curve",
    "sample_size": "nofluke.verbs.sample_size",
    "sample_from_counts": "nofluke.align",
    "score": "nofluke.verbs.score",
    "from_statistics": "nofluke.verbs.score",
    "correct": "nofluke.verbs.correct",
    "combine": "nofluke.verbs.combine",
    "replicate": "nofluke.verbs.replicate",
    "true_discoveries": "nofluke.verbs.true_discoveries",
    "read_p_values": "nofluke.verbs.read_p_values",
    "example": "nofluke.verbs.examples",
    "report": "nofluke.reports",
    "load": "nofluke.reports",
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
    "agree",
    "bayes",
    "combine",
    "compare",
    "contents",
    "correct",
    "correlation",
    "correlation_test",
    "critical_difference",
    "describe",
    "detectable_effect",
    "effect",
    "estimate",
    "example",
    "from_statistics",
    "gate",
    "keep",
    "load",
    "methods",
    "nemenyi",
    "omnibus",
    "power",
    "power_curve",
    "rank",
    "ratings_from_matrix",
    "read",
    "read_p_values",
    "read_ratings",
    "recommend",
    "replicate",
    "report",
    "sample_from_counts",
    "sample_size",
    "score",
    "self_check",
    "studies",
    "test",
    "true_discoveries",
]

if TYPE_CHECKING:
    from nofluke import studies
    from nofluke.align import sample_from_counts
    from nofluke.errors import InputError, MethodError, MissingExtra, NoflukeError
    from nofluke.readers.formats.kept import keep
    from nofluke.readers.rating_matrix import ratings_from_matrix
    from nofluke.readers.ratings import read_ratings
    from nofluke.reports import load, report
    from nofluke.types import Sample, Scores
    from nofluke.verbs.agree import agree
    from nofluke.verbs.bayes import bayes
    from nofluke.verbs.combine import combine
    from nofluke.verbs.compare import compare
    from nofluke.verbs.contents import contents
    from nofluke.verbs.correct import correct
    from nofluke.verbs.correlation import correlation
    from nofluke.verbs.correlation_test import correlation_test
    from nofluke.verbs.describe import describe
    from nofluke.verbs.detectable_effect import detectable_effect
    from nofluke.verbs.effect import effect
    from nofluke.verbs.estimate import estimate
    from nofluke.verbs.examples import example
    from nofluke.verbs.gate import gate
    from nofluke.verbs.methods import methods
    from nofluke.verbs.omnibus import critical_difference, nemenyi, omnibus
    from nofluke.verbs.power import power
    from nofluke.verbs.power_curve import power_curve
    from nofluke.verbs.rank import rank
    from nofluke.verbs.read import read
    from nofluke.verbs.read_p_values import read_p_values
    from nofluke.verbs.recommend import recommend
    from nofluke.verbs.replicate import replicate
    from nofluke.verbs.sample_size import sample_size
    from nofluke.verbs.score import from_statistics, score
    from nofluke.verbs.self_check import self_check
    from nofluke.verbs.test import test
    from nofluke.verbs.true_discoveries import true_discoveries


def __getattr__(name: str) -> Any:
    if name == "studies":
        from importlib import import_module

        return import_module("nofluke.studies")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'nofluke' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
