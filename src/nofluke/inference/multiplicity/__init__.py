"""Many tests at once: corrections, combinations and counts of effects; importing this registers them."""

from nofluke.inference.multiplicity import combinations, corrections
