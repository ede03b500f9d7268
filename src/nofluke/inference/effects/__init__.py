"""Effect sizes; importing this room registers them all."""

from nofluke.inference.effects import (  # noqa: I001 (the order in which they are listed)
    dominance,
    cohens_d,
    hedges_g,
    hodges_lehmann,
    mean_difference,
    odds_ratio,
    probability_of_superiority,
    signed_ranks,
)
