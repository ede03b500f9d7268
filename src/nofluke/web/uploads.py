"""Taking files from a client: streamed to disk, counted, never named by the client."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from starlette.datastructures import UploadFile

from nofluke.errors import InputError
from nofluke.web.readable import refuse_bytes, refuse_unreadable
from nofluke.web.safety import Limits
from nofluke.web.store import Store, Upload, named_uploads, new_id

_LONGEST_NAME = 120
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
        refuse_unreadable(path, readable_name(name))
        return store.add_upload(identifier, readable_name(name), size, digest.hexdigest())
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
