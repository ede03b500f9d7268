"""Logs of evaluation harnesses: found in files and folders, named, checked against each other, and made one Scores."""
