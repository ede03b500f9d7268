"""Word alignments: Pharaoh lines (0-0 1-2, 1p3 or 1?3 for possible) and NAACL rows (sentence source target S|P)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines, Texts, read_lines
from nofluke.types import Note, note

Link = tuple[int, int]
_PHARAOH = re.compile(r"([0-9]+)([-p?])([0-9]+)(?::\S+)?")
_NAACL = re.compile(r"([0-9]+)\s+([0-9]+)\s+([0-9]+)(?:\s+([SPsp]))?(?:\s+[0-9.eE+-]+)?")


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one sentence, counted from 0: the sure ones, and all (possible, with the sure); link -> its line."""

    sure: frozenset[Link]
    possible: frozenset[Link]
    lines: dict[Link, int]


@dataclass(frozen=True, slots=True)
class Alignments:
    """Links by sentence number, from 1; `count` is the number of sentences where the file tells it (Pharaoh)."""

    source: Lines
    links: dict[int, Links]
    count: int | None
    notes: tuple[Note, ...]

    def of(self, sentence: int) -> Links:
        """Give the links of a sentence; one that is not in the file has none."""
        return self.links.get(sentence, Links(frozenset(), frozenset(), {}))


class _Collector:
    """Gathers links sentence by sentence."""

    def __init__(self, lines: Lines, base: int, reverse: bool) -> None:
        self.lines, self.base, self.reverse = lines, base, reverse
        self.sure: dict[int, set[Link]] = {}
        self.places: dict[int, dict[Link, int]] = {}
        self.repeated = 0
        self.empty = 0

    def add(self, sentence: int, pair: tuple[str, str], sure: bool, index: int) -> None:
        """Add one link as it is written."""
        source, target = (int(position) - self.base for position in pair)
        places = self.places.setdefault(sentence, {})
        if min(source, target) < 0:
            # Position 0 of NAACL rows, which count from 1, is the empty word.
            self.empty += 1
            return
        link = (target, source) if self.reverse else (source, target)
        self.repeated += link in places
        places.setdefault(link, index)
        if sure:
            self.sure.setdefault(sentence, set()).add(link)

    def done(self, count: int | None) -> Alignments:
        """Give all links."""
        notes: tuple[Note, ...] = ()
        if self.repeated:
            notes += (note("metric.repeated_links", file=self.lines.name, links=self.repeated),)
        if self.empty:
            notes += (note("metric.empty_links", file=self.lines.name, links=self.empty),)
        links = {
            sentence: Links(frozenset(self.sure.get(sentence, ())), frozenset(places), places)
            for sentence, places in self.places.items()
        }
        return Alignments(self.lines, links, count, notes)


def read_alignments(source: Texts, base: int | None, reverse: bool, name: str) -> Alignments:
    """Read links in either format; base 0 for Pharaoh and 1 for NAACL unless it is given."""
    lines = read_lines(source, name)
    if base not in (None, 0, 1):
        raise InputError(f"positions cannot begin at {base}.", fix="give base 0 or 1.")
    if not lines.lines:
        raise InputError("there are no alignments.", where=lines.name, fix="give one line per sentence.")
    first = next((line.strip() for line in lines.lines if line.strip()), "")
    if _NAACL.fullmatch(first):
        return _naacl(lines, 1 if base is None else base, reverse)
    return _pharaoh(lines, base or 0, reverse)


def _pharaoh(lines: Lines, base: int, reverse: bool) -> Alignments:
    found = _Collector(lines, base, reverse)
    for index, line in enumerate(lines.lines):
        found.places[index + 1] = {}
        for piece in line.split():
            match = _PHARAOH.fullmatch(piece)
            if match is None:
                raise InputError(
                    f"{piece!r} is not a link.",
                    where=lines.where(index),
                    fix="write links as 0-2, or 0p2 for possible ones (Pharaoh), or as rows 1 3 4 S (NAACL).",
                )
            if base > min(int(match[1]), int(match[3])):
                raise InputError(
                    f"link {piece} has position 0, where positions begin at 1.",
                    where=lines.where(index),
                    fix="give base 0 (base for outputs, gold_base for gold).",
                )
            found.add(index + 1, (match[1], match[3]), match[2] == "-", index)
    return found.done(len(lines))


def _naacl(lines: Lines, base: int, reverse: bool) -> Alignments:
    found = _Collector(lines, base, reverse)
    for index, line in enumerate(lines.lines):
        if not line.strip():
            continue
        match = _NAACL.fullmatch(line.strip())
        if match is None or int(match[1]) < 1:
            raise InputError(
                f"{line.strip()!r} is not a link.",
                where=lines.where(index),
                fix="write rows of sentence, source and target position, each from 1, and S or P.",
            )
        found.add(int(match[1]), (match[2], match[3]), (match[4] or "S") in "Ss", index)
    return found.done(None)


def read_lengths(source: str, name: str) -> list[Link]:
    """Give the numbers of source and target words from lines of 'source ||| target'."""
    lines = read_lines(source, name)
    lengths = []
    for index, line in enumerate(lines.lines):
        sides = line.split("|||")
        if len(sides) != 2:
            raise InputError(
                "the line is not 'source ||| target'.", where=lines.where(index), fix="put ||| between the two texts."
            )
        lengths.append((len(sides[0].split()), len(sides[1].split())))
    return lengths
