"""Experiments as reusable functions."""

from nofluke.studies.audit import audit
from nofluke.studies.by_test_size import by_test_size
from nofluke.studies.calibration import calibration
from nofluke.studies.digits_example import synthesize_digits
from nofluke.studies.domain import domain
from nofluke.studies.gains import gains
from nofluke.studies.multiplicity import multiplicity
from nofluke.studies.sample_size_study import sample_size_study
from nofluke.studies.similarity import similarity
from nofluke.studies.simulated import simulate_scores
from nofluke.studies.synthesize import groups_of, synthesize
from nofluke.studies.synthesize_command import synthesize_command
from nofluke.studies.synthesized_systems import synthesized

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
