"""The public functions, one verb one file."""
