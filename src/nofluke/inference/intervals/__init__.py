"""Confidence intervals, by what they are of; those that one effect alone uses stand beside it."""
