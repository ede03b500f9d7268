"""What replicate is made of: p-values as given, p-values from scores, several metrics."""
