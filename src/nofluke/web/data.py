"""From a request's data to the library's Scores, within the limits of the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.types import Sample, Scores
from nofluke.web.safety import Limits

Files = Mapping[str, tuple[str, str]]  # upload id -> (where it lies, what the user called it)
Progress = Callable[[int, int], None]
ALIGNING = ("dataset", "metric", "run", "missing", "unit", "unit_statistic", "shuffle_seed", "clusters")


def scores_of(data: Mapping[str, Any], files: Files, progress: Progress, limits: Limits) -> Scores:
    """Read, score or make the scores that a request speaks of."""
    import nofluke as nf

    if data.get("example"):
        from nofluke.web.examples import example_scores

        return example_scores(str(data["example"]))
    given = _paths(data.get("files") or (), files)
    if not given:
        raise InputError("no data were given.", fix="drop a file, paste a table or pick an example.")
    for path in given.values():
        _check_expansion(Path(path), limits)
    if data.get("score_by"):
        gold = [Path(path) for path in _paths(data.get("gold") or (), files).values()]
        if not gold:
            raise InputError("no gold standard was given.", fix="add the file with the gold answers.")
        options = dict(data.get("metric_options") or {})
        reference: Any = gold[0] if len(gold) == 1 else gold
        outputs = {name: Path(path) for name, path in given.items()}
        return nf.score(str(data["score_by"]), outputs, reference, cache=False, progress=progress, **options)
    columns = dict(data.get("columns") or {})
    source: Any = next(iter(given.values())) if len(given) == 1 else dict(given)
    scores = nf.read(
        source, format=data.get("format") or "auto", higher_is_better=data.get("higher_is_better"), **columns
    )
    return _within(scores, limits)


def _paths(entries: Sequence[Mapping[str, Any]], files: Files) -> dict[str, str]:
    """Name of the system -> path of the upload."""
    found: dict[str, str] = {}
    for entry in entries:
        identifier = entry.get("upload") or ""
        if identifier not in files:
            raise InputError(f"there is no upload {identifier!r}.", fix="send the file again.")
        path, called = files[identifier]
        name = entry.get("system") or called.split(".")[0] or f"file {len(found) + 1}"
        if name in found:
            raise InputError(f"two files are called {name!r}.", fix="give each system its own name.")
        found[name] = path
    return found


def _check_expansion(path: Path, limits: Limits) -> None:
    """A small gzip file can hold a huge text: unpack it once, counting, before anything reads it."""
    import gzip
    import zlib

    with path.open("rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return
    total = 0
    try:
        with gzip.open(path, "rb") as packed:
            while block := packed.read(2**20):
                total += len(block)
                if total > limits.expanded_bytes:
                    raise InputError(
                        f"the file unpacks to more than {limits.expanded_bytes // 2**20:,} MB.",
                        fix="send a smaller file.",
                    )
    except (OSError, EOFError, zlib.error):
        raise InputError("the gzip file is damaged or cut off.", fix="pack it again.") from None


def _within(scores: Scores, limits: Limits) -> Scores:
    rows, systems = len(scores.statistics), len(scores.systems)
    if rows > limits.rows or systems > limits.systems:
        raise InputError(
            f"{rows:,} scores of {systems:,} systems are more than this server takes "
            f"({limits.rows:,} and {limits.systems:,}).",
            fix="use the command line, which has no such limits.",
        )
    return scores


def sample_of(request: Mapping[str, Any], scores: Scores) -> Sample:
    """Align the two systems that a request speaks of."""
    aligning = {name: request[name] for name in ALIGNING if request.get(name) is not None}
    if request["data"].get("score_by"):
        aligning.pop("metric", None)
    return scores.pair(request.get("a"), request.get("b"), **aligning)
