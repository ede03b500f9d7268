"""Agreements and posteriors as schema 1 stored them: sentences go, what they told of tests is read back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]

# What words/ now says from the facts.
_SENTENCES = ("headline", "sentences")


def _text(sentence: Any) -> Fields:
    return {"code": "stored.text", "facts": {"text": sentence}}


def _without_sentences(fields: Fields) -> Fields:
    """Leave out what words/ says from the facts, and keep the text of notes."""
    kept = {name: value for name, value in fields.items() if name not in _SENTENCES}
    return kept | {"notes": [_text(sentence) for sentence in fields.get("notes", ())]}


_SCHEMES = {
    "all ratings paired at random": "pooled",
    "the ratings of each annotator put to their items at random": "own",
    "ratings guessed, all labels equally likely": "even",
}
_DRAWN = re.compile(r"from ([\d,]+) random draws \(seed (\d+)\) with (.+?)(, none of which comes as far from 0)?")


def _coefficient(fields: Fields) -> Fields:
    made = _without_sentences(fields)
    if "test" in made:
        made["test"] = _agreement_test(made["test"])
    return made


def _agreement_test(said: str) -> Fields | None:
    """How agreement was tested; draws are read from the sentence, for p is a bound where none came as far from 0."""
    drawn = _DRAWN.fullmatch(said)
    if drawn is None or drawn[3] not in _SCHEMES:
        return _text(said) if said else None
    facts = {"draws": int(drawn[1].replace(",", "")), "seed": int(drawn[2]), "scheme": _SCHEMES[drawn[3]]}
    # How many came as far is known only where none did; any other number says as much.
    return {"code": "agree.test_draws", "facts": facts | {"as_far": 0 if drawn[4] else None}}


def _agreement(fields: Fields) -> Fields:
    made = _coefficient(fields)
    kind = made["label"].rpartition(" (")[2].removesuffix(")")
    made["scale"] = kind if kind in ("nominal", "ordinal", "interval", "ratio") else ""
    made["weights"] = kind.removesuffix(" weights") if kind.endswith(" weights") else ""
    made["rule"] = _rule(made["rule"])
    made["estimate"] = _estimate(made["estimate"])
    for name in ("per_category", "others"):
        made[name] = {label: _estimate(one) for label, one in made.get(name, {}).items()}
    return made


def _estimate(fields: Fields) -> Fields:
    from nofluke.types.upgrade import upgraded

    return upgraded("Estimate", fields) | {"rule": _rule(fields.get("rule", ""))}


def _rule(cited: str) -> str:
    """The name of a rule, which stood before its source."""
    return cited.partition(" (")[0]


_ABOUT = {
    "mean difference": "mean",
    "difference in accuracy": "accuracy",
    "share of decided items that A wins": "wins",
    "mean difference over datasets like these": "datasets_mean",
    "difference on the next dataset like these": "next_dataset",
    "share of datasets on which A is better": "dataset_wins",
    "share of pairs of datasets whose average favours A": "dataset_pairs",
}


def _posterior(fields: Fields) -> Fields:
    made = _without_sentences(fields)
    about = made.get("about", "").removesuffix(" by more than the region")
    return made | {"prior": _text(made["prior"]), "about": _ABOUT.get(about, about)}


# Name of the type -> what turns its old fields into the new ones.
AGREEMENT: dict[str, Callable[[Fields], Fields]] = {
    "Agreement": _agreement,
    "Coefficient": _coefficient,
    "Posterior": _posterior,
    "Ratings": _without_sentences,
}
