"""A file that is no text is refused where it comes in, in words; no page shows what is in it."""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import struct
import zipfile
import zlib

import httpx
import pytest

from nofluke.errors import InputError
from nofluke.web.store import new_id
from nofluke.web.uploads import is_garbage, refuse_bytes
from web.conftest import Server

HTML = {"Accept": "text/html"}


def picture() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0)
    pixels = zlib.compress(random.Random(1).randbytes(9 * 28))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def document() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", "<w:t>0.5, 0.6</w:t>" * 50)
    return file.getvalue()


def without(forbidden: bytes, size: int) -> bytes:
    return random.Random(2).randbytes(size).translate(None, forbidden)


UNREADABLE = {
    "picture.png": picture(),
    "paper.docx": document(),
    "random.csv": random.Random(3).randbytes(5_000),
    "no_nul.csv": without(b"\0", 700),
    "high.csv": bytes(128 + byte % 128 for byte in random.Random(4).randbytes(700)),
    "packed.csv.gz": gzip.compress(picture()),
    "utf16.csv": "a,b\n1,2\n".encode("utf-16"),
    "latin.csv": "item,A,B\nGrüße,1,2\n".encode("latin-1"),
    "low.csv": bytes(byte % 128 for byte in without(b"\0\x80", 4_000)),
}
ODD = frozenset(chr(code) for code in (*range(9), *range(14, 27), *range(28, 32), 127, 0xFFFD))


def shows_no_bytes(page: str) -> bool:
    return not ODD & set(page) and "\\x" not in page and "IHDR" not in page


@pytest.mark.parametrize("name", UNREADABLE)
def test_the_api_refuses_it_and_keeps_nothing(client: httpx.Client, server: Server, name: str) -> None:
    before = set((server.folder / "uploads").iterdir())
    answer = client.post("/api/uploads", files={"file": (name, UNREADABLE[name])})
    assert answer.status_code == 422
    said = answer.json()["errors"][0]
    assert said["message"]
    assert said["fix"]
    assert said["where"].startswith(name)
    assert shows_no_bytes(answer.text)
    assert set((server.folder / "uploads").iterdir()) == before


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("path", ["/", "/compare", "/rank", "/agree", "/replicate"])
def test_every_form_says_so_instead_of_showing_it(client: httpx.Client, path: str, name: str) -> None:
    answer = client.post(path, files={"file": (name, UNREADABLE[name])}, headers=HTML)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert name in answer.text
    assert "Still here" not in answer.text
    assert shows_no_bytes(answer.text)


def test_gold_answers_are_looked_at_too(client: httpx.Client) -> None:
    sent = [("file", ("a.txt", b"x\ny\n")), ("gold", ("gold.png", picture()))]
    answer = client.post("/compare", data={"score_by": "accuracy"}, files=sent, headers=HTML)
    assert answer.status_code == 422
    assert "a picture" in answer.text


@pytest.mark.parametrize("path", ["/", "/compare", "/rank", "/agree", "/replicate"])
@pytest.mark.parametrize("name", ["picture.png", "random.csv", "low.csv"])
def test_pasted_bytes_are_not_pasted_back(client: httpx.Client, path: str, name: str) -> None:
    text = UNREADABLE[name].decode("utf-8", "replace")
    answer = client.post(path, data={"text": text, "way": "pasted"}, headers=HTML)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert shows_no_bytes(answer.text)
    body = {"data": {"files": [{"text": text}]}}
    assert "binary" in client.post("/api/compare", json=body).json()["errors"][0]["message"]


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_kept_file_of_that_kind_shows_no_bytes(client: httpx.Client, server: Server, name: str) -> None:
    """As an earlier version may have left it: the file is there, and a comparison of it begun."""
    store, identifier, content = server.app.state.context.store, new_id(), UNREADABLE[name]
    store.path_of(identifier).write_bytes(content)
    store.add_upload(identifier, name, len(content), hashlib.sha256(content).hexdigest())
    answer = client.post("/", data={"kept_files": identifier}, headers=HTML, follow_redirects=True)
    assert "This cannot be read" in answer.text
    assert name in answer.text
    assert 'name="role"' not in answer.text
    assert shows_no_bytes(answer.text)


@pytest.mark.parametrize(
    "text",
    ["a,b\n0.5,0.6\n", "", "項目,甲\n" * 30_000, "é" * 40_000, "x\x1b[0m\ttext\f\n", "one \x00"[:4], "a � b\n" * 1],
)
def test_text_is_text(text: str) -> None:
    refuse_bytes(text.encode()[: 2**16], "x")
    assert not is_garbage(text)


def test_a_letter_that_is_wrong_is_found_by_its_line() -> None:
    with pytest.raises(InputError) as caught:
        refuse_bytes("a,b\nü,1\n".encode("latin-1"), "x.csv")
    assert caught.value.where == "x.csv line 2"
    assert "UTF-8" in caught.value.advice()
