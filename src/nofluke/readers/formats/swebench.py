"""Run reports of SWE-bench: MODEL.RUN_ID.json with lists of instances; an item is an instance, resolved or not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import load_json
from nofluke.readers.logs.record import ERROR, SCORED, UNSCORED, Log, PassedOverError, measured
from nofluke.registry import FORMATS

_LABEL = "SWE-bench"
_RESOLVED = "resolved"
_START = re.compile(r'\{\s*"total_instances"\s*:\s*\d.*?"resolved_instances"\s*:\s*\d', re.DOTALL)
# What becomes of the instances of each list. An empty patch is an answer, and a wrong one; what has no prediction or no
# report is an error; what failed for other reasons than the patch could not be judged.
_LISTS = {
    "resolved": SCORED,
    "unresolved": SCORED,
    "empty_patch": SCORED,
    "error": ERROR,
    "incomplete": ERROR,
    "infra_failure": UNSCORED,
    "ambiguous_failure": UNSCORED,
}
# These repeat the others.
_OVERVIEWS = ("completed", "submitted")
_CLUSTERS = ("repository", "repo")
# The report of one instance, RUN_ID/MODEL/INSTANCE/report.json; one that failed or has no patch has none.
_INSTANCE = re.compile(r'\{\s*"[^"]+"\s*:\s*\{\s*"patch_(?:is_None|exists)"\s*:')
_AGAIN = "give the report as swebench.harness.run_evaluation wrote it."


def _is_log(head: bytes) -> bool:
    text = decode_head(head).lstrip()[:4000]
    return _START.match(text) is not None or _INSTANCE.match(text) is not None


@FORMATS.register(
    "swebench",
    label=_LABEL,
    cite="Jimenez et al. 2024 (SWE-bench)",
    sniff=_is_log,
    begins=("{",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
    zero_in="the SWE-bench leaderboard",
)
def read_swebench(given: Given, cluster: str = "") -> list[Log]:
    """Read which instances were resolved; the file is named after the model and the run."""
    text = decode(given.load(), given.name)
    if _INSTANCE.match(text.lstrip()):
        raise PassedOverError(
            "this is the report of one instance; those without a patch, or in error, have none, and would be missing.",
            where=given.name,
            fix="give the report of the run, MODEL.RUN_ID.json; swebench.harness.run_evaluation with the same --run_id "
            "writes it anew from these.",
        )
    whole = load_json(text, given.name)
    outcome = _outcomes(whole, given.name)
    if cluster and cluster not in _CLUSTERS:
        raise InputError(
            f"there is no field {cluster!r}.", where=given.name, fix="instances are grouped by repository alone."
        )
    model, _, run = stem_of(Path(given.name).name).rpartition(".")
    items = tuple(sorted(outcome))
    values = [float(outcome[item] == "resolved") for item in items]
    status = [_LISTS[outcome[item]] for item in items]
    total = whole.get("total_instances")
    return [
        Log(
            format="swebench",
            version="",
            file=given.name,
            model=(model or run).replace("__", "/"),
            dataset=_LABEL,
            items=items,
            measured={_RESOLVED: measured(values, status, higher_is_better=True)},
            primary=_RESOLVED,
            settings={"run_id": run} if model else {},
            expected=total if isinstance(total, int) else 0,
            clusters=tuple(item.rpartition("-")[0] or item for item in items) if cluster else None,
        )
    ]


def _outcomes(whole: Any, name: str) -> dict[str, str]:
    """Give what became of every instance; lists that do not go together are refused."""
    whole = whole if isinstance(whole, dict) else {}
    lists = {kind: _ids(whole, kind, name) for kind in (*_LISTS, *_OVERVIEWS)}
    outcome: dict[str, str] = {}
    for kind in _LISTS:
        for one in lists[kind]:
            other = outcome.setdefault(one, kind)
            if other != kind:
                raise InputError(f"{one} stands in {other}_ids and in {kind}_ids.", where=name, fix=_AGAIN)
    lost = sorted({one for kind in _OVERVIEWS for one in lists[kind]} - set(outcome))
    if lost:
        raise InputError(f"nothing says what became of {lost[0]}.", where=name, fix=_AGAIN)
    if not outcome:
        raise InputError("there are no instances.", where=name, fix="run the evaluation to its end.")
    return outcome


def _ids(whole: Mapping[str, Any], kind: str, name: str) -> list[str]:
    found = whole.get(f"{kind}_ids", [])
    if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
        raise InputError(f"{kind}_ids is no list of instances.", where=name, fix=_AGAIN)
    number = whole.get(f"{kind}_instances", len(found))
    # Predictions for other datasets are counted as submitted too.
    if number != len(found) and kind not in _OVERVIEWS:
        raise InputError(f"{kind}_ids has {len(found):,} instances, not {number}.", where=name, fix=_AGAIN)
    return found
