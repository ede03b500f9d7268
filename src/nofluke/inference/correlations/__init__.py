"""Tests of two correlations with the same gold standard: one file each; importing this room registers them all."""

from nofluke.inference.correlations import hittner, meng, steiger, williams
