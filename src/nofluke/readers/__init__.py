"""Files and frames to Scores, ratings, outputs and p-values: formats/ has one module per format, sniff.py chooses."""
