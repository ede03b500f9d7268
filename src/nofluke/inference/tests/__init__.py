"""Significance tests: one file each; importing this room registers them all."""

from nofluke.inference.tests import (
    bootstrap,
    bootstrap_median,
    bounded_mean,
    chi_square,
    corrected_resampled_t,
    crossed_runs,
    mann_whitney,
    mcnemar,
    mover,
    one_lost_item,
    paired_t,
    permutation,
    sign,
    stratified_t,
    student_t,
    tango,
    welch_t,
    wilcoxon,
)
