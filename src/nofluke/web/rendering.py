"""Pages from templates; every page has a JSON twin with the same values."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
import time
from dataclasses import dataclass
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from nofluke import __version__
from nofluke.reports.table_view import coloured, firm, marked_up, table_view
from nofluke.web.safety import error_response
from nofluke.words.layout import visible


@dataclass(frozen=True, slots=True)
class Page:
    """One entry of the navigation."""

    path: str
    title: str
    question: str
    help: str


NAVIGATION = (
    Page("/compare", "Two systems", "Is system A really better than system B?", "tutorial.md"),
    Page("/rank", "Many systems", "Which of these systems are really better than which?", "how-to/many-systems.md"),
    Page("/replicate", "Many datasets", "On how many datasets is A better, and on which?", "how-to/many-datasets.md"),
    Page("/plan", "Sample size", "How many items do I need?", "how-to/how-many-items.md"),
    Page("/agree", "Annotators", "How far do the annotators agree?", "how-to/annotator-agreement.md"),
    Page("/history", "History", "What was computed before?", "how-to/web-app.md"),
)


_CODE = re.compile(r"`([^`]+)`")


def with_code(text: str) -> Markup:
    """Show as code what stands between backticks.

    >>> str(with_code("see `nofluke methods` & more"))
    'see <code>nofluke methods</code> &amp; more'
    """
    return marked_up(text, _CODE, Markup("<code>{}</code>"))


@functools.cache
def environment() -> jinja2.Environment:
    """The templates of this room and, below reports/, those it shares with the HTML report; all text is escaped."""
    found = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.PackageLoader("nofluke.web"),
                jinja2.PrefixLoader({"reports": jinja2.PackageLoader("nofluke.reports")}),
            ]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        # Browsers end the lines of what was pasted with \r\n: these are no characters that must be made visible.
        finalize=lambda value: visible(value.replace("\r\n", "\n")) if type(value) is str else value,
    )
    found.filters["moment"] = lambda seconds: time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    found.filters["table_view"] = table_view
    found.filters["coloured"] = coloured
    found.filters["firm"] = firm
    found.filters["with_code"] = with_code
    found.filters["sentence"] = lambda text: text[:1].upper() + text[1:]
    return found


def page(request: Request, template: str, values: dict[str, Any], *, status: int = 200) -> Response:
    """Answer with the page, or with its values where the client asks for the JSON twin."""
    if wants_json(request):
        return JSONResponse({"ok": status < 400, **_plain(values)}, status_code=status)
    here = "/" + request.url.path.strip("/").partition("/")[0]
    shown = {
        "navigation": NAVIGATION,
        "here": here,
        "help": next((one.help for one in NAVIGATION if one.path == here), "how-to/web-app.md"),
        "version": __version__,
        "twin": _twin(request),
        **values,
    }
    return HTMLResponse(environment().get_template(template).render(shown), status_code=status)


def failure(
    request: Request,
    status: int,
    message: str,
    *,
    where: str = "",
    fix: str = "",
    advice: str = "",
    template: str = "error.html",
    **_settings: object,
) -> Response:
    """An error: as a page for people, with its own advice, in the one JSON shape for programs.

    There are no settings here to choose from: those that the fix names are left to its words.
    """
    wanted = request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or wants_json(request) or "text/html" not in wanted:
        return error_response(status, message, where=where, fix=fix)
    return page(request, template, {"error": {"message": message, "where": where, "fix": advice or fix}}, status=status)


def fragment(template: str, values: dict[str, Any]) -> Response:
    """Answer with a part of a page."""
    return HTMLResponse(environment().get_template(template).render(values))


def redirect(request: Request, path: str) -> Response:
    """Send the client on; who asked for a twin is sent to a twin."""
    ending = ".json" if request.url.path.endswith(".json") else ""
    return RedirectResponse(path + ending, status_code=303)


def wants_json(request: Request) -> bool:
    """Whether the client asked for the twin: a path that ends in .json, or by its Accept header."""
    return request.url.path.endswith(".json") or request.headers.get("accept", "").startswith("application/json")


def _twin(request: Request) -> str:
    path = request.url.path.rstrip("/") or "/index"
    return f"{path}.json" + (f"?{request.url.query}" if request.url.query else "")


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return _plain(value.to_dict())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: _plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
