"""How a result was made: which verb, told what, on which data. nofluke.call writes it down again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nofluke.types.base import Value


@dataclass(frozen=True, slots=True)
class Origin(Value):
    """Where data were read: the function of the library that read them, and everything it was told.

    `reader` is read, score, from_statistics, read_p_values, read_ratings or example; synthesize trains its systems, and
    datasets are tables that are read one by one. `given` is what was typed instead of a file: p-values, four counts
    (reader counts), the name of an example. `systems` names what each of the `files`, or of p-values by name (reader
    p_values), belongs to; "" where the file itself says it. `beside` are tables that a command read beside the data, by
    its options.
    """

    reader: str
    files: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    metric: str = ""
    gold: tuple[str, ...] = ()
    formula: str = ""
    given: tuple[str, ...] = ()
    beside: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call(Value):
    """A verb, its options by the names of Python (only what is not the default), and the data it was given.

    `data` is what the verb takes: a "pair" or "unpaired" sample of scores, which `selection` chooses, all "scores",
    "p_values" or "ratings", "columns" of numbers, the two "systems" of a gate in the same files; "" where there
    are no data. `origin` is known to whoever read files. `unwritten` names options whose values nobody can write down:
    tables and functions of the user's own.
    """

    verb: str
    options: Mapping[str, Any] = field(default_factory=dict)
    data: str = ""
    selection: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin | None = None
    unwritten: tuple[str, ...] = ()
