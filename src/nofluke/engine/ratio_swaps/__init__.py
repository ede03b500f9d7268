"""Swapping the outputs of two systems scored by a ratio with own denominators."""
