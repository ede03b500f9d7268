"""Constituency parsing: labelled brackets counted as evalb counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from nofluke.errors import Fix, InputError, Option
from nofluke.metrics.averages import Of, pooled_aggregate
from nofluke.metrics.family import register_each
from nofluke.metrics.formats.evalb import is_evalb_table, read_evalb
from nofluke.metrics.formats.trees import Tree, read_trees
from nofluke.metrics.statistics import ItemStatistics, Unscored
from nofluke.metrics.texts import Lines, Texts, read_lines, require_same_length
from nofluke.registry import METRICS
from nofluke.types import Note, frozen, note

Punctuation: TypeAlias = Annotated[
    Literal["skip", "keep"], "leave out words that gold tags , : `` '' or . (evalb's COLLINS.prm), or count all words"
]
Particles: TypeAlias = Annotated[bool, "take PRT and ADVP for the same label (EQ_LABEL of COLLINS.prm)"]
Labelled: TypeAlias = Annotated[bool, "a bracket matches only with its label (LABELED of evalb)"]
Failed: TypeAlias = Annotated[
    Literal["skip", "wrong"],
    "sentences without a parse are left out (evalb), for all systems if there are several, or all their gold brackets "
    "are missed",
]
Words: TypeAlias = Annotated[
    Literal["refuse", "skip"],
    "sentences with other words than gold (evalb calls them errors) are refused, or left out for all systems",
]

_EVALB = "Black et al. 1991; Collins 1997; Sekine and Collins 1997 (evalb)"
_NAMES = ("matched", "test", "gold")
_ROOTS = frozenset({"TOP", "ROOT", "S1"})
_PUNCTUATION = frozenset({",", ":", "``", "''", "."})


@dataclass(frozen=True, slots=True)
class Counting:
    """How brackets are counted."""

    punctuation: str
    prt_as_advp: bool
    labelled: bool
    failed: str
    other_words: str = "refuse"

    def signature(self, name: str) -> str:
        """Say how the statistics were made."""
        return (
            f"{name}|punctuation:{self.punctuation}|prt_as_advp:{str(self.prt_as_advp).lower()}"
            f"|labelled:{str(self.labelled).lower()}|failed:{self.failed}"
            + ("|other_words:skip" if self.other_words == "skip" else "")
        )

    def brackets(self, tree: Tree, counted: list[bool]) -> Counter[tuple[str, int, int]]:
        """Count the brackets over the words that count: a multiset, because unary chains may repeat a label."""
        place = [0]
        for keep in counted:
            place.append(place[-1] + keep)
        found: Counter[tuple[str, int, int]] = Counter()
        for bracket in tree.brackets:
            start, end = place[bracket.start], place[bracket.end]
            # Function tags and indices end the label: NP-SBJ-1 and NP=2 are NP.
            label = bracket.label.split("-", 1)[0].split("=", 1)[0]
            if start == end or not bracket.label or label in _ROOTS:
                continue
            if self.prt_as_advp and label == "PRT":
                label = "ADVP"
            found[label if self.labelled else "", start, end] += 1
        return found

    def counts(self, test: Tree, gold: Tree) -> tuple[int, int, int]:
        """Give (matched, test, gold) brackets of one sentence."""
        counted = [self.punctuation == "keep" or tag not in _PUNCTUATION for tag in gold.tags]
        truth = self.brackets(gold, counted)
        if not test.words:
            return 0, 0, truth.total() if self.failed == "wrong" else 0
        mine = self.brackets(test, counted)
        return (mine & truth).total(), mine.total(), truth.total()


def _bracket_statistics(of: Of, output: Texts, gold: Texts | None, counting: Counting) -> ItemStatistics:
    """Count brackets of every sentence, from trees or from evalb's printed table (which needs no gold)."""
    lines = read_lines(output, "output")
    name = f"bracket_{of}"
    if is_evalb_table(lines):
        return _from_table(of, lines)
    if gold is None:
        raise InputError("trees need gold trees.", where=lines.name, fix="give gold, or the table evalb printed.")
    truth = read_lines(gold, "gold")
    require_same_length(lines, truth)
    trees, golds = read_trees(lines), read_trees(truth)
    skipped = frozenset(_with_other_words(trees, golds, lines, truth, refuse=counting.other_words == "refuse"))
    values = [
        (0, 0, 0) if index in skipped else counting.counts(tree, other)
        for index, (tree, other) in enumerate(zip(trees, golds, strict=True))
    ]
    return ItemStatistics(
        frozen(values),
        _NAMES,
        pooled_aggregate(of, name),
        counting.signature(name),
        notes=_notes([pair for at, pair in enumerate(zip(trees, golds, strict=True)) if at not in skipped], counting),
        unscored=_left_out(trees, skipped, counting.failed),
    )


def _left_out(trees: tuple[Tree, ...], skipped: frozenset[int], failed: str) -> Unscored | None:
    without = (
        frozenset(index for index, tree in enumerate(trees) if not tree.words) if failed == "skip" else frozenset()
    )
    if not skipped | without:
        return None
    why = ("no_parse",) * bool(without) + ("other_words",) * bool(skipped)
    return Unscored(tuple(sorted(skipped | without)), why, "same_words" if skipped else "wrong")


def _from_table(of: Of, lines: Lines) -> ItemStatistics:
    rows = read_evalb(lines)
    left_out = tuple(index for index, row in enumerate(rows) if row.status != 0)
    name = f"bracket_{of}"
    ids = tuple(row.identity for row in rows)
    return ItemStatistics(
        frozen([(row.matched, row.test, row.gold) for row in rows]),
        _NAMES,
        pooled_aggregate(of, name),
        f"{name}|evalb",
        ids if len(set(ids)) == len(ids) else None,
        notes=(note("metric.evalb"),),
        unscored=Unscored(left_out, ("evalb",), "trees") if left_out else None,
    )


def _with_other_words(
    trees: tuple[Tree, ...], golds: tuple[Tree, ...], lines: Lines, truth: Lines, *, refuse: bool
) -> Iterator[int]:
    """Give the sentences whose words are not those of gold, or refuse the first."""
    for index, (tree, gold) in enumerate(zip(trees, golds, strict=True)):
        there = truth.where(index)
        if not gold.words:
            raise InputError("the gold tree has no words.", where=there, fix="give every sentence a gold tree.")
        if not tree.words or tree.words == gold.words:
            continue
        if not refuse:
            yield index
            continue
        if len(tree.words) != len(gold.words):
            message = f"{len(tree.words)} words, and {len(gold.words)} in {there}."
        else:
            at = next(i for i, pair in enumerate(zip(tree.words, gold.words, strict=True)) if pair[0] != pair[1])
            message = f"word {at + 1} is {tree.words[at]!r}, and {gold.words[at]!r} in {there}."
        raise InputError(
            message,
            where=lines.where(index),
            fix=Fix(
                "give trees over the same words (traces do not count), or leave such sentences out, as evalb does: ",
                Option("metric_option", "other_words=skip"),
                ".",
            ),
        )


def _notes(pairs: list[tuple[Tree, Tree]], counting: Counting) -> tuple[Note, ...]:
    notes: tuple[Note, ...] = ()
    failed = sum(not tree.words for tree, _ in pairs)
    if failed and counting.failed == "wrong":
        notes += (note("metric.no_parse", sentences=failed),)
    retagged = sum(
        any((a in _PUNCTUATION) != (b in _PUNCTUATION) for a, b in zip(tree.tags, gold.tags, strict=True))
        for tree, gold in pairs
        if tree.words
    )
    if retagged and counting.punctuation == "skip":
        notes += (note("metric.other_punctuation", sentences=retagged),)
    return notes


def _brackets(
    of: Of,
    output: Texts,
    gold: Texts | None = None,
    *,
    punctuation: Punctuation = "skip",
    prt_as_advp: Particles = True,
    labelled: Labelled = True,
    failed: Failed = "skip",
    other_words: Words = "refuse",
) -> ItemStatistics:
    return _bracket_statistics(of, output, gold, Counting(punctuation, prt_as_advp, labelled, failed, other_words))


bracket_precision, bracket_recall, bracket_f1 = register_each(
    METRICS.register,
    _brackets,
    {
        "bracket_precision": (
            "precision",
            "Bracket precision",
            """Of the constituents a parser builds, what share is in gold with the same words and label?

            Items are sentences; statistics: matched, test, gold brackets, as evalb with COLLINS.prm counts them: a
            multiset of labelled spans above the tags; TOP, ROOT, S1 and unlabelled brackets, traces and empty
            constituents are removed, labels end at - or =, punctuation does not count as words, unary chains stay.
            Which words are punctuation is read from gold. One tree per line; or give the table evalb printed instead
            of trees (then gold is not read, and the other options have no effect).
            """,
        ),
        "bracket_recall": (
            "recall",
            "Bracket recall",
            """Of the constituents in gold, what share does a parser build with the same words and label?

            Items, statistics and options as for bracket_precision.
            """,
        ),
        "bracket_f1": (
            "f1",
            "Bracket F1",
            """What is the harmonic mean of bracket precision and recall, 2 matched / (test + gold)?

            Items, statistics and options as for bracket_precision: evalb's Bracketing FMeasure, as a share of 1. evalb
            leaves out sentences without a parse, which favours parsers that fail on hard sentences; so several systems
            are scored only on sentences that all of them parse, and failed="wrong" counts the others as wrong.
            """,
        ),
    },
    task="constituency parsing",
    cite=_EVALB,
)
