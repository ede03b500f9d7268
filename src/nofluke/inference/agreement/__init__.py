"""Agreement of annotators; importing this room registers all coefficients."""

from nofluke.inference.agreement import (  # noqa: I001 (the order in which they are listed)
    observed_agreement,
    cohen_kappa,
    scott_fleiss,
    conger_kappa,
    light_kappa,
    krippendorff_alpha,
    guessing,
)
