"""Spans from tags: what counts as a span in IOB1, IOB2, IOBES and BILOU, strictly or as conlleval reads any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.errors import InputError
from nofluke.metrics.formats.conll_tags import TaggedFile

Span = tuple[str, int, int]
Tag = tuple[str, str]
OUTSIDE: Tag = ("O", "")
_PREFIXES = {"iob1": "IOB", "iob2": "IOB", "iobes": "IOBES", "bilou": "IOBLU", "lenient": "IOBESLU"}
# BILOU writes L (last) and U (unit) for what IOBES calls E (end) and S (single).
_AS_IOBES = {"L": "E", "U": "S"}


@dataclass(frozen=True, slots=True)
class SentenceSpans:
    """The spans (type, first token, token after the last) of a sentence, and the first token that is in none."""

    spans: frozenset[Span]
    stray: int | None


def file_spans(file: TaggedFile, scheme: str) -> tuple[SentenceSpans, ...]:
    """Give the spans of every sentence; `scheme` is iob1, iob2, iobes or bilou (strict), or lenient."""
    known: dict[str, Tag | None] = {}
    sentences = []
    for number, sentence in enumerate(file.sentences):
        tags = []
        for token, text in enumerate(sentence.tags):
            if text not in known:
                known[text] = parse_tag(text, scheme)
            tag = known[text]
            if tag is None:
                raise InputError(
                    f"{text!r} is not a tag of {scheme if scheme != 'lenient' else 'any known scheme'}.",
                    where=file.where(number, token),
                    fix=f"tags are O or a letter of {', '.join(_PREFIXES[scheme].replace('O', ''))} and a type (B-PER);"
                    " check the scheme and the column.",
                )
            tags.append(tag)
        sentences.append(lenient_spans(tags) if scheme == "lenient" else strict_spans(tags, scheme))
    return tuple(sentences)


def parse_tag(text: str, scheme: str) -> Tag | None:
    """Split a tag into prefix and type, BILOU written as IOBES; None where the scheme has no such tag."""
    if text == "O":
        return OUTSIDE
    prefix, dash, kind = text.partition("-")
    if prefix == "O" or len(prefix) != 1 or prefix not in _PREFIXES[scheme] or bool(dash) != bool(kind):
        return None
    return _AS_IOBES.get(prefix, prefix), kind or "_"


def lenient_spans(tags: Sequence[Tag]) -> SentenceSpans:
    """Read tags as conlleval does: a span goes on from B or I to I or E of its type; anything else begins one.

    >>> sorted(lenient_spans([("I", "PER"), ("I", "PER"), ("I", "LOC"), ("O", "")]).spans)
    [('LOC', 2, 3), ('PER', 0, 2)]
    """
    spans: set[Span] = set()
    start = 0
    previous = OUTSIDE
    for position, tag in enumerate((*tags, OUTSIDE)):
        goes_on = previous[0] in "BI" and tag[0] in "IE" and previous[1] == tag[1]
        if not goes_on:
            if previous != OUTSIDE:
                spans.add((previous[1], start, position))
            start = position
        previous = tag
    return SentenceSpans(frozenset(spans), None)


def strict_spans(tags: Sequence[Tag], scheme: str) -> SentenceSpans:
    """Read tags as seqeval's strict mode does: tags that do not make a valid span of the scheme make none.

    >>> strict_spans([("I", "PER"), ("B", "PER"), ("I", "PER")], "iob2")
    SentenceSpans(spans=frozenset({('PER', 1, 3)}), stray=0)
    """
    ended = (*tags, OUTSIDE)
    spans: set[Span] = set()
    stray = None
    previous, position = OUTSIDE, 0
    while position < len(tags):
        end = position
        if _begins(previous, ended[position], scheme):
            end = position + 1
            while _goes_on(ended[end - 1], ended[end]):
                end += 1
        if end > position and _is_whole(ended[end - 1], ended[end], scheme):
            spans.add((ended[position][1], position, end))
        elif stray is None and ended[position] != OUTSIDE:
            stray = position
        position = max(end, position + 1)
        previous = ended[position - 1]
    return SentenceSpans(frozenset(spans), stray)


def _begins(previous: Tag, tag: Tag, scheme: str) -> bool:
    if scheme != "iob1":
        return tag[0] in "BS"
    if tag[0] == "I":
        return previous[0] in "OB" or previous[1] != tag[1]
    # IOB1 writes B only to part two neighbours of one type.
    return tag[0] == "B" and previous[0] in "IB" and previous[1] == tag[1]


def _goes_on(previous: Tag, tag: Tag) -> bool:
    return previous[0] in "BI" and tag[0] in "IE" and previous[1] == tag[1]


def _is_whole(last: Tag, after: Tag, scheme: str) -> bool:
    if scheme in ("iobes", "bilou"):
        return last[0] in "ES"
    # seqeval drops an IOB1 span of a single B before a B of another type, which IOB1 does not allow.
    return not (scheme == "iob1" and last[0] == "B" and after[0] == "B" and last[1] != after[1])
