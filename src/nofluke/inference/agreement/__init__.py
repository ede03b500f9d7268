"""Agreement of annotators, one coefficient a file; importing this room registers them all."""

from nofluke.inference.agreement import (  # noqa: I001 (the order in which they are listed)
    observed_agreement,
    cohen_kappa,
    scott_pi,
    fleiss_kappa,
    conger_kappa,
    light_kappa,
    krippendorff_alpha,
    gwet_ac1,
    gwet_ac2,
    brennan_prediger,
)
