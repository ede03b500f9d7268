"""Tests of one correlation and of two dependent ones; importing this registers them."""

from nofluke.inference.correlation import association, dependent
