"""Whether a file can be text or a table at all, found out before it is kept: no form should be full of bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

from nofluke.errors import InputError
from nofluke.readers.decode import decode, tables_in_words
from nofluke.readers.given import HEAD_BYTES, Given
from nofluke.readers.sniff import is_marked
from nofluke.types.file_kinds import not_text

# Control characters that no text needs, and what takes the place of bytes that were no text when they were pasted.
_ODD = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b") + b"\x7f"
_REPLACED = "\ufffd".encode()
_MOST_ODD = 0.02


def refuse_unreadable(path: Path, name: str) -> None:
    """Refuse a file whose beginning, unpacked, is neither text nor that of a format with a mark of its own."""
    given = Given(name, path=path)
    head = given.head()
    # Within gzip, what a zip archive holds could not be measured before it is read.
    packed_twice = head.startswith(b"PK") and given.is_packed()
    if is_marked(head) is None or packed_twice:
        refuse_bytes(head, name)


def refuse_bytes(head: bytes, name: str) -> None:
    """Refuse what does not begin like text in UTF-8."""
    found = not_text(head)
    if found is not None:
        raise InputError(f"the file is {found[0]}.", where=name, fix=found[1])
    if is_garbage(head):
        raise InputError("the file is binary, not text.", where=name, fix=f"give {tables_in_words()}, in UTF-8.")
    try:
        codecs.getincrementaldecoder("utf-8-sig")().decode(head)  # the last letter may be cut
    except UnicodeDecodeError:
        decode(head, name)


def is_garbage(text: str | bytes) -> bool:
    """Whether bytes, or a text that was made of bytes, hold more odd characters than any text."""
    head = (text[:HEAD_BYTES].encode("utf-8", "replace") if isinstance(text, str) else text)[:HEAD_BYTES]
    odd = len(head) - len(head.translate(None, _ODD)) + head.count(_REPLACED)
    return odd > max(1.0, _MOST_ODD * len(head))
