"""Notes of the tests of two correlations."""

from nofluke.words.notes import Sayings

SAYINGS: Sayings = {
    "for_pearson": "The formula is for Pearson correlations. For rank correlations it is an approximation, and "
    "resampling items (nf.score, then nf.compare) is safer.",
}
