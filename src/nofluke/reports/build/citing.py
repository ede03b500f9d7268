"""Which literature a result rests on: the citations of the methods that were really used."""

from __future__ import annotations

from collections.abc import Iterable

from nofluke.registry import REGISTRIES


def cited(*methods: tuple[str, str]) -> tuple[str, ...]:
    """Give the citations of (kind, name) pairs, each once, in the order of use; unknown names are passed over.

    >>> cited(("test", "sign"), ("effect", "cohens_d"), ("test", "sign"))
    ('Arbuthnot 1710; Dixon and Mood 1946', 'Cohen 1988; Lakens 2013; Bonett 2008')
    """
    found = (REGISTRIES[kind][name].cite for kind, name in methods if kind in REGISTRIES and name in REGISTRIES[kind])
    return tuple(dict.fromkeys(found))


def fields_of(signature: str) -> dict[str, str]:
    """Take a signature apart.

    >>> fields_of("nofluke:0.1.0|test:sign|unit:5:mean|n:9")
    {'nofluke': '0.1.0', 'test': 'sign', 'unit': '5:mean', 'n': '9'}
    """
    parts = (part.partition(":") for part in signature.split("|") if ":" in part)
    return {name: value for name, _, value in parts}


def used_in(signatures: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Give the (kind, name) pairs that signatures name."""
    return tuple(
        (kind, name) for signature in signatures for kind, name in fields_of(signature).items() if kind in REGISTRIES
    )
