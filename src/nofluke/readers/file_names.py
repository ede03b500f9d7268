"""What systems are called when only their files name them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

_PACKED = (".gz", ".bz2", ".xz", ".zst")


class AfterFile(str):
    """The name of a system that only its file gives: where the file is a table, it may hold systems of other names."""

    __slots__ = ()


def stem_of(file: str) -> str:
    """Give a file's name without folder, packing and ending; numbers after a dot belong to the name.

    >>> stem_of("runs/llama-3.1.txt"), stem_of("llama-3.1"), stem_of("KIT.4950.de.gz"), stem_of(".hidden")
    ('llama-3.1', 'llama-3.1', 'KIT.4950', '.hidden')
    """
    name = PurePath(file).name
    for packing in _PACKED:
        name = name.removesuffix(packing) or name
    start, _, ending = name.rpartition(".")
    return start if start and not ending.isdecimal() else name


def names_of(files: Sequence[str]) -> list[str]:
    """Name systems after their files: by their stems, or by as much more as tells them apart, in the order given.

    >>> names_of(["hyp1.txt", "hyp2.txt"]), names_of(["m.v1.txt", "m.v2.txt"]), names_of(["a.txt", "a.csv"])
    (['hyp1', 'hyp2'], ['m.v1', 'm.v2'], ['a.txt', 'a.csv'])
    >>> names_of(["new/test.txt", "old/test.txt"])
    ['new/test', 'old/test']
    """
    for names in (
        [stem_of(file) for file in files],
        [PurePath(file).name for file in files],
        [f"{PurePath(file).parent.name}/{stem_of(file)}" for file in files],
    ):
        if len(set(names)) == len(names):
            return names
    return list(files)
