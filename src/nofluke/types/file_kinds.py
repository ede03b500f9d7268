"""What a file is that is not UTF-8 text, by its first bytes, and what to do with it."""

from __future__ import annotations

UTF16_FIX = "save it as UTF-8 (iconv -f UTF-16 -t UTF-8 IN > OUT)."
_UNPACK = "unpack it; files packed with gzip are read as they are."
_EXCEL_FIX = "save the sheet as CSV, or with pandas: read_excel(FILE).to_csv(NEW, index=False)."
_BY_LETTERS = "give UTF-8 text."
# Some of what office documents begin with: all of them are zip archives.
_IN_ARCHIVES = {
    b"xl/": ("an Excel workbook", _EXCEL_FIX),
    b"opendocument.spreadsheet": ("an OpenDocument spreadsheet", _EXCEL_FIX),
    b"word/": ("a Word document", "copy its table into a text file, or save it as CSV."),
}
_ARCHIVE = b"PK\x03\x04"
# What programs pack files with, and documents that hold no text as it is.
_PACKED = {
    _ARCHIVE: ("a zip archive", _UNPACK),
    b"BZh": ("packed with bzip2", _UNPACK),
    b"\xfd7zXZ": ("packed with xz", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", _UNPACK),
    b"7z\xbc\xaf": ("a 7z archive", _UNPACK),
    b"%PDF": ("a PDF document", "copy its table into a text file, or export it as CSV."),
    b"{\\rtf": ("an RTF document", "save it as plain text."),
    b"\xd0\xcf\x11\xe0": ("an Excel or Word document of the old kind", _EXCEL_FIX),
    b"SQLite format 3": (
        "an SQLite database",
        "write its table as CSV: sqlite3 -header -csv FILE 'SELECT * FROM NAME' > NEW.",
    ),
    b"\x93NUMPY": ("a NumPy array", "write it as text: numpy.savetxt(NEW, numpy.load(FILE), delimiter=',')."),
    b"\x89HDF": ("an HDF5 file", "write its table as CSV, with pandas: read_hdf(FILE).to_csv(NEW)."),
    b"ARROW1": ("an Arrow table", "write it as Parquet, with pandas: read_feather(FILE).to_parquet(NEW)."),
    b"\x80\x04\x95": ("a Python pickle", "write it as CSV from the program that made it."),
    b"\x80\x05\x95": ("a Python pickle", "write it as CSV from the program that made it."),
    b"\x89PNG": ("a picture", "give the numbers as text."),
}
_PARQUET = {b"PAR1": ("a Parquet table", "give lines of UTF-8 text, or a CSV or TSV file.")}
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 1 << 12


def packed_kind(data: bytes) -> tuple[str, str] | None:
    """Say what a file of other than text is that no reader takes, and what to do; None for all others."""
    if data.startswith(_ARCHIVE):
        return next((found for mark, found in _IN_ARCHIVES.items() if mark in data[:_LOOKED_AT]), _PACKED[_ARCHIVE])
    return next((found for mark, found in _PACKED.items() if data.startswith(mark)), None)


def not_text(data: bytes) -> tuple[str, str] | None:
    """Say what the bytes are and how to make text of them; None where they may be text in one byte per letter or more.

    >>> not_text(b"\\xfd7zXZ...")
    ('packed with xz', 'unpack it; files packed with gzip are read as they are.')
    >>> not_text("a,b".encode("utf-16-le"))[0], not_text("text".encode())
    ('UTF-16 text', None)
    """
    if data.startswith(_UTF16_MARKS):
        return "UTF-16 text", UTF16_FIX
    found = packed_kind(data) or next((found for mark, found in _PARQUET.items() if data.startswith(mark)), None)
    if found is not None or b"\0" not in data:
        return found
    for first, name in ((1, "LE"), (0, "BE")):
        if _every_other_is_nul(data[:_LOOKED_AT], first):
            return "UTF-16 text", UTF16_FIX.replace("-f UTF-16", f"-f UTF-16{name}")
    return "binary, not text (it holds a NUL byte)", _BY_LETTERS


def _every_other_is_nul(head: bytes, first: int) -> bool:
    """Whether plain letters are written in two bytes each, as UTF-16 has them; single words may be other letters."""
    high, low = head[first::2], head[1 - first :: 2]
    return 10 * high.count(0) >= 9 * len(high) and not low.count(0)
