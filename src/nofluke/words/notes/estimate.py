"""Notes of one system's own score."""

from __future__ import annotations

from nofluke.words.notes import Sayings

ESTIMATE: Sayings = {
    "one_unit": "There is no interval: some dataset has one {unit}, which has no spread.",
    "no_spread": "There is no interval: every {unit} has the same score, so nothing says how far it may be off.",
}
