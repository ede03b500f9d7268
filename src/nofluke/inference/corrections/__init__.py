"""Corrections for many tests, one method a file; importing this registers them."""

from nofluke.inference.corrections import (
    bh,
    bky,
    bonferroni,
    by,
    hochberg,
    holm,
    holm_sidak,
    hommel,
    sidak,
    storey,
)
