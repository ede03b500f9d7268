"""Tails of smooth metrics: the exact tail of their tangent, and draws where the two disagree."""
