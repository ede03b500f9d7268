"""What a file is that is not UTF-8 text, by its bytes, and what to do with it."""

from __future__ import annotations

PACKINGS = {
    b"PK\x03\x04": "a zip archive or an office document",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
    b"\x28\xb5\x2f\xfd": "packed with zstd",
    b"7z\xbc\xaf": "a 7z archive",
    b"%PDF": "a PDF document",
}
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF16_FIX = "save it as UTF-8 (iconv -f UTF-16 -t UTF-8 IN > OUT)."
_TABLES = {b"PAR1": "a Parquet table", b"SQLite format 3": "an SQLite database", b"\x89PNG": "a picture"}


def not_text(data: bytes) -> tuple[str, str] | None:
    """Say what the bytes are and how to make text of them; None where they may be text in one byte per letter or more.

    >>> not_text(b"\\xfd7zXZ...")
    ('packed with xz', 'unpack it; files packed with gzip are read as they are.')
    >>> not_text("text".encode()) is None
    True
    """
    if data.startswith(UTF16_MARKS):
        return "UTF-16 text", UTF16_FIX
    for magic, what in PACKINGS.items():
        if data.startswith(magic):
            return what, "unpack it; files packed with gzip are read as they are."
    for magic, what in _TABLES.items():
        if data.startswith(magic):
            return what, "give lines of UTF-8 text, or a CSV or TSV file."
    if b"\0" in data:
        return "binary, not text (it holds a NUL byte)", f"give UTF-8 text; if it is UTF-16, {UTF16_FIX}"
    return None
