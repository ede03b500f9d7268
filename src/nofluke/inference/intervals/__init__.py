"""Confidence intervals, one construction per file."""
