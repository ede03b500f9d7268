"""The one shape of every error: what is wrong, where, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, NamedTuple

# Where words are read: an option is a keyword in Python, a flag in the shell, a field on a page or of a request.
Surface = Literal["python", "shell", "page", "api"]
_SURFACE: ContextVar[Surface] = ContextVar("surface", default="python")


@contextmanager
def speaking_on(surface: Surface) -> Iterator[None]:
    """Word options, verbs and advice for one surface, in all that is said meanwhile.

    >>> with speaking_on("shell"):
    ...     f"give {Option('low')}"
    'give --low'
    """
    before = _SURFACE.set(surface)
    try:
        yield
    finally:
        _SURFACE.reset(before)


class Option(NamedTuple):
    """An option within advice or a note, by its Python name; `value` as it is to be given ("" for a switch, or any).

    The value of the option columns is pairs of a role and the name of its column.
    """

    name: str
    value: str | tuple[tuple[str, str], ...] = ""

    def __str__(self) -> str:
        return _worded(self)


class Verb(NamedTuple):
    """A public function within advice or a note: a command in the shell, a page of its own in the web app."""

    name: str
    arguments: str = "FILE"

    def __str__(self) -> str:
        return _worded(self)


class By(NamedTuple):
    """A text within advice or a note that is another one on each surface; without `api`, requests are told Python's."""

    python: str = ""
    shell: str = ""
    page: str = ""
    api: str = ""

    def __str__(self) -> str:
        return _worded(self)


def _worded(part: Option | Verb | By, surface: Surface | None = None) -> str:
    """Word a part as it is given on a surface, or on the one that is spoken on."""
    from nofluke.words.fixes import worded

    return worded(part, surface or _SURFACE.get())


Part = str | Option | Verb | By


def named_as(**roles: str) -> Option:
    """Advise to name columns by their roles; several columns of one role are joined by commas.

    >>> Fix("name it: ", named_as(item="doc"), ".").on("python")
    "name it: columns={'item': 'doc'}."
    """
    return Option("columns", tuple(roles.items()))


class Fix(tuple[Part, ...]):
    """Advice that Python, shell and page must word differently: texts, options and verbs in their order.

    >>> Fix("leave them out: ", Option("missing", "drop"), ".").on("shell")
    'leave them out: --missing drop.'
    """

    __slots__ = ()

    def __new__(cls, *parts: Part | Fix) -> Fix:
        """Take the parts in the order in which they are read; advice within advice is taken apart."""
        return super().__new__(cls, (one for part in parts for one in (part if isinstance(part, Fix) else (part,))))

    def __getnewargs__(self) -> tuple[Part, ...]:
        """Errors come back from other processes."""
        return tuple(self)

    def on(self, surface: Surface | None = None) -> str:
        """Give the advice as it is worded there, or where it is spoken."""
        return "".join(part if isinstance(part, str) else _worded(part, surface) for part in self)

    def __str__(self) -> str:
        return self.on()

    def settings(self) -> list[list[str]]:
        """Give what it says to choose as pairs of option and value, which a page can choose for its reader.

        >>> Fix("leave them out: ", Option("missing", "drop"), ", or give ", Option("low"), ".").settings()
        [['missing', 'drop']]
        """
        chosen = (part for part in self if isinstance(part, Option))
        return [[name, value] for name, value in chosen if isinstance(value, str) and value]


class NoflukeError(Exception):
    """Base of all errors nofluke raises on purpose; carries message, where and fix."""

    def __init__(self, message: str, *, where: str = "", fix: str | Fix = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.fix = fix

    def advice(self, surface: Surface | None = None) -> str:
        """Give the fix as it is worded on a surface, or on the one that is spoken on."""
        return self.fix.on(surface) if isinstance(self.fix, Fix) else self.fix

    def said(self, surface: Surface | None = None) -> str:
        """Give the whole error: what is wrong, where, and the fix."""
        headline = f"{self.where}: {self.message}" if self.where else self.message
        return f"{headline}\n  fix: {self.advice(surface)}" if self.fix else headline

    def __str__(self) -> str:
        return self.said()

    def to_dict(self, surface: Surface = "python") -> dict[str, Any]:
        """Give the error in the shape that JSON output and HTTP responses use.

        For a page `advice` stands beside `fix`, which then is that of a request: a page has a twin in JSON. So do the
        `settings` that the fix names, for a page to offer them.
        """
        fix = self.advice("api" if surface == "page" else surface)
        settings = self.fix.settings() if isinstance(self.fix, Fix) else []
        beside = {"advice": self.advice("page"), "settings": settings} if surface == "page" else {}
        return {"message": self.message, "where": self.where, "fix": fix, **beside}


class InputError(NoflukeError, ValueError):
    """The data or an argument is not usable; `where` names file, line, column or item."""


class MethodError(NoflukeError, ValueError):
    """The method is unknown, or not valid for these data or options."""


class MissingExtra(NoflukeError, ImportError):  # noqa: N818 (a public name of the design)
    """An optional dependency is needed and not installed."""


def without_effect(names: Sequence[str], why: str, fix: Fix) -> InputError:
    """Refuse options that would change nothing, with the reason; what is passed over in silence seems to be used.

    >>> print(without_effect(["unit"], "there is one item", Fix("leave it out.")))
    unit would change nothing here: there is one item.
      fix: leave it out.
    """
    said = (str(By(name, f"--{name.replace('_', '-')}", name)) for name in names)
    return InputError(f"{listing(said)} would change nothing here: {why}.", fix=fix)


def did_you_mean(given: str, choices: Iterable[str]) -> str:
    """Say which choice was probably meant, or list them all; empty when there are none."""
    from difflib import get_close_matches

    known = list(choices)
    folded = {choice.casefold(): choice for choice in known}
    close = get_close_matches(given.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f"did you mean {folded[close[0]]!r}? "
    return ""


def listing(names: Iterable[object], limit: int = 8) -> str:
    """Join names for a message, cut after `limit` with the number left out.

    >>> listing(["a", "b", "c"], limit=2)
    'a, b, ... (3 in all)'
    """
    shown = [str(name) for name in names]
    if len(shown) <= limit:
        return ", ".join(shown)
    return ", ".join(shown[:limit]) + f", ... ({len(shown):,} in all)"


def unknown(what: str, given: str, choices: Iterable[str], *, where: str = "") -> InputError:
    """Build the error for a name that is not among the choices."""
    known = list(choices)
    return InputError(
        f"there is no {what} {given!r}.",
        where=where,
        fix=f"{did_you_mean(given, known)}choose one of: {listing(known, 30)}.",
    )
