"""From a request's data to the library's Scores, within the limits of the server."""

from __future__ import annotations

import inspect
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from nofluke.align import select
from nofluke.errors import Fix, InputError, MethodError, NoflukeError, without_effect
from nofluke.noting import changed
from nofluke.option_groups import SELECTING_UNPAIRED, Reading
from nofluke.options import options_of
from nofluke.readers.file_names import AfterFile, names_of
from nofluke.readers.given import Given
from nofluke.registry import FORMATS
from nofluke.types import Sample, Scores
from nofluke.web.requests import ALIGNING
from nofluke.web.safety import Limits

Files = Mapping[str, tuple[str, str]]  # upload id -> (where it lies, what the user called it)
Progress = Callable[[int, int], None]


def scores_of(data: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Scores:
    """Read, score or make the scores that a request speaks of."""
    import nofluke as nf

    if data.get("example"):
        from nofluke.web.examples import example_scores

        return example_scores(str(data["example"]))
    entries = data.get("files") or ()
    _refuse_lost(entries, files)
    if not data.get("score_by") and (data.get("gold") or data.get("metric_options")):
        raise InputError(
            "outputs are scored against gold answers by a metric, and none is named.",
            fix="choose a metric (score_by), or leave gold answers and options of a metric out.",
        )
    if not data.get("score_by") and not data.get("formula") and hold_logs(entries, files):
        with in_folders(entries, files) as folders:
            read = nf.read(folders, cache=False, progress=progress, **reading_of(data))
            sources = (replace(one, name=_as_given(one.name, folders)) for one in read.sources)
            return _within(replace(read, sources=tuple(sources)), limits)
    given = _paths(entries, files)
    if not given:
        raise InputError("no data were given.", fix="drop a file, paste a table or pick an example.")
    if data.get("score_by"):
        return _within(_scored(data, given, files, progress), limits)
    # A lone file may hold several systems; one that it does not name is called after the file.
    lone = len(given) == 1
    source: Any = {AfterFile(name) if lone else str(name): path for name, path in given.items()}
    if data.get("formula"):
        scores = nf.from_statistics(source, str(data["formula"]), **reading_of(data))
    else:
        scores = nf.read(source, **reading_of(data))
    return _within(scores, limits)


def reading_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """How the files of a request are read, where that is not as the library reads them anyway."""
    asked = ((option, data.get(option.name)) for option in options_of(Reading))
    return {option.name: value for option, value in asked if value not in (None, {}, option.default)}


def _scored(data: Mapping[str, Any], given: Mapping[str, str], files: Files, progress: Progress) -> Scores:
    import nofluke as nf

    if data.get("formula"):
        raise InputError("a formula scores tables of counts, and a metric outputs.", fix="give one of them.")
    gold = [Path(path) for path in _paths(data.get("gold") or (), files).values()]
    options = own_options(data.get("metric_options") or {}, nf.score)
    reference: Any = None if not gold else gold[0] if len(gold) == 1 else gold
    reading = {
        name: value for name, value in reading_of(data).items() if name in inspect.signature(nf.score).parameters
    }
    outputs = {name: Path(path) for name, path in given.items()}
    return nf.score(str(data["score_by"]), outputs, reference, cache=False, progress=progress, **reading, **options)


def own_options(options: Mapping[str, Any], verb: Callable[..., Any]) -> dict[str, Any]:
    """The options of a method, without names that mean something to the verb itself (or to this server)."""
    taken = set(inspect.signature(verb).parameters)
    for name in options:
        if name in taken:
            raise MethodError(
                f"{name!r} is no option of a method.",
                where="options",
                fix="give it beside the options, or leave it out.",
            )
    return dict(options)


def _paths(entries: Sequence[Mapping[str, Any]], files: Files) -> dict[str, str]:
    """Name of the system -> path of the upload."""
    _refuse_lost(entries, files)
    found: dict[str, str] = {}
    for entry, name in zip(entries, systems_in(entries, {key: name for key, (_, name) in files.items()}), strict=True):
        if name in found:
            raise InputError(f"two systems are called {name!r}.", fix="give each system its own name.")
        found[name] = files[entry["upload"]][0]
    return found


def _refuse_lost(entries: Sequence[Mapping[str, Any]], files: Files) -> None:
    for entry in entries:
        if (entry.get("upload") or "") not in files:
            raise InputError(f"there is no upload {entry.get('upload') or ''!r}.", fix="send the file again.")


def systems_in(entries: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[str]:
    """The systems that files belong to: as the request says, else after the files; `names` are those of uploads."""
    unnamed = [names.get(entry.get("upload") or "", "") for entry in entries if not entry.get("system")]
    after_files = iter(names_of(unnamed))
    return [str(entry["system"]) if entry.get("system") else AfterFile(next(after_files)) for entry in entries]


def _within(scores: Scores, limits: Limits) -> Scores:
    rows, systems = len(scores.statistics), len(scores.systems)
    if rows > limits.rows or systems > limits.systems:
        raise InputError(
            f"{rows:,} scores of {systems:,} systems are more than this server takes "
            f"({limits.rows:,} and {limits.systems:,}).",
            fix="use the command line, which has no such limits.",
        )
    return scores


def chosen_part(request: Mapping[str, Any]) -> dict[str, Any]:
    """Which part of the scores a request speaks of; outputs that are scored have one metric, which needs no choice."""
    found = {name: request[name] for name in ALIGNING if request.get(name) is not None}
    if request["data"].get("score_by") or request["data"].get("formula"):
        found.pop("metric", None)
    return found


def sample_of(request: Mapping[str, Any], scores: Scores, unpaired: bool = False) -> Sample:
    """Take the two systems that a request speaks of: item by item, or as independent groups, which have no units."""
    a, b, part = request.get("a"), request.get("b"), chosen_part(request)
    if not unpaired:
        return scores.pair(a, b, **part)
    if given := [name for name in changed(select, part) if name not in SELECTING_UNPAIRED]:
        raise without_effect(given, "the test is unpaired: it matches no items", Fix("leave it out."))
    return scores.unpaired(a, b, **{name: value for name, value in part.items() if name in SELECTING_UNPAIRED})


_UNNAMED = "logs"


def hold_logs(entries: Sequence[Mapping[str, Any]], files: Mapping[str, tuple[str, str]]) -> bool:
    """Whether any file of a request is a log of an evaluation harness."""
    return any(_is_log(*files[entry["upload"]]) for entry in entries if entry.get("upload") in files)


def _is_log(path: str, name: str) -> bool:
    return bool(FORMATS[Given(name, path=Path(path)).format()].facts["gives"] == "logs")


@contextmanager
def in_folders(entries: Sequence[Mapping[str, Any]], files: Mapping[str, tuple[str, str]]) -> Iterator[dict[str, str]]:
    """Give a folder for every system that a request names, and one for all other files, under their own names.

    Errors name files as the user did.
    """
    with tempfile.TemporaryDirectory() as root:
        folders: dict[str, str] = {}
        for entry in entries:
            path, name = files[entry["upload"]]
            system = str(entry["system"]) if entry.get("system") else AfterFile(_UNNAMED)
            own = folders.setdefault(system, os.path.join(root, f"{len(folders)}"))
            _put(path, own, name)
        try:
            yield folders
        except NoflukeError as error:
            error.where = _as_given(error.where, folders)
            raise


def _as_given(where: str, folders: Mapping[str, str]) -> str:
    """Name files as the user did, and a folder, whose own name is of no use to her, after its system."""
    for system, folder in folders.items():
        where = where.replace(folder + os.sep, "").replace(folder, system)
    return where


def _put(path: str, folder: str, name: str) -> None:
    """Put a file into a folder; where one of its name is there already, into a folder within."""
    number = 1
    target = Path(folder, name)
    while target.exists():
        number += 1
        target = Path(folder, str(number), name)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(path, target)
    except OSError:
        shutil.copyfile(path, target)
