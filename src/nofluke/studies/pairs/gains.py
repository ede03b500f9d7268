"""gains: how large a gain is usually significant? (Berg-Kirkpatrick et al. 2012, section 3)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from nofluke.errors import InputError, did_you_mean, unknown
from nofluke.noting import called
from nofluke.options import Opt, listed, stating
from nofluke.readers.side_tables import read_comparisons
from nofluke.studies.pairs.comparisons import Comparisons, given_points, series_of
from nofluke.studies.pairs.looking import Look, check_varies, notes_of
from nofluke.studies.pairs.thresholds import Rule, Threshold
from nofluke.types import IntArray, Note, Sample, Series, Study, note
from nofluke.types.bounds import STORED_RESULT, read_all
from nofluke.types.load import from_dict

# How a pair is called: by whether both systems come from one group (a team, a model family, a base model).
ALL, SAME, DIFFERENT, OTHER = "all pairs", "same group", "different groups", "other"

_OWN = "comparisons"


@called("studies.gains", "scores", "scores")
@stating(Look)
def gains(
    scores: Any,
    *,
    groups: Mapping[str, str] | None = None,
    special: Annotated[Sequence[str], Opt("A group whose pairs are a label of their own (system combinations).")] = (),
    overlay: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **stated: Any,
) -> Study:
    """How large a gain is usually significant on this test set?

    Takes Scores, or {name: scores of the same items}, of many systems. Every pair gives one point: the gain of the
    better system and 1 - p, the p-value in the direction of the gain. The threshold of a label is the 95th percentile
    of the gains of comparisons with p from 0.04 to 0.06; the middle of this window is the level. `groups` maps systems
    to groups (teams, model families): pairs are labelled same group, different groups, or other; `special` groups are a
    label of their own. `overlay` lays other comparisons over the picture, {name: scores of other systems, a stored
    study of gains, or a Series with gain and p_value}.

    A threshold is no test: it holds for this test set and for systems like these (see the notes).

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 40 for i in range(12)}, n=200, seed=1)
    >>> gains(scores).tables["thresholds"]["comparisons"]
    (66,)
    """
    look = Look(**stated)
    sample = look.sample(scores)
    found = look.compare(sample, progress)
    check_varies([found])
    special = listed(special, set((groups or {}).values()))
    labels = label_pairs(found.systems, found.better, found.worse, groups, special)
    by_label = _thresholds(found, labels, look.rule)
    laid, laid_notes = _overlaid(overlay or {}, look, sample)
    return look.recorded(
        "gains",
        [sample],
        {"": found},
        found,
        further={
            "groups": None if groups is None else len(set(groups.values())),
            "special": list(special) or None,
            "overlay": list(laid) or None,
        },
        tables={"thresholds": _table(found, labels, by_label, look.rule)},
        series={"comparisons": series_of(found, labels), **laid},
        charts=("gain_scatter",),
        notes=((), laid_notes),
    )


def _thresholds(found: Comparisons, labels: Sequence[str], rule: Rule) -> dict[str, Threshold]:
    """Give the threshold of every label, and of all pairs last."""
    order = _label_order(labels)
    chosen = {label: _mask(labels, label) for label in order}
    by_label = {label: rule.threshold(found.gain[one], found.p_value[one]) for label, one in chosen.items()}
    return by_label if ALL in by_label else by_label | {ALL: rule.threshold(found.gain, found.p_value)}


def _table(
    found: Comparisons, labels: Sequence[str], by_label: Mapping[str, Threshold], rule: Rule
) -> dict[str, tuple[Any, ...]]:
    rows = by_label.values()
    return {
        "pairs": tuple(by_label),
        "comparisons": tuple(row.all for row in rows),
        "just significant": tuple(row.near for row in rows),
        "usual gain": tuple(row.median for row in rows),
        "threshold": tuple(row.value for row in rows),
        "needed by most": tuple(_needed(found, labels, label, rule) for label in by_label),
        "significant above": tuple(row.kept for row in rows),
        "significant below": tuple(row.missed for row in rows),
    }


def _needed(found: Comparisons, labels: Sequence[str], label: str, rule: Rule) -> float:
    chosen = found.standard_error if label == ALL else found.standard_error[_mask(labels, label)]
    return rule.errors * float(np.percentile(chosen, rule.percentile)) if chosen.size else math.nan


def label_pairs(
    systems: Sequence[str], better: IntArray, worse: IntArray, groups: Mapping[str, str] | None, special: Sequence[str]
) -> tuple[str, ...]:
    """Label every pair: same group, different groups, or other (a system without a group).

    Groups named in `special` (system combinations in the paper's Figure 4) are apart: pairs inside one carry its name,
    and pairs of one of its systems with any other are "other".
    """
    if groups is None:
        if special:
            raise InputError("special groups were named, and no groups.", fix="say which system is in which group.")
        return (ALL,) * better.size
    strange = [name for name in groups if name not in systems]
    if strange:
        raise InputError(
            f"there is no system {strange[0]!r}.",
            fix=f"{did_you_mean(strange[0], systems)}check the names in the groups.",
        )
    for name in special:
        if name not in groups.values():
            raise unknown("group", name, sorted(set(groups.values())))
    of = [groups.get(name, "") for name in systems]
    apart = set(special)

    def label(i: int, j: int) -> str:
        if not of[i] or not of[j]:
            return OTHER
        if of[i] in apart or of[j] in apart:
            return of[i] if of[i] == of[j] else OTHER
        return SAME if of[i] == of[j] else DIFFERENT

    return tuple(label(i, j) for i, j in zip(better.tolist(), worse.tolist(), strict=True))


def _label_order(labels: Sequence[str]) -> tuple[str, ...]:
    """Give the labels that occur in a fixed order: same, special ones, different, other."""
    found = set(labels)
    named = sorted(found - {ALL, SAME, DIFFERENT, OTHER})
    return tuple(label for label in (ALL, SAME, *named, DIFFERENT, OTHER) if label in found)


def _mask(labels: Sequence[str], label: str) -> np.ndarray:
    """Which comparisons carry the label."""
    return np.array([one == label for one in labels], dtype=bool)


def _overlaid(overlay: Mapping[str, Any], look: Look, sample: Sample) -> tuple[dict[str, Series], tuple[Note, ...]]:
    """Give the points of every overlay, and what must be known of other scores.

    Other scores are looked at and compared as those of the sample.
    """
    laid: dict[str, Series] = {}
    notes: list[Note] = []
    for name, other in overlay.items():
        if name == _OWN:
            raise InputError(f"two sets of comparisons are called {name!r}.", fix="give the overlay another name.")
        points = _own_points(other, name) if isinstance(other, Study) else other
        if isinstance(points, Series):
            laid[name] = _of_series(name, points)
            continue
        there = look.elsewhere(points, sample)
        part = there.sample(points)
        found = there.compare(part)
        laid[name] = series_of(found, (name,) * found.size, name)
        notes += [note("study.overlay", name=name, note=one) for one in notes_of([part]) if one not in sample.notes]
    return laid, tuple(notes)


def _own_points(study: Study, name: str) -> Series:
    if _OWN not in study.series:
        raise InputError(
            f"the overlay {name!r} is a study of {study.name}, which holds no comparisons of one test set.",
            fix="give a study of gains.",
        )
    return study.series[_OWN]


def _of_series(name: str, points: Series) -> Series:
    lacking = [column for column in ("gain", "p_value") if column not in points.columns]
    if lacking:
        raise InputError(f"the overlay {name!r} has no column {lacking[0]!r}.", fix="give gain and p_value.")
    gain, p = (np.asarray(points.columns[column], dtype=np.float64) for column in ("gain", "p_value"))
    return given_points(name, gain, p)


def stored_comparisons(path: str) -> Series | Study | None:
    """Give the comparisons that a file holds, or None where it holds something else (scores, outputs)."""
    if path.endswith(".json"):
        return _of_json(path)
    found = read_comparisons(path)
    return None if found is None else given_points("overlay", *found, where=path)


def _of_json(path: str) -> Study | None:
    try:
        with Path(path).open("rb") as file:
            text = read_all(file, path, STORED_RESULT).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        # The reader of scores says what is wrong with a file.
        return None
    try:
        found = from_dict(json.loads(text), where=path)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not JSON.", where=path, fix="give a study that nofluke wrote as JSON.") from None
    if not isinstance(found, Study) or _OWN not in found.series:
        raise InputError("holds no comparisons.", where=path, fix="store one: nofluke study gains ... -o study.json.")
    return found
