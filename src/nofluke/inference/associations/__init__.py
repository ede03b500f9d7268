"""Tests of one correlation: is there any? One file each; importing this room registers them all."""

from nofluke.inference.associations import kendall, pearson, spearman
