"""Exact distributions and reproducible resampling: the arithmetic under every permutation and bootstrap."""
