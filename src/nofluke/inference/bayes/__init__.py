"""Bayesian answers, one model a file."""
