"""Results of openai/simple-evals: EVAL_MODEL_DATE_allresults.json, where scores of items stand in pieces of HTML."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.readers.decode import decode, decode_head
from nofluke.readers.file_names import stem_of
from nofluke.readers.given import Given
from nofluke.readers.logs.reading import field_of, is_number, load_json, within
from nofluke.readers.logs.record import Log, PassedOverError, check_of, item_name, measured
from nofluke.registry import FORMATS
from nofluke.types import frozen

_START = re.compile(r'\{\s*"score"\s*:[^,{\[]*,\s*"metrics"\s*:\s*(?:\{|null)')
_ENDING = "_allresults"
_DATE = re.compile(r"_(?P<date>\d{8}_\d{6})(?:_DEBUG)?$|_DEBUG$")
# Evaluations with an underscore in their names; any other name ends at the first one.
_EVALUATION = re.compile(r"healthbench_(?:hard|consensus|meta|professional)|mmlu_[A-Z]{2}-[A-Z]{2,4}|[^_]+")
_SCORE = re.compile(r"<p>Score: ([^<]*)</p>")
_WORDS = {"True": 1.0, "False": 0.0}
# The four answers to choose from are put in another order for every repeat of a question.
_CHOICES = re.compile(r"^A\) (.*)\nB\) (.*)\nC\) (.*)\nD\) (.*)$", re.MULTILINE)
_INSTRUCTING = ("system", "developer")
_AGAIN = "give the file of this run that ends in _allresults.json, as simple-evals wrote it."


def _is_log(head: bytes) -> bool:
    start = decode_head(head).lstrip()
    if _START.match(start) and '"htmls"' in start:
        return True
    return start.startswith("{") and '"score:std"' in start and _are_averages(start)


def _are_averages(text: str) -> bool:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(whole, dict) and "score" in whole and all(isinstance(one, int | float) for one in whole.values())


@FORMATS.register(
    "simple_evals",
    label="simple-evals",
    cite="OpenAI: simple-evals",
    sniff=_is_log,
    begins=("{",),
    told_by="mark",
    holds=("scores",),
    gives="logs",
)
def read_simple_evals(given: Given, cluster: str = "") -> list[Log]:
    """Read the items of one evaluation; an item is what the model was asked, and asked again it is a run."""
    whole = load_json(decode(given.load(), given.name), given.name)
    pages, talks = (whole.get(key) if isinstance(whole, dict) else None for key in ("htmls", "convos"))
    if isinstance(whole, dict) and pages is None and talks is None:
        raise PassedOverError("these are averages of simple-evals, without the items.", where=given.name, fix=_AGAIN)
    if not isinstance(pages, list) or not isinstance(talks, list) or len(pages) != len(talks) or not pages:
        raise _not_whole("as many htmls as convos were expected", given.name)
    checks = [_check(talk, at, given.name) for at, talk in enumerate(talks)]
    items, runs = _items_and_runs(checks)
    evaluation, model, date = _names(given.name)
    about = within(whole, "metadata").get("example_level_metadata")
    if cluster and not (isinstance(about, list) and len(about) == len(pages)):
        raise InputError(f"there is no field {cluster!r}.", where=given.name, fix="this log has no metadata of items.")
    reported: Any = whole["score"] if is_number(whole.get("score")) else np.nan
    return [
        Log(
            format="simple_evals",
            version="",
            file=given.name,
            model=model,
            dataset=evaluation,
            items=tuple(items),
            measured={
                "score": measured(
                    [_score(page, at, given.name) for at, page in enumerate(pages)],
                    higher_is_better=True,
                    reported=float(reported),
                )
            },
            primary="score",
            date=date,
            checks=frozen(checks, np.int64),
            runs=tuple(runs) if len(set(runs)) > 1 else None,
            clusters=tuple(field_of(one, cluster, given.name, 0) for one in about) if cluster else None,  # type: ignore[union-attr]  # a list, see above
        )
    ]


def _items_and_runs(checks: Sequence[int]) -> tuple[list[str], list[str]]:
    """Name items by what they ask; all are repeated equally often, and one that stands there more often is several."""
    counts = Counter(checks)
    repeats = math.gcd(*counts.values())
    seen: Counter[int] = Counter()
    items, runs = [], []
    for check in checks:
        run, copy = divmod(seen[check], counts[check] // repeats)
        seen[check] += 1
        items.append(item_name(check) + (f"-{copy + 1}" if copy else ""))
        runs.append(str(run + 1))
    return items, runs


def _names(file: str) -> tuple[str, str, str]:
    """Give evaluation, model and date, which the name of the file has alone."""
    name = stem_of(Path(file).name).removesuffix(_ENDING)
    found = _DATE.search(name)
    start = name[: found.start()] if found else name
    evaluation = _EVALUATION.match(start)
    model = start[evaluation.end() :].removeprefix("_") if evaluation else ""
    if evaluation is None or not model:
        return "simple-evals", start, (found and found["date"]) or ""
    return evaluation[0], model, (found and found["date"]) or ""


def _check(talk: Any, at: int, name: str) -> int:
    """What was asked: all that came before the last answer, but for instructions that a sampler adds."""
    messages = talk[:-1] if isinstance(talk, list) else []
    asked = [one for one in messages if isinstance(one, dict) and one.get("role") not in _INSTRUCTING]
    if not asked or len(messages) != sum(isinstance(one, dict) for one in messages):
        raise _not_whole(f"conversation {at} has no question", name)
    return check_of(*(_choices_in_order(_text(one.get("content"))) for one in asked))


def _choices_in_order(text: str) -> str:
    return _CHOICES.sub(lambda found: "\n".join(sorted(found.groups())), text)


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, sort_keys=True)


def _score(page: Any, at: int, name: str) -> float | None:
    """The score on the page of an item; what a model wrote stands there too, before it."""
    found = _SCORE.findall(page) if isinstance(page, str) else []
    if not found:
        raise _not_whole(f"page {at} has no score", name)
    text = found[-1].strip()
    try:
        value = _WORDS[text] if text in _WORDS else float(text)
    except ValueError:
        if text != "None":
            raise _not_whole(f"the score {text[:40]!r} of page {at} is no number", name) from None
        return None
    return value if is_number(value) else None


def _not_whole(why: str, name: str) -> InputError:
    return InputError(f"the results of simple-evals are not whole ({why}).", where=name, fix=_AGAIN)
