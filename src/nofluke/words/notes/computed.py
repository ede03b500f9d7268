"""Which way a p-value was computed: the end of a sentence about it, in lower case."""

from __future__ import annotations

from nofluke.words.notes import Sayings

# The engine's names of its ways.
_PATHS = {
    "support": "read off the range of possible sums",
    "binomial": "from the binomial distribution",
    "mixture": "from a mixture of binomial distributions",
    "enumeration": "by counting all patterns",
    "counting": "by counting all patterns",
    "dynamic programming": "by counting all patterns",
    "lattice": "by Fourier inversion",
    "inversion": "by Fourier inversion",
    "saddlepoint": "by a saddlepoint approximation",
}


SAYINGS: Sayings = {
    "path": lambda path: _PATHS.get(path, f"by {path}"),
    "normal": "by the normal approximation",
    "normal_ties": "by the normal approximation, corrected for ties",
    "score": "by the score test",
    "unconditional": "unconditionally, over all tables ordered by the score statistic",
    "slides": "by the formula of the slides",
    "few_behind_score": "a score that rests on so few items allows no smaller p-value",
    "exceedances": "{hits:draw} as extreme as the data",
    "linear": "linear part {p:.3g}, corrected by {disagreements:draw} that differ",
}
