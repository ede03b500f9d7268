"""Tests of all systems at once; importing this registers them."""

from nofluke.inference.omnibus import tests
