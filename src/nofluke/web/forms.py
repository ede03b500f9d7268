"""Form fields from the registry, and what was filled in: a field left empty keeps the library's default."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from nofluke.errors import InputError
from nofluke.options import Option, listed
from nofluke.readers.outputs import LINES
from nofluke.readers.sniff import format_names
from nofluke.registry import FORMATS, METRICS, Method, Registry
from nofluke.web.requests import OPTIONS_OF

# Set elsewhere on the page, for all methods alike.
_SHARED = frozenset({"alternative", "delta", "confidence_level", "seed", "low", "high"})
_TASKS_FIRST = ("classification", "translation", "question answering", "summarisation", "sequence labelling", "speech")
# 1,500 is one and a half to some and fifteen hundred to others; 0,500 and 1500,25 can be read in one way only.
_APART = re.compile(r"[;\s]+|,\s+")
_EITHER_WAY = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


@dataclass(frozen=True, slots=True)
class Field:
    """One option as a form shows it; `key` is what the form calls it."""

    key: str
    option: Option

    @property
    def label(self) -> str:
        """What stands above it."""
        return self.option.label[:1].upper() + self.option.label[1:]

    @property
    def help(self) -> str:
        """What it means, other options being called as the page calls them."""
        return self.option.help_as(lambda name: name.replace("_", " "))

    @property
    def kind(self) -> str:
        """How it is filled in: chosen, switched or typed."""
        if self._names:
            return "choice"
        if self.option.type is bool:
            return "bool"
        return "number" if self.option.type in (int, float) and self.option.several == "never" else "text"

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen; nothing, where the library then decides itself."""
        return ("", *self._names) if self.option.default is None else self._names

    @property
    def _names(self) -> tuple[str, ...]:
        formats = self.option.opt.registry.startswith(FORMATS.kind)
        return ("auto", *format_names(), LINES) if formats else self.option.choices

    @property
    def default(self) -> Any:
        """What holds where nothing is typed."""
        return self.option.default

    @property
    def shown_default(self) -> Any:
        """The default as a form holds it."""
        return "" if self.default is None or self.default == () else self.default

    def read(self, text: str) -> Any:
        """Give the value that was typed or chosen, in the option's type; empty means the default."""
        text = text.strip()
        if text == "":
            return self.default
        if self.kind == "bool":
            return text in ("true", "yes")
        if text in self.option.words:
            return text
        if self.option.several == "never":
            return self._one(text)
        if self.option.type is str:
            return listed(text)
        # With points in its numbers a comma parts them; alone it may be a decimal comma.
        values = [self._one(part.strip()) for part in (text.split(",") if "." in text else _APART.split(text))]
        return values[0] if len(values) == 1 and self.option.several == "also" else values

    def _one(self, text: str) -> Any:
        if self.option.type in (int, float):
            return number_in(text, self.option.type, self.option.label)
        return self.option.check(text, "this page")


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """The options of one method, which hold only while that method is chosen."""

    method: str
    label: str
    fields: tuple[Field, ...]


def fields_of(method: Method) -> tuple[Field, ...]:
    """The options of one method, without those that all share."""
    return tuple(
        Field(f"option_{method.name}_{option.name}", option) for option in method.options if option.name not in _SHARED
    )


def settings_fields(action: str) -> dict[str, Field]:
    """Every option of a verb as a field; a page takes those it has a place for, and shows the others after them."""
    return {name: Field(name, option) for name, option in OPTIONS_OF[action].items()}


def option_groups(registry: Registry, *, unpaired: bool = False) -> list[OptionGroup]:
    """The options of all methods that a form offers and that have any."""
    groups = [OptionGroup(method.name, method.label, fields_of(method)) for method in _offered(registry, unpaired)]
    return [group for group in groups if group.fields]


def options_from(form: Mapping[str, Any], registry: Registry, method: str) -> dict[str, Any]:
    """What a form says about the options of the chosen method, where it differs from their defaults."""
    if method not in registry:  # also "auto": the recommended method has its defaults
        return {}
    read = {field: field.read(str(form.get(field.key) or "")) for field in fields_of(registry[method])}
    return {field.option.name: value for field, value in read.items() if value != field.default}


def method_choices(registry: Registry, *, unpaired: bool = False) -> list[tuple[str, str]]:
    """All methods that a form offers, for a list."""
    return [(method.name, method.label) for method in _offered(registry, unpaired)]


def _offered(registry: Registry, unpaired: bool) -> list[Method]:
    """Most forms ask about items that both systems have; only a lone test may take independent groups."""
    return [one for one in registry if unpaired or one.facts.get("needs") != "unpaired"]


def metric_choices() -> dict[str, list[tuple[str, str]]]:
    """Metrics by task, for a grouped list; the tasks most people come with first."""
    found: dict[str, list[tuple[str, str]]] = {task: [] for task in _TASKS_FIRST}
    for method in METRICS:
        found.setdefault(str(method.facts["task"]), []).append((method.name, _capital(method.label)))
    return {_capital(task): metrics for task, metrics in found.items() if metrics}


def _capital(label: str) -> str:
    """A label as an entry of a list; what has capitals of its own, as chrF, stays as it is."""
    return label if label.split()[0] != label.split()[0].lower() else label[:1].upper() + label[1:]


def filled(form: Mapping[str, Any], action: str, names: Collection[str] | None = None) -> dict[str, Any]:
    """Give the options of a verb (or those named) that were filled in; for empty ones the library's default holds."""
    fields = {name: field for name, field in settings_fields(action).items() if names is None or name in names}
    texts = {name: str(form.get(name) or "").strip() for name in fields}
    return {name: fields[name].read(text) for name, text in texts.items() if text}


def number_in(text: str, kind: type, label: str) -> Any:
    """The number a user typed, with a point or a comma; what could be read in two ways is refused."""
    if _EITHER_WAY.fullmatch(text):
        fraction, whole = text.replace(",", "."), text.replace(",", "")
        raise InputError(f"{text!r} can be read in two ways.", where=label, fix=f"write {fraction} or {whole}.")
    try:
        return kind(text.replace(",", ".") if kind is float else text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise InputError(f"{text!r} is not {wanted}.", where=label, fix=f"give {wanted}.") from None


def wrong_field(error: ValidationError) -> dict[str, str]:
    """A wrong field in the words of a form."""
    first = error.errors()[0]
    return {"message": f"{first['msg']}.", "where": ".".join(map(str, first["loc"])), "fix": "correct this field."}
