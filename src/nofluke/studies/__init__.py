"""Experiments as reusable functions; each is loaded when it is asked for, and no module has the name of one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nofluke.studies.audit_study import audit
    from nofluke.studies.calibration_study import calibration
    from nofluke.studies.digits_example import synthesize_digits
    from nofluke.studies.multiplicity_study import multiplicity
    from nofluke.studies.pairs.by_test_size import by_test_size
    from nofluke.studies.pairs.domain import domain
    from nofluke.studies.pairs.gains import gains
    from nofluke.studies.pairs.similarity import similarity
    from nofluke.studies.sample_size import sample_size_study
    from nofluke.studies.simulated import simulate_scores
    from nofluke.studies.synthesis import groups_of, synthesize, synthesized
    from nofluke.studies.training_command import synthesize_command

_MODULES = {
    "audit": "audit_study",
    "by_test_size": "pairs.by_test_size",
    "calibration": "calibration_study",
    "domain": "pairs.domain",
    "gains": "pairs.gains",
    "groups_of": "synthesis",
    "multiplicity": "multiplicity_study",
    "sample_size_study": "sample_size",
    "similarity": "pairs.similarity",
    "simulate_scores": "simulated",
    "synthesize": "synthesis",
    "synthesize_command": "training_command",
    "synthesize_digits": "digits_example",
    "synthesized": "synthesis",
}
__all__ = [
    "audit",
    "by_test_size",
    "calibration",
    "domain",
    "gains",
    "groups_of",
    "multiplicity",
    "sample_size_study",
    "similarity",
    "simulate_scores",
    "synthesize",
    "synthesize_command",
    "synthesize_digits",
    "synthesized",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'nofluke.studies' has no attribute {name!r}")
    return getattr(import_module(f"nofluke.studies.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
