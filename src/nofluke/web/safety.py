"""Safe by default: loopback only, Host and Origin checked, a token elsewhere, a strict policy for content."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE = "nofluke_token"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request may bring."""

    upload_bytes: int = 300 * 2**20
    body_bytes: int = 20 * 2**20
    rows: int = 5_000_000
    expanded_bytes: int = 2 * 2**30
    systems: int = 1_000


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
            await _too_large(most)(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise HTTPException(413, _larger_than(most))
            return message

        await self.app(scope, counted, send)


def _larger_than(most: int) -> str:
    return f"the request is larger than {most // 2**20:,} MB."


def _too_large(most: int) -> Response:
    return error_response(413, _larger_than(most), fix="send less, or use the command line, which has no such limit.")


@dataclass(frozen=True, slots=True)
class Guard:
    """Who may talk to the server; `token` is empty on loopback."""

    hosts: frozenset[str] = LOOPBACK
    token: str = ""

    async def __call__(self, request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        given = request.query_params.get("token", "")
        if self.token and given and request.method == "GET" and _equal(given, self.token):
            response: Response = RedirectResponse(request.url.remove_query_params("token"), status_code=303)
            response.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return response
        response = await call_next(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    def _refusal(self, request: Request) -> Response | None:
        # A foreign Host is a rebinding attack: the name of another site that now points to this machine.
        named = request.headers.get("host", "").lower()
        host = _host_of(named)
        # An address in figures cannot be rebound; with a token any of this machine's addresses will do.
        if host not in self.hosts and not (self.token and _is_address(host)):
            return error_response(
                421, f"this server does not answer for the host {host!r}.", fix="open it by its own address."
            )
        if request.method not in SAFE_METHODS and not _same_origin(request.headers.get("origin"), named):
            return error_response(403, "another page tried to act here.", fix="use the page of this server.")
        if self.token and not self._knows_token(request):
            return error_response(
                401, "this server asks for its token.", fix="open the address that `nofluke serve` printed."
            )
        return None

    def _knows_token(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        given = (request.cookies.get(COOKIE, ""), bearer, request.query_params.get("token", ""))
        return any(_equal(one, self.token) for one in given)


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _same_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from a page of this very server (or from no page at all)."""
    if origin is None:
        return True
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and found.netloc.lower() == host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _host_of(netloc: str) -> str:
    if netloc.startswith("["):
        return netloc.partition("]")[0] + "]"
    return netloc.rpartition(":")[0] if ":" in netloc else netloc


def error_response(status: int, message: str, *, where: str = "", fix: str = "") -> JSONResponse:
    """The one shape of every error."""
    content = {"ok": False, "errors": [{"message": message, "where": where, "fix": fix}]}
    return JSONResponse(content, status_code=status, headers=HEADERS)
