"""What the data look like: moments, histograms, normality, kind of scores."""
