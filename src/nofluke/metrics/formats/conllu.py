"""Dependency trees in CoNLL-U and CoNLL-X: ten columns between tabs, a blank line after each sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nofluke.errors import Fix, InputError, Option
from nofluke.metrics.texts import Lines, Texts, read_lines
from nofluke.types.base import counted

# Columns as in CoNLL-U; CoNLL-X calls UPOS and XPOS CPOSTAG and POSTAG.
_ID, _FORM, _LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL = range(8)
_SENT_ID = "sent_id"
_NEW_DOCUMENT = ("newdoc id", "newdoc")


@dataclass(frozen=True, slots=True)
class Word:
    """One syntactic word and its line (from 0); `token` is the multiword token that it is part of: range and form."""

    line: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    relation: str
    token: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of one sentence, without multiword tokens and empty nodes; its name and document, if it has them."""

    words: tuple[Word, ...]
    name: str | None
    document: str = ""


@dataclass(frozen=True, slots=True)
class Treebank:
    """All sentences of one file."""

    source: Lines
    sentences: tuple[Sentence, ...]

    def where(self, word: Word) -> str:
        """Name the place of a word."""
        return self.source.where(word.line)

    def ids(self) -> tuple[str, ...] | None:
        """The sentences' own names, where each has its own."""
        names = [sentence.name for sentence in self.sentences if sentence.name is not None]
        return tuple(names) if len(set(names)) == len(self.sentences) else None

    def documents(self) -> tuple[str, ...] | None:
        """The document of every sentence, where the file marks them (# newdoc)."""
        labels = tuple(sentence.document for sentence in self.sentences)
        return labels if any(labels) else None


def read_treebank(source: Texts, name: str) -> Treebank:
    """Read CoNLL-U or CoNLL-X; empty nodes (1.1) and comments are skipped, ranges (1-2) kept with their words."""
    lines = read_lines(source, name)
    sentences: list[Sentence] = []
    words: list[Word] = []
    title: str | None = None
    document, documents = "", 0
    token, last = ("", ""), 0
    for index, line in enumerate((*lines.lines, "")):
        if not line.strip():
            if words:
                sentences.append(_checked(lines, words, title, document))
            words, title, last = [], None, 0
        elif line.startswith("#") and not words:
            key, _, value = line[1:].partition("=")
            title = value.strip() if key.strip() == _SENT_ID else title
            if key.strip() in _NEW_DOCUMENT:
                documents += 1
                # Two documents of one name stay two.
                document = f"{documents} {value.strip()}".strip()
        elif (found := _range(line)) is not None:
            token, last = found
        elif (word := _word(lines, index, len(words) + 1)) is not None:
            words.append(replace(word, token=token) if len(words) < last else word)
    if not sentences:
        raise InputError("there are no sentences.", where=lines.name, fix="give a CoNLL-U or CoNLL-X file.")
    return Treebank(lines, tuple(sentences))


def _range(line: str) -> tuple[tuple[str, str], int] | None:
    """Read a line such as 1-2: the multiword token, and the number of its last word."""
    identity, _, rest = line.partition("\t")
    last = identity.partition("-")[2]
    return ((identity, rest.partition("\t")[0]), int(last)) if last.isascii() and last.isdigit() else None


def _word(lines: Lines, index: int, number: int) -> Word | None:
    fields = lines.lines[index].split("\t")
    if len(fields) <= _DEPREL:
        raise InputError(
            f"{len(fields)} columns between tabs, where CoNLL-U and CoNLL-X have 10.",
            where=lines.where(index),
            fix="separate the columns with tabs, and put a blank line after each sentence.",
        )
    identity = fields[_ID]
    if "-" in identity or "." in identity:
        return None
    if identity != str(number):
        raise InputError(
            f"word {identity!r} follows word {number - 1}.",
            where=lines.where(index),
            fix="number the words of a sentence from 1, and put a blank line after each sentence.",
        )
    head = fields[_HEAD]
    if not (head.isascii() and head.isdigit()):
        raise InputError(
            f"the head {head!r} is not a word number.", where=lines.where(index), fix="give every word a head, or 0."
        )
    # Spaces in a form do not count as different tokens (conll18_ud_eval).
    form = "".join(fields[_FORM].split())
    return Word(index, form, fields[_LEMMA], fields[_UPOS], fields[_XPOS], fields[_FEATS], int(head), fields[_DEPREL])


def _checked(lines: Lines, words: list[Word], title: str | None, document: str) -> Sentence:
    for word in words:
        if word.head > len(words):
            raise InputError(
                f"the head {word.head} is outside the sentence of {len(words)} words.",
                where=lines.where(word.line),
                fix="give the number of a word of the same sentence, or 0 for the root.",
            )
    return Sentence(tuple(words), title, document)


def require_same_words(output: Treebank, gold: Treebank, *, by_position: bool = False) -> None:
    """Refuse files whose sentences or words differ, at the first place.

    by_position=True lets the words inside a multiword token be spelled differently, where both files have that token.
    """
    fix = "score outputs parsed from gold tokens and sentences, or align them first."
    for number, (ours, theirs) in enumerate(zip(output.sentences, gold.sentences, strict=False), 1):
        for mine, other in zip(ours.words, theirs.words, strict=False):
            same_token = any(mine.token) and mine.token == other.token
            if mine.form != other.form and not (by_position and same_token):
                by_position_instead = Fix(
                    "compare words inside multiword tokens by position: ",
                    Option("metric_option", "words=position"),
                    ".",
                )
                raise InputError(
                    f"the word is {mine.form!r}, and {other.form!r} in {gold.source.name} (line {other.line + 1}).",
                    where=output.where(mine),
                    fix=by_position_instead if same_token else fix,
                )
        if len(ours.words) != len(theirs.words):
            raise InputError(
                f"sentence {number:,} has {len(ours.words)} words, and {len(theirs.words)} in {gold.source.name} "
                f"(line {theirs.words[0].line + 1}).",
                where=output.where(ours.words[0]),
                fix=fix,
            )
    if len(output.sentences) != len(gold.sentences):
        raise InputError(
            f"{counted(len(output.sentences), 'sentence')}, and {gold.source.name} has {len(gold.sentences):,}.",
            where=output.source.name,
            fix=fix,
        )
