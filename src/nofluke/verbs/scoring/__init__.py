"""The parts of score."""
