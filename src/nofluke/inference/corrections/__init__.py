"""Corrections of p-values for many tests, one method a file."""
