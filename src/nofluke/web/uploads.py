"""Taking files from a client: streamed to disk, counted, never named by the client, and only what can be read."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile

from nofluke.errors import InputError
from nofluke.readers.decode import decode, tables_in_words
from nofluke.readers.given import HEAD_BYTES, Given
from nofluke.readers.sniff import marked_format
from nofluke.types.file_kinds import not_text
from nofluke.web.safety import Limits
from nofluke.web.store import Store, Upload, named_uploads, new_id

_LONGEST_NAME = 120
_DEEPEST = 8
_BLOCK = 2**20


class TooLargeError(InputError):
    """The client sent more than the server takes."""


async def blocks(file: UploadFile) -> AsyncIterator[bytes]:
    """The content of an upload, piece by piece."""
    while block := await file.read(_BLOCK):
        yield block


async def keep(store: Store, name: str, content: AsyncIterator[bytes], limits: Limits) -> Upload:
    """Write an upload block by block; what is too large or no text is refused and leaves nothing behind."""
    identifier, digest, size = new_id(), hashlib.sha256(), 0
    path = store.path_of(identifier)
    try:
        with path.open("xb") as file:
            async for block in content:
                size += len(block)
                if size > limits.upload_bytes:
                    raise TooLargeError(
                        f"the file is larger than {limits.upload_bytes // 2**20:,} MB.",
                        fix="use the command line, which has no such limit.",
                    )
                digest.update(block)
                file.write(block)
        if not size:
            raise InputError("the file is empty.", fix="choose a file with scores.")
        refuse_unreadable(path, readable_path(name))
        return store.add_upload(identifier, readable_path(name), size, digest.hexdigest())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def keep_text(store: Store, text: str, name: str = "pasted.txt") -> Upload:
    """Keep text that was sent inside a request."""
    content = text.encode("utf-8", "replace")
    if not content.strip():
        raise InputError("the text is empty.", fix="paste a table with scores.")
    refuse_bytes(content, name)
    identifier = new_id()
    path = store.path_of(identifier)
    try:
        path.write_bytes(content)
        return store.add_upload(identifier, name, len(content), hashlib.sha256(content).hexdigest())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def readable_name(name: str) -> str:
    """What the user called the file, without folders and control characters; for showing only."""
    last = re.split(r"[/\\]", name)[-1]
    clean = "".join(character for character in last if character.isprintable()).strip()
    return clean[:_LONGEST_NAME] or "file"


def readable_path(name: str) -> str:
    """A file's name with the folders that it lay in when a folder was dropped; none leads out of it.

    >>> readable_path("runs/base/results.json"), readable_path("../../x"), readable_path("/etc/passwd")
    ('runs/base/results.json', 'x', 'etc/passwd')
    """
    folders = [part for part in re.split(r"[/\\]", name)[:-1] if part.strip(". \0")]
    return "/".join([*map(readable_name, folders[-_DEEPEST:]), readable_name(name)])


def dropped_folders(entries: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> tuple[str, ...]:
    """The folders that were dropped, where all files lay in one: whoever repeats the work gives these."""
    paths = [names.get(entry.get("upload") or "", "") for entry in entries]
    inside = all("/" in path for path in paths) and not any(entry.get("system") for entry in entries)
    return tuple(dict.fromkeys(path.partition("/")[0] for path in paths)) if inside else ()


def file_name(title: str, ending: str) -> str:
    """What a file to take away is called: after what it is about, in letters that every system takes.

    >>> file_name("new against baseline: tie?", "html")
    'nofluke-new-against-baseline-tie.html'
    """
    return "-".join(["nofluke", *re.findall("[a-z0-9]+", title.lower())])[:_LONGEST_NAME] + f".{ending}"


def uploads_of(store: Store, request: Mapping[str, Any]) -> list[Upload]:
    """The files that a request names, as far as they are there."""
    found = (store.upload(identifier) for identifier in sorted(named_uploads(request)))
    return [upload for upload in found if upload is not None]


def shown_names(uploads: Iterable[Upload]) -> dict[str, str]:
    """What files are called where they stand together, by id: as the user called them, numbered where two are alike."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for upload in sorted(uploads, key=lambda one: (one.created, one.id)):
        stem, dot, ending = upload.name.partition(".")
        name, number = upload.name, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}{dot}{ending}"
        found[upload.id] = name
        taken.add(name.casefold())
    return found


def with_text_kept(store: Store, value: Any) -> Any:
    """Replace every {"text": ...} of a request by the upload it becomes."""
    if isinstance(value, dict):
        found = {key: with_text_kept(store, item) for key, item in value.items()}
        if isinstance(found.get("text"), str) and "upload" in found:
            found |= {"upload": keep_text(store, found["text"]).id, "text": None}
        return found
    if isinstance(value, list):
        return [with_text_kept(store, item) for item in value]
    return value


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
    if marked_format(head) is None or packed_twice:
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
