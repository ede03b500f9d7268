"""File formats of outputs and gold: one file per format, each with errors that name file and line."""
