"""Form fields from the registry: what a method can be told is what its signature says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from nofluke.errors import InputError
from nofluke.registry import METRICS, TESTS, Option

# Set elsewhere on the page, for all tests alike.
_SHARED = frozenset({"alternative", "delta", "confidence_level", "seed", "low", "high"})


@dataclass(frozen=True, slots=True)
class Field:
    """One option of a method as a form shows it."""

    name: str
    label: str
    help: str
    kind: str
    default: Any
    choices: tuple[str, ...]
    option: Option

    def read(self, text: str) -> Any:
        """The value a user typed or chose, in the option's type; empty means the default."""
        if text == "":
            return self.default
        if self.kind == "bool":
            return text == "true"
        if self.kind in ("int", "float"):
            return _number(text, int if self.kind == "int" else float, self.label)
        return self.option.check(text, self.name)


def test_fields(method: str) -> list[Field]:
    """The options of one test, without those that all share."""
    if method == "auto":
        return []
    return [
        Field(
            option.name,
            option.name.replace("_", " "),
            option.help,
            "choice" if option.choices else option.type.__name__,
            option.default,
            option.choices,
            option,
        )
        for option in TESTS[method].options
        if option.name not in _SHARED
    ]


def metric_choices() -> dict[str, list[tuple[str, str]]]:
    """Metrics by task, for a grouped list."""
    found: dict[str, list[tuple[str, str]]] = {}
    for method in METRICS:
        found.setdefault(str(method.facts["task"]), []).append((method.name, method.label))
    return found


def number(form: FormData, name: str, kind: type, default: Any) -> Any:
    """A number from a form; an empty field means the default."""
    text = str(form.get(name) or "").strip()
    return _number(text, kind, name) if text else default


def _number(text: str, kind: type, label: str) -> Any:
    try:
        return kind(text.replace(",", ".") if kind is float else text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise InputError(f"{text!r} is not {wanted}.", where=label, fix=f"give {wanted}.") from None
