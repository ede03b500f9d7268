"""Several files under one system's name are its runs, one each: new=seed1.csv new=seed2.csv old=seed1.csv ..."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from nofluke.errors import By, Fix, InputError, named_as
from nofluke.readers.assemble import Part
from nofluke.readers.file_names import names_of
from nofluke.readers.given import Given
from nofluke.readers.naming import constant


def with_runs(files: Sequence[Given], parts: list[Part]) -> list[Part]:
    """Name the run of every file where a system was given several of them; files of one name by chance are refused."""
    numbers = Counter(given.own for given in files)
    several = [name for name, number in numbers.items() if number > 1]
    if not several:
        return parts
    if any(given.system is None for given in files if given.own in several):
        raise InputError(
            f"two files would both be the system {several[0]!r}.",
            where=" and ".join(given.name for given in files[:2]) + (" ..." if len(files) > 2 else ""),
            fix=Fix("name the systems", By(": {name: path, ...}", ": NAME=FILE for each file"), "."),
        )
    if any("run" in part.axes for part in parts):
        raise InputError(
            f"the system {several[0]!r} has several files, and their runs have a column too.",
            where=files[0].name,
            fix=Fix("put the runs into one file for each system, or skip the column: ", named_as(ignore="NAME"), "."),
        )
    named: dict[int, str] = {}
    for name in numbers:
        own = [at for at, given in enumerate(files) if given.own == name]
        named |= dict(zip(own, names_of([files[at].name for at in own]), strict=True))
    return [
        replace(part, axes={**part.axes, "run": constant(named[at], len(part.statistics))})
        for at, part in enumerate(parts)
    ]
