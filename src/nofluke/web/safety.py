"""Safe by default: how much a client may send, what a page may load, and the one shape of every error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nofluke.errors import speaking_on

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# A report brings its own drawing code, so it is read in a room of its own: a sandbox without the app's origin, from
# which nothing of the app can be read or asked. The page itself narrows its scripts further, to those that it names.
REPORT_HEADERS = {
    "Content-Security-Policy": (
        "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    # Browsers refuse a page that asks for a sandbox and for an opener of its own origin: it has no origin. The sandbox
    # keeps it apart from whoever opened it.
    "Cross-Origin-Opener-Policy": "unsafe-none",
}
SEND_LESS = "send less, or use the command line, which has no such limit."


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request may bring, and how many bytes of memory its job may take; None is no limit."""

    upload_bytes: int = 300 * 2**20
    body_bytes: int = 20 * 2**20
    rows: int = 5_000_000
    expanded_bytes: int = 2**30
    line_bytes: int = 8 * 2**20
    systems: int = 1_000
    memory: int | None = None


class BodyLimit:
    """Counts what a client sends, also where it does not say how much that will be."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through as long as its body is within the limits."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        most = self.limits.body_bytes
        if headers.get(b"content-type", b"").lower().startswith(b"multipart/form-data"):
            most += self.limits.upload_bytes
        said = headers.get(b"content-length", b"").strip()
        if said.isdigit() and int(said[:20]) > most:
            await error_response(413, _larger_than(most), fix=SEND_LESS)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                # An error of HTTP, as the framework takes any other one for a body that is no JSON.
                raise HTTPException(413, _larger_than(most))
            return message

        await self.app(scope, counted, send)


class HeadAsGet:
    """Answers HEAD as GET without the body: who only asks whether a page is there gets its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app see a GET, and send what it answers without its content."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def headers_only(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, headers_only)


class SpeaksToItsReader:
    """Words options as fields for who looks at a page, as Python's keywords for programs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Choose the words before anything is said."""
        path, wanted = scope.get("path", ""), dict(scope.get("headers", ())).get(b"accept", b"")
        for_programs = path.startswith("/api/") or path.endswith(".json") or wanted.startswith(b"application/json")
        with speaking_on("python" if for_programs else "page"):
            await self.app(scope, receive, send)


def _larger_than(most: int) -> str:
    return f"the request is larger than {most // 2**20:,} MB."


def error_response(status: int, message: str, *, where: str = "", fix: str = "") -> JSONResponse:
    """The one shape of every error."""
    content = {"ok": False, "errors": [{"message": message, "where": where, "fix": fix}]}
    return JSONResponse(content, status_code=status, headers=HEADERS)


class Problem(BaseModel):
    """One thing that was wrong."""

    message: str
    where: str
    fix: str


class Refused(BaseModel):
    """The one shape of every error."""

    ok: Literal[False]
    errors: list[Problem]


class Answered(BaseModel):
    """A finished job: `result` is the library's value, as `nofluke --format json` writes it."""

    ok: Literal[True]
    id: str
    result: dict[str, Any]


class UnderWay(BaseModel):
    """A job that is not finished; ask /api/jobs/{id} how far it is."""

    ok: Literal[True]
    job: dict[str, Any]
