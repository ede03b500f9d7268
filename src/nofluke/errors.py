"""The one shape of every error: what is wrong, where, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable


class NoflukeError(Exception):
    """Base of all errors nofluke raises on purpose; carries message, where and fix."""

    def __init__(self, message: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        headline = f"{self.where}: {self.message}" if self.where else self.message
        return f"{headline}\n  fix: {self.fix}" if self.fix else headline

    def to_dict(self) -> dict[str, str]:
        """Give the error in the shape that JSON output and HTTP responses use."""
        return {"message": self.message, "where": self.where, "fix": self.fix}


class InputError(NoflukeError, ValueError):
    """The data or an argument is not usable; `where` names file, line, column or item."""


class MethodError(NoflukeError, ValueError):
    """The method is unknown, or not valid for these data or options."""


class MissingExtra(NoflukeError, ImportError):  # noqa: N818 (a public name of the design)
    """An optional dependency is needed and not installed."""


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
