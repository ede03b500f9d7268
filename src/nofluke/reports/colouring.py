"""A is blue and B orange wherever two systems are compared: which name is which, in tables and in sentences."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from nofluke.words.layout import visible


def role_of(name: str, systems: tuple[str, ...]) -> str:
    """Give A or B for one of two systems, and nothing for any other name."""
    return {0: "A", 1: "B"}[systems.index(name)] if len(systems) == 2 and name in systems else ""


def coloured(text: str, systems: tuple[str, ...]) -> Markup:
    """Colour the names of A and B in a sentence; single small letters could be any word and stay plain."""
    names = [name for name in systems if len(systems) == 2 and (len(name) > 1 or name.isupper())]
    if not names:
        return escape(visible(text))
    longest_first = sorted(names, key=len, reverse=True)
    found = re.split("(" + "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first) + ")", text)
    parts = [
        Markup('<span class="{}">{}</span>').format(role_of(part, systems), visible(part))
        if part in names
        else escape(visible(part))
        for part in found
    ]
    return Markup("").join(parts)
