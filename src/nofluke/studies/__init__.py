"""Experiments as reusable functions."""

from nofluke.studies.audit import audit
from nofluke.studies.calibration.study import calibration
from nofluke.studies.multiplicity.study import multiplicity
from nofluke.studies.pairs.by_test_size import by_test_size
from nofluke.studies.pairs.domain import domain
from nofluke.studies.pairs.gains import gains
from nofluke.studies.pairs.similarity import similarity
from nofluke.studies.sample_size import sample_size_study
from nofluke.studies.simulated import simulate_scores
from nofluke.studies.synthesize.command import synthesize_command
from nofluke.studies.synthesize.digits import synthesize_digits
from nofluke.studies.synthesize.study import groups_of, synthesize, synthesized

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
