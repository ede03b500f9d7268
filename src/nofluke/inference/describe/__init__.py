"""What the data look like: moments, histograms, kind of scores."""
