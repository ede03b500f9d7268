"""Form fields from the registry: what a method can be told is what its signature says."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from nofluke.errors import InputError
from nofluke.registry import AGREEMENT, METRICS, TESTS, Method, Option
from nofluke.web.context import Context
from nofluke.web.uploads import blocks, keep, keep_text

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
    return [] if method == "auto" else _fields(TESTS[method])


def metric_fields(metric: str) -> list[Field]:
    """The options of one metric."""
    return _fields(METRICS[metric])


def agreement_levels() -> list[str]:
    """What labels can be taken for."""
    known = {option.name: option.choices for option in AGREEMENT["krippendorff_alpha"].options}
    return list(known.get("level", ()))


def test_choices() -> list[tuple[str, str]]:
    """All tests of aligned items, for a list."""
    return [(method.name, method.label) for method in TESTS if method.facts["needs"] != "unpaired"]


def _fields(method: Method) -> list[Field]:
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
        for option in method.options
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


def form_of(request: Request, context: Context) -> AbstractAsyncContextManager[FormData]:
    """The form a client sent, closed in the end; a pasted text may be as long as any other body."""
    return request.form(max_files=300, max_fields=300, max_part_size=context.limits.body_bytes)


async def data_from(form: FormData, context: Context) -> dict[str, Any]:
    """The data part of a request: files, pasted text, an example, or what was sent with the form before."""
    example = str(form.get("example") or "")
    if example:
        return {"example": example}
    files = [await _kept(file, context) for file in form.getlist("file") if _chosen(file)]
    text = str(form.get("text") or "")
    if text.strip():
        files.append({"upload": keep_text(context.store, text).id})
    files = files or _sent_before(form, "kept")
    if not files:
        raise InputError("no data were given.", fix="drop a file, paste a table or pick an example.")
    gold = [await _kept(file, context) for file in form.getlist("gold") if _chosen(file)] or _sent_before(
        form, "kept_gold"
    )
    data: dict[str, Any] = {"files": files, **reading_from(form)}
    if gold:
        data |= {"gold": gold, "score_by": str(form.get("score_by") or ""), "metric_options": _metric_options(form)}
        if not data["score_by"]:
            raise InputError("outputs with gold answers need a metric.", fix="choose a metric.")
    return data


COLUMNS = {
    "item": "Item id",
    "system": "System",
    "score": "Score",
    "dataset": "Dataset",
    "metric": "Metric",
    "run": "Run or seed",
    "cluster": "Cluster (document, speaker)",
}


def reading_from(form: FormData) -> dict[str, Any]:
    """How the files are to be read, as far as a form says it."""
    named = {role: str(form.get(f"column_{role}") or "").strip() for role in COLUMNS}
    found: dict[str, Any] = {"columns": {role: column for role, column in named.items() if column}}
    direction = {"higher": True, "lower": False}.get(str(form.get("direction")))
    return found if direction is None else found | {"higher_is_better": direction}


def _metric_options(form: FormData) -> dict[str, Any]:
    """Options of a metric as NAME=VALUE, one a line or with commas between them."""
    text = str(form.get("metric_options") or "").strip()
    known = {field.name: field for field in metric_fields(str(form.get("score_by")))} if text else {}
    found: dict[str, Any] = {}
    for part in (part.strip() for part in text.replace(",", "\n").splitlines()):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if part and name not in known:
            raise InputError(
                f"the metric has no option {name!r}.",
                where="metric_options",
                fix=f"write NAME=VALUE; options: {', '.join(known) or 'none'}.",
            )
        if part:
            found[name] = known[name].read(value)
    return found


def _sent_before(form: FormData, name: str) -> list[dict[str, str]]:
    return [{"upload": str(one)} for one in form.getlist(name) if one]


def _chosen(file: Any) -> bool:
    return isinstance(file, UploadFile) and bool(file.filename)


async def _kept(file: Any, context: Context) -> dict[str, str]:
    kept = await keep(context.store, file.filename or "file", blocks(file), context.limits)
    return {"upload": kept.id}


def again(form: FormData, data: dict[str, Any] | None, context: Context) -> dict[str, Any]:
    """What was filled in, to be shown again after an error; files that arrived need not be sent twice."""
    found: dict[str, Any] = {name: value for name, value in form.items() if isinstance(value, str)}
    for name, part in (("kept", "files"), ("kept_gold", "gold")):
        ids = [entry["upload"] for entry in (data or {}).get(part, ())] or [str(one) for one in form.getlist(name)]
        known = [context.store.upload(one) for one in ids]
        found[name] = [(upload.id, upload.name) for upload in known if upload is not None]
    if any(called == "pasted.txt" for _, called in found["kept"]):
        found["kept"] = [one for one in found["kept"] if one[1] != "pasted.txt"]
    return found


def told(error: ValidationError) -> dict[str, str]:
    """A wrong field in the words of a form."""
    first = error.errors()[0]
    return {"message": f"{first['msg']}.", "where": ".".join(map(str, first["loc"])), "fix": "correct this field."}
