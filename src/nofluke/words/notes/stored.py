"""Sentences of results that an older nofluke stored as text."""

from nofluke.words.notes import Sayings

SAYINGS: Sayings = {"text": lambda text: str(text)}
