"""Power and sample size, analytic and by resampling."""
