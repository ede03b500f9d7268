"""Where the app listens, and whom it lets in."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

from fastapi import FastAPI

from nofluke.errors import InputError
from nofluke.web.app import create_app
from nofluke.web.safety import LOOPBACK, Guard
from nofluke.web.store import default_folder


def app_for(host: str, port: int, folder: str | None, workers: int | None) -> tuple[FastAPI, str]:
    """The app and the address to open; beyond this machine a fresh token is part of the address."""
    place = Path(folder) if folder else default_folder()
    if place.exists() and not place.is_dir():
        raise InputError("is not a folder.", where=str(place), fix="name a folder with --folder.")
    local = host in LOOPBACK
    token = "" if local else secrets.token_urlsafe(24)
    names = LOOPBACK if local else LOOPBACK | {host, socket.gethostname(), *_addresses(host)}
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    return create_app(place, workers=workers, guard=Guard(frozenset(names), token)), address


def _addresses(host: str) -> set[str]:
    """All names under which this machine is reached when it listens everywhere."""
    if host not in ("0.0.0.0", "::"):
        return set()
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    except OSError:
        return set()
    return found | {f"[{name}]" for name in found if ":" in name}


def listen(host: str, port: int) -> socket.socket:
    """Take the port now, so that a port in use is said before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise InputError(
            f"cannot listen on {host}:{port}: {error.strerror}.", fix="choose another port with --port."
        ) from None
    return found
