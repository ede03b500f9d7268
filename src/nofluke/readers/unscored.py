"""Files that a metric has to score first: outputs beside gold, and trees; and which metric fits them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nofluke.errors import By, Fix, InputError, listing, named_as
from nofluke.readers.aliases import is_alias, is_size, matches
from nofluke.readers.candidates import measured
from nofluke.readers.decode import decode_head
from nofluke.readers.given import Given, opened
from nofluke.readers.numbers import meant_as_number, parse_number
from nofluke.readers.table import Table

_LOOKED_AT = 1_000
_TAG = re.compile(r"[BIESLU]-\S+|O")
# CoNLL-U and CoNLL-X: words, ranges (1-2) and empty nodes (1.1), and the columns that metrics look at.
_TREE_FIELDS, _WORD_NUMBER = 10, re.compile(r"\d+(?:[-.]\d+)?")
# What only files of a kind hold, what they are, and how to make a table of them.
_MARKUP = (
    (
        re.compile(r"\\begin\{(?:tabular|table|longtable)"),
        "LaTeX",
        r"keep its rows: grep '&' FILE | sed 's/ *\\\\.*//; s/ *& */,/g' > NEW.",
    ),
    (
        re.compile(r"\A\s*<(?:!doctype|html|table|\?xml[^>]*>\s*<html)", re.IGNORECASE),
        "HTML",
        "take its table out, with pandas: read_html(FILE)[0].to_csv(NEW, index=False).",
    ),
    (
        re.compile(r"\A(?:---\n)?- [\w \-]+: [^\n]*\n(?:  [\w \-]+: [^\n]*\n)+- "),
        "YAML",
        "write it as JSON, in Python: json.dump(yaml.safe_load(open(FILE)), open(NEW, 'w')).",
    ),
)
# Word alignments, trees in brackets, and tags of spans behind their tokens.
_LINKS, _TREE, _SPAN_TAG = re.compile(r"(?:\d+[-?p]\d+\s*)+"), re.compile(r"\(.*\)\s*"), re.compile(r"[BIESLU]-\S+")
# The head of evalb's table, which was made with gold.
_EVALB = re.compile(r"\s*ID\s+Len\.?\s+Stat\b")
# Files that belong to one metric alone.
_ALONE = {"bracket_f1": "trees in brackets", "aer": "word alignments"}
_OF_TREES = {"las": 7, "uas": 6, "upos": 3, "xpos": 4, "lemma": 2, "feats": 5}


def metric_for(gold: Sequence[str | None]) -> str:
    """Name a metric that fits what gold holds, by its first cells or lines."""
    cells = [cell for cell in gold[:_LOOKED_AT] if cell]
    several = [cell for cell in cells if len(cell.split()) > 1]
    if any(cell.startswith("[") for cell in cells[:20]):
        return "exact_match"
    tags = [part for cell in cells for part in cell.split()]
    if any(tag.startswith(("B-", "I-", "S-", "U-")) for tag in tags) and all(map(_TAG.fullmatch, tags)):
        return "span_f1"
    numbers = [parse_number(cell) for cell in cells]
    if cells and all(number is not None for number in numbers):
        return "accuracy" if len(set(cells)) <= 20 and all(float(n or 0).is_integer() for n in numbers) else "spearman"
    return "bleu" if 2 * len(several) > len(cells) and 2 * len(set(cells)) > len(cells) else "accuracy"


def by_metric(metric: str) -> By:
    """Advise to score the file by a metric."""
    page = f'the file under "outputs and gold answers", with the metric {metric}'
    return By(f"nf.score({metric!r}, FILE)", f"--metric {metric}", page, f"data.score_by={metric!r}")


def outputs_beside_gold(table: Table, gold: Sequence[str]) -> InputError:
    """The error of a table of outputs with gold that is read as scores: it names the metric to score by."""
    metric = metric_for(table.texts(gold[0]))
    roles = ("item", "system", "dataset", "run", "cluster", "metric")
    others = [name for name in table.columns if name not in gold and not is_size(name)]
    others = [name for name in others if name not in measured(others)]
    others = [name for name in others if not any(is_alias(role, name) for role in roles)]
    if not others:
        return table.error(
            f"no column holds scores of a system: {gold[0]!r} is named like gold, and nothing stands beside it.",
            fix=Fix("give the outputs of a system and score them: ", by_metric(metric), "."),
        )
    return table.error(
        f"no column holds scores of a system; {gold[0]!r} is gold, and {listing(map(repr, others), 4)} "
        f"{'holds' if len(others) == 1 else 'are'} outputs.",
        fix=Fix(
            "score them by a metric: ",
            by_metric(metric),
            By(
                "; nf.methods('metric') lists all",
                "; nofluke methods --kind metric lists all",
                api="; nofluke methods --kind metric lists all",
            ),
            ".",
        ),
    )


def scores_beside_gold(table: Table, gold: Sequence[str], columns: Sequence[str]) -> InputError:
    """The error of numbers beside gold: are they outputs to be scored, or scores?"""
    metric = metric_for(table.texts(gold[0]))
    others = [name for name in columns if name not in gold]
    return table.error(
        f"{gold[0]!r} is named like gold: are {listing(map(repr, others), 4)} outputs to be scored by it, or scores?",
        fix=Fix(
            "for outputs name a metric: ",
            by_metric(metric),
            "; for scores name them: ",
            named_as(score=",".join(others[:4]) + (",..." if len(others) > 4 else "")),
            ", or leave gold out: ",
            named_as(ignore=",".join(gold)),
            ".",
        ),
    )


def metrics_of_trees(lines: Sequence[str]) -> tuple[str, ...]:
    """Name metrics whose column is filled in lines of CoNLL-U or CoNLL-X, the most usual one first; else none."""
    words = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    if not words or not words[0][0].startswith(("1", "0.1")) or not all(map(_is_word_of_tree, words)):
        return ()
    return tuple(name for name, column in _OF_TREES.items() if any(word[column] != "_" for word in words))[:3]


def metrics_of_lines(lines: list[str]) -> tuple[str, ...]:
    """Name metrics of parsing, tagging and word alignment by lines of their formats, the most usual one first."""
    if found := metrics_of_trees(lines):
        return found
    if lines and all(map(_TREE.fullmatch, lines)):
        return ("bracket_f1", "bracket_precision", "bracket_recall")
    if lines and all(map(_LINKS.fullmatch, lines)):
        return ("aer",)
    words = [line.split() for line in lines]
    tags = [row[-1] for row in words if len(row) > 1]
    if len(tags) == len(words) and all(tag == "O" or _SPAN_TAG.fullmatch(tag) for tag in tags) and set(tags) != {"O"}:
        return ("span_f1", "token_accuracy")
    return ()


def _is_word_of_tree(fields: list[str]) -> bool:
    """Whether fields are those of a word in a tree: its number first, its head and relation seventh and eighth."""
    if len(fields) != _TREE_FIELDS or not _WORD_NUMBER.fullmatch(fields[0]):
        return False
    return (fields[6] == "_" or fields[6].isdecimal()) and not meant_as_number(fields[7])


def refuse_markup(given: Given, question: str) -> None:
    """Refuse tables in the languages of pages and papers, and lists of settings: how each becomes a table is known."""
    head = decode_head(given.head())
    found = next((kind for kind in _MARKUP if kind[0].search(head)), None)
    if found is not None and question in ("scores", "ratings"):
        raise InputError(f"this is {found[1]}, and not a table of plain cells.", where=given.name, fix=found[2])


def refuse_trees(given: Given, question: str) -> None:
    """Refuse trees and alignments: a reader of tables would take token numbers and heads for what it looks for."""
    lines = [line for line in decode_head(given.head()).splitlines() if line.strip()][:_LOOKED_AT]
    if question == "scores" and any(map(_EVALB.match, lines[:3])):
        fix = Fix("score them by their sums: ", by_metric("bracket_f1"), ".")
        raise InputError("these are counts of evalb, and no table of scores.", where=given.name, fix=fix)
    metrics, kind = metrics_of_trees(lines), "dependency trees (CoNLL-U)"
    if not metrics and question == "scores":
        # The last line may be cut.
        metrics = tuple(name for name in metrics_of_lines(lines[:-1] or lines)[:1] if name in _ALONE)
        kind = _ALONE[metrics[0]] if metrics else ""
    if not metrics:
        return
    python = f"nf.score({metrics[0]!r}, {{'A': FILE, 'B': FILE}}, GOLD)"
    shell = f"--gold FILE --metric {metrics[0]}"
    page = f'"outputs and gold answers", with the metric {metrics[0]}'
    api = f"data.score_by={metrics[0]!r}, with the gold standard in data.gold"
    way = By(python, shell if question == "scores" else f"nofluke score FILE {shell}", page, api)
    raise InputError(
        f"these are {kind}, and no table of {question.replace('_', '-')}.",
        where=given.name,
        fix=Fix("score them against a gold standard: ", way, "."),
    )


def fitting_metrics(path: str) -> tuple[str, ...]:
    """Name metrics that fit a file of gold, the most usual one first; none where it cannot be looked at.

    Standard input is not touched: it can be read only once.
    """
    from nofluke.readers.outputs import table_of

    if path == "-":
        return ()
    try:
        given = opened(path)
        lines = [line.rstrip("\r") for line in decode_head(given.head()).split("\n")][:_LOOKED_AT]
        found = metrics_of_lines([line for line in lines if line.strip()])
        if found:
            return found
        table = table_of(given, "auto", "labels", (), "gold")
        gold = matches("gold", list(table.columns)) if table is not None else []
        cells = table.texts(gold[0]) if table is not None and gold else lines
        return (metric_for(cells),)
    except InputError:
        # What is wrong with the file is said when it is read.
        return ()
