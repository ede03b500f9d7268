"""methods: what can nofluke do?"""

from __future__ import annotations

from nofluke.registry import REGISTRIES, Method


def methods(kind: str | None = None) -> dict[str, tuple[Method, ...]]:
    """Which methods are there, by kind, with their options, null hypothesis and source?

    >>> import nofluke as nf
    >>> "paired_t" in [method.name for method in nf.methods()["test"]]
    True
    """
    from nofluke.errors import unknown

    if kind is not None and kind not in REGISTRIES:
        raise unknown("kind of method", kind, REGISTRIES)
    kinds = REGISTRIES if kind is None else (kind,)
    return {name: tuple(REGISTRIES[name]) for name in kinds}
