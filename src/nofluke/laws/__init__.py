"""Distributions and tails that SciPy lacks, or loses digits on."""
