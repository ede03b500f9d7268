"""All cases together: of the registries, of the verbs, of the docs as they were, and of the real data."""

from __future__ import annotations

from freeze.cases import Cases, docs, methods, real, verbs


def all_cases(commands: list[str], sources: dict[str, str]) -> Cases:
    """Give every case that can be asked; commands and sources are those of the docs."""
    found = {**methods.cases(), **verbs.cases(), **docs.cases(commands, sources)}
    return found | real.cases()
