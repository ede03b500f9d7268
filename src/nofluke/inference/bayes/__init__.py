"""Bayesian models, one file each; importing this room registers them."""

from nofluke.inference.bayes import (
    bayes_factor,
    beta_binomial,
    correlated_t,
    dirichlet,
    hierarchical,
    sign,
    signed_rank,
)
