"""Bytes to text: UTF-8 with or without a byte order mark, and a clear word about anything else."""

from __future__ import annotations

from nofluke.errors import InputError
from nofluke.types.file_kinds import UTF16_FIX, UTF16_MARKS


def decode(data: bytes, name: str) -> str:
    """Give the text of a file; bytes that are not UTF-8 text are refused with their line."""
    if data.startswith(UTF16_MARKS):
        raise InputError("the file is UTF-16 text.", where=name, fix=UTF16_FIX)
    if b"\0" in data:
        raise InputError(
            "the file is binary, not text (it holds a NUL byte).",
            where=f"{name} line {_line_of(data, data.index(0))}",
            fix="give CSV, TSV, JSONL or Parquet; plain text is UTF-8.",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text.",
            where=f"{name} line {_line_of(data, error.start)}",
            fix="save the file as UTF-8 (iconv -f LATIN1 -t UTF-8 IN > OUT).",
        ) from None


def decode_head(head: bytes) -> str:
    """Give the complete lines of a file's first bytes, however they are encoded: only for a look."""
    text = head.decode("utf-8-sig", errors="replace")
    return text if len(head) < 1 << 16 else text[: text.rfind("\n") + 1] or text


def _line_of(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
