"""Longest common subsequences with one machine word operation per token (Hyyrö 2004), and where they lie."""

from __future__ import annotations

from collections.abc import Sequence


def _rows(reference: Sequence[str], candidate: Sequence[str]) -> list[int]:
    """Give a bit row per prefix of the reference: bit j is 0 where the length grows at candidate position j + 1."""
    full = (1 << len(candidate)) - 1
    places: dict[str, int] = {}
    for index, token in enumerate(candidate):
        places[token] = places.get(token, 0) | (1 << index)
    row = full
    rows = [row]
    for token in reference:
        hits = row & places.get(token, 0)
        row = ((row + hits) | (row - hits)) & full
        rows.append(row)
    return rows


def common_length(reference: Sequence[str], candidate: Sequence[str]) -> int:
    """Give the length of the longest common subsequence.

    >>> common_length("a b c d".split(), "b x d".split())
    2
    """
    return len(candidate) - _rows(reference, candidate)[-1].bit_count()


def common_places(reference: Sequence[str], candidate: Sequence[str]) -> list[int]:
    """Give the positions in the reference of one longest common subsequence, last first.

    Among several longest ones it reads the table from its end and prefers the shorter reference, as ROUGE does: the
    union over sentences in ROUGE-Lsum depends on that choice.
    """
    rows = _rows(reference, candidate)

    def length(i: int, j: int) -> int:
        return j - (rows[i] & ((1 << j) - 1)).bit_count()

    i, j = len(reference), len(candidate)
    places = []
    while i > 0 and j > 0:
        if reference[i - 1] == candidate[j - 1]:
            places.append(i - 1)
            i, j = i - 1, j - 1
        elif length(i, j - 1) > length(i - 1, j):
            j -= 1
        else:
            i -= 1
    return places
