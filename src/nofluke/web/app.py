"""The app: API and pages behind one guard, workers that start and stop with it, and the address it is served at."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from nofluke import __version__
from nofluke.cluster import LOCAL, crew_at
from nofluke.errors import InputError, NoflukeError
from nofluke.web import api, api_page, drop, help_pages, history, item_pages, planning, results, tools
from nofluke.web.context import PATIENCE, Context
from nofluke.web.guard import LOOPBACK, Guard
from nofluke.web.jobs import Jobs
from nofluke.web.memory import share_of_machine
from nofluke.web.rendering import failure
from nofluke.web.safety import SEND_LESS, BodyLimit, HeadAsGet, Limits, SpeaksToItsReader
from nofluke.web.store import FULL, Store, cannot_open, default_folder
from nofluke.web.uploads import TooLargeError

_LOG = logging.getLogger(__name__)
_TIDY_EVERY = 3_600.0  # seconds


def create_app(
    folder: Path | None = None,
    *,
    workers: int | None = None,
    guard: Guard | None = None,
    limits: Limits | None = None,
    store: Store | None = None,
    patience: float = PATIENCE,
    cluster: str | None = None,
) -> FastAPI:
    """Build the app on a data folder, or on a store already opened; nothing is written outside it."""
    number = max(2, os.cpu_count() or 1) if workers is None else workers
    allowed = limits or Limits(memory=share_of_machine(number))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        opened = store or Store(folder or default_folder())
        jobs = Jobs(opened, number, allowed, cluster)
        tidying = asyncio.create_task(_tidy(opened))
        try:
            jobs.start()
            app.state.context = Context(opened, jobs, allowed, patience)
            yield
        finally:
            tidying.cancel()
            jobs.stop()
            opened.close()

    app = FastAPI(
        title="nofluke",
        version=__version__,
        summary="Is system A really better than system B, or was it a fluke?",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.store = store
    app.add_middleware(BodyLimit, limits=allowed)
    app.middleware("http")(guard or Guard())
    app.add_middleware(HeadAsGet)
    app.add_middleware(SpeaksToItsReader)
    for room in (api, drop, api_page, help_pages, tools, planning, results, item_pages, history):
        app.include_router(room.router)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(NoflukeError, _refused)
    app.add_exception_handler(OSError, _not_kept)
    app.add_exception_handler(sqlite3.OperationalError, _not_kept)
    app.add_exception_handler(Exception, _unexpected)
    return app


async def _tidy(store: Store) -> None:
    """A server may run for months: what nothing uses goes while it runs, too."""
    while True:
        await asyncio.sleep(_TIDY_EVERY)
        try:
            await asyncio.to_thread(store.tidy)
        except (OSError, sqlite3.Error):
            _LOG.exception("the data folder could not be tidied")


async def _bad_request(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0] if error.errors() else {}
    where = ".".join(str(part) for part in first.get("loc", ()))
    return failure(request, 422, f"{first.get('msg', 'the request is not valid')}.", where=where, fix="see /docs.")


async def _http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    said = {404: "there is nothing here.", 405: "this cannot be done here."}.get(error.status_code, str(error.detail))
    fix = {400: "send it again, or less of it; /docs says what is taken.", 413: SEND_LESS}.get(error.status_code)
    return failure(request, error.status_code, said, fix=fix or "start at /, or see /docs for the API.")


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, NoflukeError):
        raise error
    return failure(request, 413 if isinstance(error, TooLargeError) else 422, **error.to_dict("page"))


async def _not_kept(request: Request, error: Exception) -> Response:
    """A full disk is nobody's mistake in here; every other error of the system is one."""
    if not isinstance(error, sqlite3.OperationalError) and getattr(error, "errno", None) not in FULL:
        raise error
    _LOG.error("%s", error, exc_info=error)
    return failure(request, 507, f"this could not be kept: {error}.", fix="make room on the disk, and try again.")


async def _unexpected(request: Request, _error: Exception) -> Response:
    return failure(request, 500, "something went wrong inside.", fix="report this, with what you did.")


def app_for(
    host: str,
    port: int,
    folder: str | None,
    workers: int | None,
    memory: float | None = None,
    cluster: str | None = None,
) -> tuple[FastAPI, str]:
    """The app and the address to open; beyond this machine a fresh token is part of the address."""
    place = Path(folder) if folder else default_folder()
    if place.exists() and not place.is_dir():
        raise InputError("is not a folder.", where=str(place), fix="name a folder with --folder.")
    if cluster is not None:
        _refuse_cluster(cluster)
    token = "" if host in LOOPBACK else secrets.token_urlsafe(24)
    reached = _reached(host)
    shown = f"[{reached}]" if ":" in reached else reached
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    limits = Limits(memory=int(memory * 2**30)) if memory is not None else None
    ready, guard = _ready(place), Guard(token=token)
    return create_app(workers=workers, guard=guard, limits=limits, store=ready, cluster=cluster), address


def _refuse_cluster(address: str) -> None:
    """Say now what is wrong with a cluster, before a server starts."""
    if address == LOCAL:
        raise InputError(
            "the app starts no cluster of its own.",
            fix="start one with `dask scheduler`, and give --cluster its address.",
        )
    crew_at(address).close()


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
