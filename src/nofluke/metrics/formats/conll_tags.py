"""Tagged tokens in columns: one token per line, a blank line after each sentence."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.texts import Lines, Texts, read_lines
from nofluke.types.base import counted

_DOCUMENT = "-DOCSTART-"
# CoNLL-U: ten columns, UPOS is the fourth (from 1); ranges (1-2) and empty nodes (1.1) are no words.
_TREEBANK_WIDTH, _UPOS = 10, 4
_NO_WORD = re.compile(r"[0-9]+[-.][0-9]+")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b")
_SPAN = re.compile(r"[BIESLU]-.+")


@dataclass(frozen=True, slots=True)
class Tagged:
    """The tags of one sentence, their lines (from 0), the words where the file has a first column beside tags, and the
    number of its document: how many -DOCSTART- lines came before.
    """

    tags: tuple[str, ...]
    lines: tuple[int, ...]
    words: tuple[str, ...] | None
    document: int = 0


@dataclass(frozen=True, slots=True)
class TaggedFile:
    """All sentences of one file."""

    source: Lines
    sentences: tuple[Tagged, ...]

    def where(self, sentence: int, token: int) -> str:
        """Name the place of a token."""
        return self.source.where(self.sentences[sentence].lines[token])

    def documents(self) -> tuple[str, ...] | None:
        """The document of every sentence, where the file marks them."""
        numbers = [sentence.document for sentence in self.sentences]
        return tuple(map(str, numbers)) if any(numbers) else None


def read_tagged(source: Texts, column: int, name: str) -> TaggedFile:
    """Read sentences; `column` counts from 1, or back from -1 for the last; lines of -DOCSTART- are no sentences.

    Comments are skipped, and of CoNLL-U also multiword tokens and empty nodes; its last column holds no tags, so there
    -1 stands for UPOS.
    """
    lines = read_lines(source, name)
    if column == 0:
        raise InputError("there is no column 0.", fix="count columns from 1, or back from the last with -1.")
    treebank = _is_treebank(lines)
    column = _UPOS if treebank and column == -1 and not _ends_in_spans(lines) else column
    width = _usual_width(lines)
    sentences: list[Tagged] = []
    rows: list[tuple[int, list[str]]] = []
    document = 0
    for index, line in enumerate((*lines.lines, "")):
        if not rows and line.startswith("#") and len(_split(line)) != width:
            document += _NEW_DOCUMENT.match(line) is not None
        elif line.strip() and not line.startswith(_DOCUMENT):
            if not (treebank and _NO_WORD.fullmatch(line.partition("\t")[0])):
                rows.append((index, _fields(lines, index, column)))
        elif rows:
            sentences.append(_sentence(rows, column, document, 1 if treebank else 0))
            rows = []
        document += line.startswith(_DOCUMENT)
    if not sentences:
        raise InputError("there are no tokens.", where=lines.name, fix="give one token and tag per line.")
    return TaggedFile(lines, tuple(sentences))


def _is_treebank(lines: Lines) -> bool:
    """Whether tokens have the ten columns of CoNLL-U or CoNLL-X, of which the first numbers them."""
    first = next((line for line in lines.lines if line.strip() and not line.startswith("#")), "")
    return len(first.split("\t")) == _TREEBANK_WIDTH and first.startswith(("1\t", "1-"))


def _ends_in_spans(lines: Lines) -> bool:
    last = {line.rpartition("\t")[2].strip() for line in lines.lines if line.count("\t") == _TREEBANK_WIDTH - 1}
    return any(_SPAN.fullmatch(tag) for tag in last) and all(tag in ("O", "_") or _SPAN.fullmatch(tag) for tag in last)


def _usual_width(lines: Lines) -> int:
    widths = Counter(len(_split(line)) for line in lines.lines if line.strip() and not line.startswith("#"))
    return widths.most_common(1)[0][0] if widths else 0


def _split(line: str) -> list[str]:
    # With tabs a token may hold a space; without them any run of spaces separates.
    return [field.strip() for field in line.split("\t")] if "\t" in line else line.split()


def _fields(lines: Lines, index: int, column: int) -> list[str]:
    fields = _split(lines.lines[index])
    position = column - 1 if column > 0 else len(fields) + column
    if not 0 <= position < len(fields):
        raise InputError(
            f"there is no column {column}; the line has {len(fields)}.",
            where=lines.where(index),
            fix="give the column of the tags, counted from 1, or back from the last with -1.",
        )
    if not fields[position]:
        raise InputError("the tag is empty.", where=lines.where(index), fix="give every token a tag; outside is O.")
    return fields


def _sentence(rows: list[tuple[int, list[str]]], column: int, document: int, word: int) -> Tagged:
    tags = tuple(fields[column - 1 if column > 0 else column] for _, fields in rows)
    wide = column != word + 1 and all(len(fields) > word + 1 for _, fields in rows)
    words = tuple(fields[word] for _, fields in rows) if wide else None
    return Tagged(tags, tuple(index for index, _ in rows), words, document)


def require_same_tokens(output: TaggedFile, gold: TaggedFile) -> None:
    """Refuse files whose sentences or tokens differ, at the first place."""
    for number, (ours, theirs) in enumerate(zip(output.sentences, gold.sentences, strict=False), 1):
        if len(ours.tags) != len(theirs.tags):
            raise InputError(
                f"sentence {number:,} has {len(ours.tags)} tokens, and {len(theirs.tags)} in {gold.source.name} "
                f"(line {theirs.lines[0] + 1}).",
                where=output.where(number - 1, 0),
                fix="give both files the same sentences and tokens, with a blank line after each sentence.",
            )
        if ours.words is None or theirs.words is None or ours.words == theirs.words:
            continue
        token = next(i for i, pair in enumerate(zip(ours.words, theirs.words, strict=True)) if pair[0] != pair[1])
        raise InputError(
            f"the token is {ours.words[token]!r}, and {theirs.words[token]!r} in {gold.source.name} "
            f"(line {theirs.lines[token] + 1}).",
            where=output.where(number - 1, token),
            fix="give both files the same sentences and tokens.",
        )
    if len(output.sentences) != len(gold.sentences):
        raise InputError(
            f"{counted(len(output.sentences), 'sentence')}, and {gold.source.name} has {len(gold.sentences):,}.",
            where=output.source.name,
            fix="give both files the same sentences, with a blank line after each.",
        )
