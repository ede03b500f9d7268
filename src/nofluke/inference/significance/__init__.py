"""Significance tests: one file each; importing this room registers them all."""

from nofluke.inference.significance import paired_t, permutation, sign

__all__ = ["paired_t", "permutation", "sign"]
