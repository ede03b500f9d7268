"""The tables of a replicability report: datasets, counts, partial-conjunction p-values, metrics."""

from __future__ import annotations

import math

from nofluke.errors import listing
from nofluke.inference.replicating.analysis import LIST_OF
from nofluke.inference.replicating.dependence import ASSUMED, LABELS
from nofluke.inference.wording import p_in_figures
from nofluke.reports.build.figures import percent
from nofluke.types import MetricsReplication, Replication, Table
from nofluke.types.base import counted

LISTS = {"holm": "Holm", "hommel": "Hommel", "fisher": "closed Fisher"}
CLOSED = {"bonferroni": "Bonferroni's test (Holm)", "simes": "Simes' test (Hommel)", "fisher": "Fisher's test"}
_ALL_SHOWN = 30
_ROWS = ("bonferroni", "simes", "fisher")


def datasets_table(result: Replication) -> Table:
    """One dataset a row: size, both scores, difference, p-values with Holm's and the closed test's adjustment."""
    a, b = result.systems
    both = result.opposite is not None
    scored = not all(math.isnan(value) for value in result.estimates)
    own = LIST_OF[result.method]
    columns = ["dataset", *(["n"] if result.sizes else []), *([a, b, "difference"] if scored else [])]
    for side in (" A", " B") if both else ("",):
        columns += [f"p{side}", f"Holm p{side}", *([f"{LISTS[own]} p{side}"] if own != "holm" else [])]
    columns.append("named")
    rows = tuple(tuple(_row(result, place, scored)) for place in range(len(result.datasets)))
    return Table(
        columns=tuple(columns),
        rows=rows,
        caption=_caption(result),
        figures=tuple(columns[1:-1]),
        strong=tuple(place for place in range(len(rows)) if _winner(result, place) and not _reversed(result, place)),
        explain=_explain(result, columns),
    )


def _explain(result: Replication, columns: list[str]) -> dict[str, str]:
    found = {
        "named": f"the claim that holds for the dataset by closed testing with {CLOSED[result.method]}",
        **{system: f"the score of {system} on the dataset" for system in result.systems},
    }
    for name in columns:
        if name.startswith("Holm p"):
            found[name] = "adjusted p-value, valid whatever the datasets have to do with each other"
        elif " p" in name:
            found[name] = f"p-value adjusted by closed testing with {CLOSED[result.method]}"
    return found


def _row(result: Replication, place: int, scored: bool) -> list[str]:
    cells = [result.datasets[place]]
    if result.sizes:
        cells.append(f"{result.sizes[place]:,}")
    if scored:
        cells += [f"{value:.4g}" for value in (*result.scores[place], result.estimates[place])]
    own = LIST_OF[result.method]
    for _, claim in claims_of(result):
        shown = [claim.p_values, claim.adjusted["holm"], *([claim.adjusted[own]] if own != "holm" else [])]
        cells += [p_in_figures(float(values[place])).removeprefix("p = ").removeprefix("p ") for values in shown]
    return [*cells, _named(result, place)]


def _named(result: Replication, place: int) -> str:
    winner = _winner(result, place)
    if not winner:
        return ""
    return f"{winner} better, but scores worse" if _reversed(result, place) else f"{winner} better"


def _winner(result: Replication, place: int) -> str:
    """The system that the dataset is named for, empty where it is named for none."""
    name = result.datasets[place]
    return next((winner for winner, claim in claims_of(result) if name in claim.identified), "")


def _reversed(result: Replication, place: int) -> bool:
    """Whether a p-value as given names a dataset as a win where the scores say the opposite; that shows nothing."""
    name = result.datasets[place]
    return any(name in claim.identified and name in claim.against and not claim.tests for _, claim in claims_of(result))


def claims_of(result: Replication) -> list[tuple[str, Replication]]:
    """The claims that were judged, each with the system it is about."""
    a, b = result.systems
    if result.opposite is not None:
        return [(a, result), (b, result.opposite)]
    return [(b if result.alternative == "less" else a, result)]


def counts_table(result: Replication) -> Table:
    """The count by every method, and why it is or is not the answer."""
    claims = claims_of(result)
    columns = ("method", *(f"{winner} better" for winner, _ in claims), "why")
    rows = []
    for name in ("bonferroni", "simes", "fisher", "count"):
        why = result.reasons.get(name, f"the answer: valid {ASSUMED[result.dependence]}")
        rows.append((LABELS[name], *(f"{claim.counts[name]:,}" for _, claim in claims), why))
    answer = next(place for place, name in enumerate((*_ROWS, "count")) if name == result.method)
    shown = any(claim.count for _, claim in claims) and not any(
        _reversed(result, at) for at in range(len(result.datasets))
    )
    meaning = dict.fromkeys(columns[1:-1], "on at least so many datasets, by the method")
    return Table(columns, tuple(rows), figures=columns[1:-1], strong=(answer,) if shown else (), explain=meaning)


def conjunction_table(result: Replication) -> Table:
    """The partial-conjunction p-values for every u, or as far as they matter."""
    size = len(result.datasets)
    last = size if size <= _ALL_SHOWN else min(size, max(max(result.counts.values()) + 3, 10))
    columns = ("u", *(LABELS[name] for name in _ROWS))
    rows = tuple((f"{u}", *(_p(result.partial_conjunction[name][u - 1]) for name in _ROWS)) for u in range(1, last + 1))
    rest = f" u above {last:,} left out." if last < size else ""
    return Table(
        columns,
        rows,
        caption=f'P-values against "{result.claim} on fewer than u datasets", made monotone; the count is the last u '
        f"with p at most {result.level:g}.{rest}",
        figures=columns,
        strong=(result.count - 1,) if 0 < result.count <= last else (),
        explain={"u": "how many datasets would be claimed"},
    )


def _p(value: float) -> str:
    return p_in_figures(float(value)).removeprefix("p = ").removeprefix("p ")


def _caption(result: Replication) -> str:
    a, b = result.systems
    by = f" by {result.metric}" if result.metric else ""
    tests = ", ".join(dict.fromkeys(test.label for test in result.tests))
    who = f" (p A: {a} is better; p B: {b} is better)" if result.opposite is not None else ""
    tested = (
        f" p: {tests}, one-sided on each dataset{who}."
        if tests
        else f" p: one-sided for the claim, from the p-values given{who}."
    )
    return (
        f"{a} against {b}{by} on {counted(len(result.datasets), 'dataset')}.{tested} Named: closed testing "
        f"with {CLOSED[result.method]} at {result.level:g}{sides_of(result)}, valid {ASSUMED[result.dependence]}."
    )


def sides_of(result: Replication) -> str:
    """Say that both directions were tested, where they were."""
    return f" in each direction (alpha = {result.alpha:g})" if result.opposite is not None else ""


def metrics_table(result: MetricsReplication) -> Table:
    """The count of every metric, and the two counts for all of them."""
    size = len(result.together.datasets)
    named = {**result.by_metric, "each metric": None, "all at once": result.together}
    rows, counts = [], []
    for metric, one in named.items():
        count = result.count_each if one is None else one.count
        counts.append(count)
        rows.append((metric, f"{count:,} of {size:,}", "" if one is None else listing(one.identified, 20)))
    first = next(iter(result.by_metric.values()))
    return Table(
        ("metric", f"{first.systems[0]} better on at least", "named"),
        tuple(rows),
        caption=f"Lower confidence bounds ({percent(1 - first.level)}) by partial conjunction testing "
        f"({LABELS[first.method]}), valid {ASSUMED[first.dependence]}. Each metric: the smallest of the counts. All at "
        "once: the largest p-value of each dataset over the metrics.",
        strong=tuple(place for place in (len(rows) - 2, len(rows) - 1) if counts[place]),
        explain={"named": "datasets that may be named by the same test"},
    )
