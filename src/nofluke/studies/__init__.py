"""Experiments as reusable functions."""

from nofluke.studies.simulated import simulate_scores

__all__ = ["simulate_scores"]
