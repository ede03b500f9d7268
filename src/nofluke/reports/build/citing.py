"""Which literature a result rests on: the citations of the methods that were really used."""

from __future__ import annotations

from collections.abc import Iterable

from nofluke.registry import REGISTRIES


def cited(*methods: tuple[str, str] | tuple[str, str, str]) -> tuple[str, ...]:
    """Give the citations of (kind, name) or (kind, name, signature), each once, in the order of use.

    The signature says which options were used, and with them which literature. Unknown names are passed over.

    >>> cited(("test", "mcnemar"), ("test", "mcnemar", "nofluke:0.1.0|test:mcnemar|mode:midp|n:9"))
    ('McNemar 1947', 'McNemar 1947; Fagerland, Lydersen and Laake 2013')
    """
    found = (
        REGISTRIES[kind][name].cited(fields_of("".join(signature)))
        for kind, name, *signature in methods
        if kind in REGISTRIES and name in REGISTRIES[kind]
    )
    return tuple(dict.fromkeys(found))


def fields_of(signature: str) -> dict[str, str]:
    """Take a signature apart.

    >>> fields_of("nofluke:0.1.0|test:sign|unit:5:mean|n:9")
    {'nofluke': '0.1.0', 'test': 'sign', 'unit': '5:mean', 'n': '9'}
    """
    parts = (part.partition(":") for part in signature.split("|") if ":" in part)
    return {name: value for name, _, value in parts}


def used_in(signatures: Iterable[str]) -> tuple[tuple[str, str, str], ...]:
    """Give the methods that signatures name, as (kind, name, signature)."""
    return tuple(
        (kind, name, signature)
        for signature in signatures
        for kind, name in fields_of(signature).items()
        if kind in REGISTRIES
    )
