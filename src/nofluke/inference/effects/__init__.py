"""Effect sizes: one index per file; importing this room registers them all."""

from nofluke.inference.effects import (
    a12,
    cliffs_delta,
    cohens_d,
    hedges_g,
    hodges_lehmann,
    mean_difference,
    odds_ratio,
    probability_of_superiority,
    rank_biserial,
    wilcoxon_r,
)
