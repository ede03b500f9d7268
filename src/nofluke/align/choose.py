"""Choose systems, dataset, metric and run from a table of scores, or say what there is to choose from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.errors import By, Fix, InputError, Option, Verb, listing, named_as, unknown
from nofluke.types import Axis, Note, Scores


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """The rows of one dataset and metric (and run, if one was named), and what was noted of them."""

    dataset: str
    metric: str
    rows: npt.NDArray[np.bool_]
    notes: tuple[Note, ...]


def choose(scores: Scores, dataset: str | None, metric: str | None, run: str | None) -> Slice:
    """Give the rows of one dataset and metric; what is ambiguous must be named."""
    dataset = choose_label("dataset", dataset, scores.dataset, scores)
    metric = choose_label("metric", metric, scores.metric, scores)
    rows = (scores.dataset.codes == scores.dataset.code_of(dataset)) & (
        scores.metric.codes == scores.metric.code_of(metric)
    )
    if run is not None:
        rows &= _run_rows(scores, run)
    # Which scores of another metric are better says nothing here.
    of_others = [one for one in scores.notes if one.code == "read.lower_is_better" and one["metric"] != metric]
    return Slice(dataset, metric, rows, tuple(one for one in scores.notes if one not in of_others))


def check_missing(policy: str) -> None:
    """Refuse a missing policy that is not known."""
    if policy not in ("refuse", "drop"):
        raise unknown("missing policy", str(policy), ("refuse", "drop"))


def two_systems(scores: Scores, a: str | None, b: str | None) -> tuple[str, str]:
    """Complete the names of two systems where that is not ambiguous."""
    names = scores.systems
    for given in (a, b):
        if given is not None:
            code_of_system(scores, given)
    if len(names) == 2:
        a = a if a is not None else names[1 - names.index(b)] if b is not None else names[0]
        b = b if b is not None else names[1 - names.index(a)]
    if a is None or b is None:
        raise InputError(
            f"two systems are compared, and there {'are' if len(names) > 1 else 'is'} {len(names)}: {listing(names)}.",
            where=where(scores),
            fix=which_two(scores),
        )
    if a == b:
        raise InputError(f"system {a!r} is compared with itself.", fix="name two different systems.")
    return a, b


def which_two(scores: Scores) -> Fix:
    """Advise how two systems come to be known."""
    if len(scores.systems) > 1:
        which = By("scores.pair(a, b)", "--a NAME --b NAME", "System A and System B", "a=NAME, b=NAME")
        return Fix(*_if_runs(scores), "name both: ", which, "; ", Verb("rank"), " compares all.")
    if len(scores.sources) > 1:
        names = By(": nf.read({'A': ..., 'B': ...})", ": A=FILE B=FILE", api=": system=NAME beside each upload")
        return Fix("name the system of each file", names, ".")
    notes = (one for source in scores.sources for one in source.notes)
    column = next((one["column"] for one in notes if one.code in ("read.tells_apart", "read.perhaps_groups")), None)
    named = () if column is None else (f"if {column!r} names the systems, say so: ", named_as(system=column), "; else ")
    number = "; to compare it with a number: "
    against = By(f"{number}nf.estimate(scores, against=X)", f"{number}nofluke compare FILE --against X")
    return Fix(*named, "give a file with the scores of two systems, or two files", against, ".")


def _if_runs(scores: Scores) -> tuple[str, ...]:
    """Advise how columns that look like runs become them, where their names end in _seed1."""
    told = any(one.code == "read.perhaps_runs" for source in scores.sources for one in source.notes)
    if not told or not scores.ids_given or not all("_" in name for name in scores.systems):
        return ()
    item = scores.sources[0].mapping["item"]
    return (
        "if these are runs, make a column of them; with pandas: "
        f"t = read_csv(FILE).melt({item!r}); "
        't[["system", "run"]] = t.pop("variable").str.rsplit("_", n=1, expand=True); t.to_csv(NEW, index=False); else ',
    )


def choose_label(what: str, given: str | None, axis: Axis, scores: Scores) -> str:
    """Give the label that is asked for, or the only one there is."""
    if given is not None:
        if axis.labels == ("",):
            raise InputError(
                f"{what} {given!r} was asked for, and the scores have no {what} column.",
                where=where(scores),
                fix=Fix("leave ", Option(what), " out, or name the column: ", named_as(**{what: "NAME"}), "."),
            )
        if given not in axis.labels:
            raise _not_among(what, given, axis, scores)
        return given
    if len(axis.labels) == 1:
        return axis.labels[0]
    shared = axis.labels if what != "metric" else _metrics_of_several(scores)
    raise InputError(
        f"the scores hold {len(axis.labels)} {what}s: {listing(axis.labels)}.",
        where=where(scores),
        fix=Fix("choose one: ", Option(what, shared[0]), ".")
        if shared
        else "every system has another; if they are the same, give the column one name in all files.",
    )


def _metrics_of_several(scores: Scores) -> tuple[str, ...]:
    """The metrics by which two systems can be compared; by one that a single system has, none can."""
    pairs = np.unique(scores.metric.codes * len(scores.systems) + scores.system.codes) // len(scores.systems)
    often = np.bincount(pairs, minlength=len(scores.metrics))
    return tuple(name for name, systems in zip(scores.metrics, often.tolist(), strict=True) if systems > 1)


def _not_among(what: str, given: str, axis: Axis, scores: Scores) -> InputError:
    """The error of a label that no score has; a column that was not used may be what is meant."""
    error = unknown(what, given, axis.labels, where=where(scores))
    told = (one for source in scores.sources for one in source.notes if one.code == "read.columns_unused")
    if what == "metric" and any(given in one["columns"] for one in told):
        error.fix = Fix(f"if {given!r} holds the scores, say so: ", named_as(score=given), f"; else {error.fix}")
    return error


def code_of_system(scores: Scores, name: str) -> int:
    """Give the code of a system, or say which systems there are."""
    if name not in scores.systems:
        raise unknown("system", name, scores.systems, where=where(scores))
    return scores.system.code_of(name)


def _run_rows(scores: Scores, run: str) -> npt.NDArray[np.bool_]:
    if scores.run is None:
        raise InputError(
            f"run {run!r} was asked for, and the scores have no run column.",
            where=where(scores),
            fix=Fix("leave ", Option("run"), " out, or name the column: ", named_as(run="NAME"), "."),
        )
    if run not in scores.run.labels:
        raise unknown("run", run, scores.run.labels, where=where(scores))
    rows: npt.NDArray[np.bool_] = scores.run.codes == scores.run.code_of(run)
    return rows


def where(scores: Scores) -> str:
    """Name the sources of the scores, for messages."""
    return listing([source.name for source in scores.sources], 2)
