"""Millions of labels in little more memory than their text; as strings of Python they take ten times as much."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import overload

_SEPARATOR = "\0"
_TOGETHER = 4_096
# Whoever asks for so many single labels asks for more: then all are taken apart for good.
_OFTEN = 1_000


class Labels(Sequence[str]):
    """A sequence of labels that are joined in blocks, and taken apart when they are asked for.

    >>> labels = Labels([["q1", "q2"], ["q3"]])
    >>> len(labels), labels[-1], labels == ("q1", "q2", "q3")
    (3, 'q3', True)
    """

    def __init__(self, parts: Iterable[Sequence[str]]) -> None:
        self._blocks: list[str | tuple[str, ...]] = []
        self._number = self._asked = 0
        self._apart: tuple[str, ...] | None = None
        rest: Sequence[str] = ()
        for part in parts:
            labels = [*rest, *part]
            whole = len(labels) - len(labels) % _TOGETHER
            self._add(labels[:whole])
            rest = labels[whole:]
        self._add(rest)

    def _add(self, labels: Sequence[str]) -> None:
        self._number += len(labels)
        for start in range(0, len(labels), _TOGETHER):
            block = labels[start : start + _TOGETHER]
            text = _SEPARATOR.join(block)
            # Labels that hold the separator themselves stay as they are.
            self._blocks.append(text if text.count(_SEPARATOR) == len(block) - 1 else tuple(block))

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(map(_apart, self._blocks)) if self._apart is None else iter(self._apart)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self._some(range(*place.indices(self._number))))
        self._asked += 1
        if self._apart is None and self._asked > _OFTEN:
            self._apart = tuple(self)
        if self._apart is not None:
            return self._apart[place]
        block, within = divmod(range(self._number)[operator.index(place)], _TOGETHER)
        return _apart(self._blocks[block])[within]

    def _some(self, places: Iterable[int]) -> Iterator[str]:
        """Take apart only the blocks that hold these places: a look at the first ones is no asking for all."""
        for block, within in groupby(places, key=lambda place: place // _TOGETHER):
            labels = _apart(self._blocks[block])
            yield from (labels[place % _TOGETHER] for place in within)

    def __contains__(self, label: object) -> bool:
        return any(label in _apart(block) for block in self._blocks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | Labels):
            return NotImplemented
        return len(self) == len(other) and all(map(operator.eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))


def _apart(block: str | tuple[str, ...]) -> Sequence[str]:
    return block.split(_SEPARATOR) if isinstance(block, str) else block
