"""What is remarkable about the scores themselves."""

from __future__ import annotations

from nofluke.words.notes import Sayings

SAYINGS: Sayings = {
    "close_scores_tie": lambda step: (
        f"Scores have more digits than floating point keeps exactly; differences below {step:.1g} count as ties."
    ),
    "same_scores": "{a} and {b} have the same score on every item.",
}
