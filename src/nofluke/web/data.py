"""From a request's data to the library's Scores, within the limits of the server."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nofluke.errors import InputError, MethodError
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
    if data.get("score_by"):
        return _within(_scored(data, given, files, progress), limits)
    columns = dict(data.get("columns") or {})
    source: Any = next(iter(given.values())) if len(given) == 1 else dict(given)
    scores = nf.read(
        source, format=data.get("format") or "auto", higher_is_better=data.get("higher_is_better"), **columns
    )
    return _within(scores, limits)


def _scored(data: Mapping[str, Any], given: Mapping[str, str], files: Files, progress: Progress) -> Scores:
    import nofluke as nf

    gold = [Path(path) for path in _paths(data.get("gold") or (), files, named=False).values()]
    if not gold:
        raise InputError("no gold standard was given.", fix="add the file with the gold answers.")
    options = own_options(data.get("metric_options") or {}, nf.score)
    reference: Any = gold[0] if len(gold) == 1 else gold
    outputs = {name: Path(path) for name, path in given.items()}
    return nf.score(str(data["score_by"]), outputs, reference, cache=False, progress=progress, **options)


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


def _paths(entries: Sequence[Mapping[str, Any]], files: Files, *, named: bool = True) -> dict[str, str]:
    """Name of the system (or, of files that are no systems, their place) -> path of the upload."""
    found: dict[str, str] = {}
    for entry in entries:
        identifier = entry.get("upload") or ""
        if identifier not in files:
            raise InputError(f"there is no upload {identifier!r}.", fix="send the file again.")
        path, called = files[identifier]
        name = (entry.get("system") or called.split(".")[0] if named else "") or f"file {len(found) + 1}"
        if name in found:
            raise InputError(f"two files are called {name!r}.", fix="give each system its own name.")
        found[name] = path
    return found


def check_expansion(path: Path, limits: Limits) -> None:
    """A small packed file can hold a huge table: find out how huge before anything reads it."""
    import gzip
    import zlib

    with path.open("rb") as file:
        head = file.read(4)
    if head == b"PAR1":
        _check_parquet(path, limits)
    if head[:2] != b"\x1f\x8b":
        return
    total = 0
    try:
        with gzip.open(path, "rb") as packed:
            while block := packed.read(2**20):
                total += len(block)
                if total > limits.expanded_bytes:
                    raise _unpacks(path, limits)
    except (OSError, EOFError, zlib.error):
        raise InputError("the gzip file is damaged or cut off.", fix="pack it again.") from None


def _unpacks(path: Path, limits: Limits) -> InputError:
    return InputError(
        f"the file unpacks to more than {limits.expanded_bytes // 2**20:,} MB.",
        where=str(path),
        fix="send a smaller file, or use the command line, which has no such limit.",
    )


def _check_parquet(path: Path, limits: Limits) -> None:
    """The end of a Parquet file says how many rows and bytes it holds; what cannot be read is for the reader to say."""
    import duckdb

    try:
        size = duckdb.execute(
            "SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata(?)", [str(path)]
        ).fetchall()[0][0]
        rows = duckdb.execute("SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata(?)", [str(path)]).fetchall()
    except duckdb.Error:
        return
    if size > limits.expanded_bytes:
        raise _unpacks(path, limits)
    if rows[0][0] > limits.rows:
        raise InputError(
            f"the file has {rows[0][0]:,} rows, more than this server takes ({limits.rows:,}).",
            where=str(path),
            fix="use the command line, which has no such limit.",
        )


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
