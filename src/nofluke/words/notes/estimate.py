"""Notes of one system's own score."""

from __future__ import annotations

from nofluke.words.notes import Sayings

ESTIMATE: Sayings = {
    "one_unit": "There is no interval: a single {unit} has no spread, and the score or a part of it rests on one.",
    "no_spread": "There is no interval: every {unit} has the same score, so nothing says how far it may be off.",
}
