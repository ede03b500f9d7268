"""Notes of the tests of two correlations."""

from nofluke.errors import Fix, Verb
from nofluke.words.notes import Sayings

SAYINGS: Sayings = {
    "for_pearson": Fix(
        "The formula is for Pearson correlations. For rank correlations it is an approximation, and resampling items "
        "is safer: ",
        Verb("compare"),
        ".",
    ),
}
