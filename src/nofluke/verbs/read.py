"""The public function that reads scores from files and frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nofluke.errors import InputError
from nofluke.readers import read_scores
from nofluke.readers.roles import check_roles
from nofluke.types import Scores


def read(
    source: Any,
    format: str = "auto",
    *,
    item: str | None = None,
    system: str | None = None,
    score: str | Sequence[str] | None = None,
    dataset: str | Sequence[str] | None = None,
    metric: str | None = None,
    run: str | None = None,
    cluster: str | None = None,
    ignore: str | Sequence[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    higher_is_better: bool | None = None,
) -> Scores:
    """Which system got which score on which item?

    Parameters
    ----------
    source
        A path, "-" for standard input, "NAME=path" to name the system of a file, a list of these, {system: path},
        or a pandas, polars or pyarrow frame. Several files are joined by item id, or by row when they have no ids.
    format
        auto (by content), csv, tsv, text (columns between spaces), jsonl, json (an array of objects, or {columns,
        data}), parquet or trec (trec_eval -q and ir_measures -q); gzip is unpacked.
    item, system, score, dataset, metric, run, cluster
        Columns by name; what is not named is found by the usual names and shown in `sources`. `dataset` may be several
        columns ("task,language"). Several `score` columns are systems, or metrics when there is a system column.
    columns
        The same as one mapping, {"item": "segment", "system": "model"}: as everywhere else in nofluke.
    ignore
        Columns that are none of these ("length,comment"): nothing is read of them.
    higher_is_better
        True or False for all metrics; by default known by the metric's name (wer, loss, ...: lower is better).

    Returns
    -------
    Scores; an empty cell is a missing score, and nothing else is read as one.

    Examples
    --------
    >>> import io
    >>> scores = read(io.StringIO("item,A,B\\nq1,0.5,0.4\\nq2,0.7,0.9\\n"))
    >>> scores.systems, scores.sources[0].mapping
    (('A', 'B'), {'item': 'item', 'system': 'A, B'})
    """
    asked: dict[str, Any] = {
        "item": item,
        "system": system,
        "score": score,
        "dataset": dataset,
        "metric": metric,
        "run": run,
        "cluster": cluster,
        "ignore": ignore,
    }
    for role, name in check_roles(columns or {}, asked).items():
        if asked[role] is not None:
            raise InputError(f"the column of {role} is named twice.", fix=f"name it once: columns={{{role!r}: ...}}.")
        asked[role] = name
    return read_scores(source, format, asked, higher_is_better)
