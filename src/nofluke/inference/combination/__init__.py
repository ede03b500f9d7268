"""Combinations of p-values, one method a file; importing this registers them."""

from nofluke.inference.combination import (
    cauchy,
    fisher,
    harmonic_mean,
    mudholkar_george,
    pearson,
    simes,
    stouffer,
    tippett,
)
