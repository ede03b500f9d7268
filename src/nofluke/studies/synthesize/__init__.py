"""Many systems from resampled training sets."""
