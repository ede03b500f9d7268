"""Where the app listens, and whom it lets in."""

from __future__ import annotations

import contextlib
import secrets
import socket
import sqlite3
from pathlib import Path

from fastapi import FastAPI

from nofluke.errors import InputError
from nofluke.web.app import create_app
from nofluke.web.guard import LOOPBACK, Guard
from nofluke.web.safety import Limits
from nofluke.web.store import Store, cannot_open, default_folder


def app_for(
    host: str, port: int, folder: str | None, workers: int | None, memory: float | None = None
) -> tuple[FastAPI, str]:
    """The app and the address to open; beyond this machine a fresh token is part of the address."""
    place = Path(folder) if folder else default_folder()
    if place.exists() and not place.is_dir():
        raise InputError("is not a folder.", where=str(place), fix="name a folder with --folder.")
    token = "" if host in LOOPBACK else secrets.token_urlsafe(24)
    reached = _reached(host)
    shown = f"[{reached}]" if ":" in reached else reached
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    limits = Limits(memory=int(memory * 2**30)) if memory is not None else None
    return create_app(workers=workers, guard=Guard(token=token), limits=limits, store=_ready(place)), address


def _ready(folder: Path) -> Store:
    """The store of a folder that can be written: what cannot is said now, before a server starts."""
    store = Store(folder)
    try:
        store.take_over()
    except (OSError, sqlite3.Error) as error:
        store.close()
        raise cannot_open(error, folder) from None
    return store


def _reached(host: str) -> str:
    """An address that others can open; one that means "everywhere" cannot be opened anywhere."""
    if host not in ("0.0.0.0", "::"):
        return host
    family = socket.AF_INET6 if host == "::" else socket.AF_INET
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        # Nothing is sent: the machine only says from which of its addresses it would send.
        asking.connect(("2001:db8::1" if host == "::" else "192.0.2.1", 9))
        return str(asking.getsockname()[0])
    return socket.gethostname()


def listen(host: str, port: int) -> socket.socket:
    """Take the port now, so that a port in use is said before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except (OSError, UnicodeError) as error:  # a name that cannot be one of a machine is an error of its letters
        found.close()
        raise InputError(
            f"cannot listen on {host}:{port}: {getattr(error, 'strerror', '') or 'this is no name of a machine'}.",
            fix="choose another one with --host or --port.",
        ) from None
    return found
