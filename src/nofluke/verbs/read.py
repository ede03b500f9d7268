"""The public function that reads scores from files and frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nofluke.align.reduce import reduced
from nofluke.errors import InputError
from nofluke.option_groups import LargeReading
from nofluke.options import Format, stating
from nofluke.readers.aliases import SCORE_ROLES
from nofluke.readers.logs.gather import Manner
from nofluke.readers.roles import check_roles
from nofluke.readers.scores import read_scores
from nofluke.readers.stored import stored_scores
from nofluke.types import Scores


@stating(LargeReading)
def read(
    source: Any,
    format: Format = "auto",
    *,
    item: str | Sequence[str] | None = None,
    system: str | None = None,
    score: str | Sequence[str] | None = None,
    dataset: str | Sequence[str] | None = None,
    metric: str | None = None,
    run: str | None = None,
    cluster: str | None = None,
    ignore: str | Sequence[str] | None = None,
    cache: bool = True,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **stated: Any,
) -> Scores:
    """Which system got which score on which item?

    Parameters
    ----------
    source
        A path, "-" for standard input, "NAME=path" to name the system of a file, a list of these, {system: path},
        or a pandas, polars or pyarrow frame. Several files are joined by item id, or by row when they have no ids.
        Folders and globs are looked through for logs of evaluation harnesses, which say themselves what is what; those
        of Parquet or CSV are one table, and folders named key=value are columns of it.
    format
        auto (by content), or the name of a format, as csv; gzip is unpacked. `nofluke compare --help` names them all.
    item, system, score, dataset, metric, run, cluster
        Columns by name; what is not named is found by the usual names and shown in `sources`. `item` and `dataset` may
        be several columns ("task,language"). Several `score` columns are systems, or metrics beside a system column.
    columns
        The same as one mapping, {"item": "segment", "system": "model"}: as everywhere else in nofluke.
    ignore
        Columns that are none of these ("length,comment"): nothing is read of them.
    higher_is_better
        True or False for all metrics; by default known by the metric's name (wer, loss, ...: lower is better).
    on_error, on_unscored, missing_runs, logs, system_by, match_by
        What counts of logs; `nofluke compare --help` says it of each.
    cache, workers
        Large logs are kept where NOFLUKE_CACHE says (or "off"), and read by that many processes.
    reduce
        How an item's runs become its score: "mean", or by name "pass_at_5" (unbiased), "best_of_3", "majority", ...

    memory
        What large Parquet or CSV tables may take, such as "2GB". Long tables that need more stay on disk, and answer
        the same questions; folders and globs do so by themselves where they would take half of the free memory.

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
    how = LargeReading(format, **stated)
    named = (item, system, score, dataset, metric, run, cluster, ignore)
    asked = dict(zip(SCORE_ROLES, named, strict=True))
    for role, name in check_roles(how.columns or {}, asked).items():
        if asked[role] is not None:
            raise InputError(f"the column of {role} is named twice.", fix=f"name it once: columns={{{role!r}: ...}}.")
        asked[role] = name
    manner = Manner(workers, progress, cache=cache)
    # Scores that stay on disk answer the same questions.
    stored: Any = stored_scores(source, how, asked)
    return stored if stored is not None else reduced(read_scores(source, how, asked, manner), how.reduce)
