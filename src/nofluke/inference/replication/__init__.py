"""Replicability analysis: on how many datasets does a claim hold, on which, and what may be said about it."""
