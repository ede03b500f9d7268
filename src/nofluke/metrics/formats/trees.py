"""Bracketed constituency trees, one per line: their words with tags, and their labelled brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines

_PIECE = re.compile(r"[()]|[^\s()]+")
_TRACE = "-NONE-"


@dataclass(frozen=True, slots=True)
class Bracket:
    """A constituent: its label as written, its first word, and the word after its last; traces are no words."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The words and their tags, without traces, and all brackets above the tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    brackets: tuple[Bracket, ...]


def read_trees(lines: Lines) -> tuple[Tree, ...]:
    """Read one tree per line; a blank line is a tree without words."""
    return tuple(parse_tree(line, lines.where(index)) for index, line in enumerate(lines.lines))


def parse_tree(line: str, where: str) -> Tree:
    """Read one bracketed tree, such as (S (NP (NNP Mia)) (VP (VBZ sleeps))).

    >>> tree = parse_tree("(S (NP (-NONE- *)) (VP (VB Go)))", "line 1")
    >>> tree.words, [(b.label, b.start, b.end) for b in tree.brackets]
    (('Go',), [('S', 0, 1), ('NP', 0, 0), ('VP', 0, 1)])
    """
    words: list[str] = []
    tags: list[str] = []
    brackets: list[tuple[str, int, int]] = []
    open_at: list[int] = []
    pieces = _PIECE.findall(line)
    at = 0
    while at < len(pieces):
        if pieces[at] == "(":
            if not open_at and at:
                raise _broken("a second tree begins after the first has closed", where, "give one tree per line.")
            label = pieces[at + 1] if pieces[at + 1 : at + 2] not in ([], ["("], [")"]) else ""
            at += 2 if label else 1
            if label and pieces[at + 1 : at + 2] == [")"] and pieces[at] not in "()":
                if label != _TRACE:
                    words.append(pieces[at])
                    tags.append(label)
                at += 2
                continue
            open_at.append(len(brackets))
            brackets.append((label, len(words), -1))
        elif pieces[at] == ")":
            if not open_at:
                raise _broken("a ) closes nothing", where, "remove it, or add the missing (.")
            index = open_at.pop()
            brackets[index] = (*brackets[index][:2], len(words))
            at += 1
        else:
            raise _broken(f"{pieces[at]!r} has no tag", where, "write every word as (TAG word); a ( in text is -LRB-.")
    if open_at:
        count = f"{len(open_at)} brackets are" if len(open_at) > 1 else "1 bracket is"
        raise _broken(f"the tree does not close: {count} still open at the end", where, "give one whole tree per line.")
    return Tree(tuple(words), tuple(tags), tuple(Bracket(*bracket) for bracket in brackets))


def _broken(message: str, where: str, fix: str) -> InputError:
    return InputError(f"{message}.", where=where, fix=fix)
