"""What systems are called when only their files name them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath


def names_of(files: Sequence[str]) -> list[str]:
    """Name systems after their files: by as much of each name as tells them apart, in the order given.

    >>> names_of(["hyp1.txt", "hyp2.txt"]), names_of(["m.v1.txt", "m.v2.txt"]), names_of(["a.txt", "a.csv"])
    (['hyp1', 'hyp2'], ['m.v1', 'm.v2'], ['a.txt', 'a.csv'])
    >>> names_of(["new/test.txt", "old/test.txt"])
    ['new/test', 'old/test']
    """
    for names in _longer_and_longer([PurePath(file) for file in files]):
        if len(set(names)) == len(names):
            return names
    return list(files)


def _longer_and_longer(paths: Sequence[PurePath]) -> Iterator[list[str]]:
    parts = max((path.name.count(".") for path in paths), default=0) + 1
    for kept in range(1, parts + 1):
        yield [_start(path.name, kept) for path in paths]
    yield [f"{path.parent.name}/{_start(path.name, 1)}" for path in paths]


def _start(name: str, kept: int) -> str:
    """The name up to its kept-th dot; a name that begins with a dot has nothing before it."""
    return ".".join(name.split(".")[:kept]) or name
