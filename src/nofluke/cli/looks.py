"""The record of looks: every gate that was asked, one line each, so that a second look at a commit is seen."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from nofluke.errors import InputError
from nofluke.types import Gate, Look


def recorded(result: Gate, file: str, time: str, commit: str) -> Gate:
    """Append this look, and give the gate with its number among the looks at this commit.

    Where no commit is known, the candidate is known by its scores.
    """
    path = Path(file)
    own = {"commit": commit, "candidate": _fingerprint(result), "name": result.name}
    key = "commit" if commit else "candidate"
    earlier = [one for one in _looks(path) if one.get(key) == own[key] and one.get("name") == result.name]
    line = {
        "time": time,
        **own,
        "signature": result.signature,
        "outcome": result.outcome,
        "p": min((row.p_value for row in result.every if row.p_value == row.p_value), default=None),
        "look": len(earlier) + 1,
    }
    try:
        with path.open("a", encoding="utf-8") as target:
            target.write(json.dumps(line, ensure_ascii=False) + "\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}.", where=file, fix="check --record.") from None
    first = str(earlier[0].get("outcome", "")) if earlier else ""
    return replace(result, look=Look(time, commit, len(earlier) + 1, first))


def _looks(path: Path) -> list[dict[str, Any]]:
    """Read the looks so far; a record that is not one is refused rather than added to."""
    if not path.exists():
        return []
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            one = json.loads(line)
        except ValueError:
            one = None
        if not isinstance(one, dict):
            raise InputError(
                "this is no record of looks (JSON lines).",
                where=f"{path} line {number}",
                fix="give --record a file of its own.",
            )
        found.append(one)
    return found


def _fingerprint(result: Gate) -> str:
    """A name for the candidate by what it scored."""
    told = [(row.task, row.metric, row.n, row.scores[1], row.lost, row.won) for row in result.every]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=8).hexdigest()
