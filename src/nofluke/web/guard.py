"""Who may talk to the server: this machine alone, by its own pages alone, and from elsewhere only with the token."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from nofluke.web.rendering import failure
from nofluke.web.safety import HEADERS, error_response

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Guard:
    """The hosts it answers for, and the token that it asks for; `token` is empty on loopback."""

    hosts: frozenset[str] = LOOPBACK
    token: str = ""

    async def __call__(self, request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        response = self._refusal(request) or self._welcome(request) or await call_next(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    def _refusal(self, request: Request) -> Response | None:
        # A foreign Host is a rebinding attack: the name of another site that now points to this machine. Where a token
        # is asked for such a page has none (a cookie belongs to one host), and the machine may have names of its own.
        named = request.headers.get("host", "").lower()
        host = _host_of(named)
        if host not in self.hosts and not self.token:
            return error_response(
                421, f"this server does not answer for the host {host!r}.", fix="open it by its own address."
            )
        if request.method not in SAFE_METHODS and not _same_origin(request.headers.get("origin"), named):
            return error_response(403, "another page tried to act here.", fix="use the page of this server.")
        # Looks and script are the same everywhere; the page that asks for the token needs them.
        if self.token and not request.url.path.startswith("/static/") and not self._knows_token(request):
            return _asked_for_token(request)
        return None

    def _welcome(self, request: Request) -> Response | None:
        """Who brings the token in the address gets it as a cookie, and an address without it."""
        if not self.token or request.method != "GET" or not _equal(_in_address(request), self.token):
            return None
        response = RedirectResponse(request.url.remove_query_params("token"), status_code=303)
        response.set_cookie(_cookie(request), self.token, httponly=True, samesite="strict")
        return response

    def _knows_token(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        given = (request.cookies.get(_cookie(request), ""), bearer, _in_address(request))
        return any(_equal(one, self.token) for one in given)


def _asked_for_token(request: Request) -> Response:
    wrong = _in_address(request)
    said = "this is not the token of this server." if wrong else "this server asks for its token."
    fix = "open the address that `nofluke serve` printed, or copy the token from it."
    return failure(request, 401, said, fix=fix, template="token.html")


def _in_address(request: Request) -> str:
    return request.query_params.get("token", "").strip()


def _cookie(request: Request) -> str:
    """Browsers give a cookie to all ports of a machine: two servers need two names."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"nofluke_token_{port}" if port.isascii() and port.isdigit() else "nofluke_token"


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _same_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from a page of this very server (or from no page at all)."""
    if origin is None:
        return True
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and found.netloc.lower() == host


def _host_of(netloc: str) -> str:
    if netloc.startswith("["):
        return netloc.partition("]")[0] + "]"
    return netloc.rpartition(":")[0] if ":" in netloc else netloc
