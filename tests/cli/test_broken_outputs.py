"""Broken outputs on the command line: each is told with file and line, and nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import nofluke

TREE = "(TOP (S (NP (NNP Mia)) (VP (VBZ sleeps))))"
EVALB = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    8    0  100.00 100.00     5      5    5      0      6     5    83.33
   2    9    0   75.00  60.00     3      4    5      1      7     7   100.00
============================================================================
"""
CONLLU = "# newdoc id = d\n1\tMia\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
FILES = {
    "ref.txt": "a b\nc d\ne f\n",
    "short.txt": "a b\nc d\n",
    "latin.txt": "a b\ncaf\xe9\ne f\n",
    "gold.mrg": f"{TREE}\n{TREE}\n",
    "open.mrg": f"{TREE}\n{TREE[:-2]}\n",
    "evalb.out": EVALB,
    "other.out": EVALB.replace("75.00  60.00     3", "50.00  40.00     2"),
    "broken.out": EVALB.replace("   2    9    0", "   2    x    0"),
    "gold.align": "0-0 1-1\n0-0\n",
    "far.align": "0-0 1-1\n0-7\n",
    "texts.txt": "a b ||| c d\ne ||| f\n",
    "gold.tags": "Mia B-PER\nruns O\n\nOslo B-LOC\n",
    "bad.tags": "Mia B-PER\nruns O\n\nOslo I-LOC\n",
    "gold.conllu": CONLLU,
    "other.conllu": CONLLU.replace("sleeps", "slept"),
    "head.conllu": CONLLU.replace("\t2\tnsubj", "\t9\tnsubj"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode("latin-1" if name == "latin.txt" else "utf-8"))
    return tmp_path


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("files", "options", "told"),
    [
        (("ref.txt", "short.txt"), ("bleu", "ref.txt"), "short.txt: 2 lines, and ref.txt has 3."),
        (("ref.txt", "latin.txt"), ("bleu", "ref.txt"), "latin.txt line 2: byte 0xe9 is not UTF-8 text."),
        (("ref.txt", "short.txt"), ("bleu", "latin.txt"), "latin.txt line 2: byte 0xe9 is not UTF-8 text."),
        (
            ("gold.mrg", "open.mrg"),
            ("bracket_f1", "gold.mrg"),
            "open.mrg line 2: the tree does not close: 2 brackets are still open at the end.",
        ),
        (
            ("gold.align", "far.align"),
            ("aer", "gold.align", "sentences=texts.txt"),
            "far.align line 2: link 0-7 (from 0) is out of range",
        ),
        (
            ("gold.tags", "bad.tags"),
            ("span_f1", "gold.tags", "mode=strict"),
            "bad.tags line 4: 'I-LOC' makes no valid iob2 span here.",
        ),
        (
            ("gold.mrg", "evalb.out"),
            ("bracket_f1", "gold.mrg"),
            "gold.mrg and evalb.out: systems 'A' and 'B' were scored differently: bracket_f1|",
        ),
        (("gold.conllu", "other.conllu"), ("uas", "gold.conllu"), "other.conllu line 3: the word is 'slept', and"),
        (("gold.conllu", "head.conllu"), ("las", "gold.conllu"), "head.conllu line 2: the head 9 is outside"),
        (("ref.txt", "no.txt"), ("bleu", "ref.txt"), "no.txt: the file does not exist."),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_broken_outputs(
    command: str, files: tuple[str, str], options: tuple[str, ...], told: str, folder: Path
) -> None:
    metric, gold, *more = options
    typed = [command, f"A={files[0]}", f"B={files[1]}", "--metric", metric, "--gold", gold]
    for option in more:
        typed += ["--metric-option", option]
    run = nofluke(*typed, cwd=folder)
    assert run.code == 2
    assert f"error: {told}" in run.err
    assert "fix:" in run.err
    assert "Traceback" not in run.err
    assert not run.out


def test_tables_of_evalb_need_no_gold(folder: Path) -> None:
    typed = ["A=evalb.out", "B=other.out", "--metric", "bracket_f1", "--format", "json"]
    scored = nofluke("score", *typed, cwd=folder)
    assert scored.code == 0, scored.err
    assert json.loads(scored.out)["scores"] == {"A": 16 / 19, "B": 14 / 19}
    compared = nofluke("compare", *typed, cwd=folder)
    assert compared.code == 0, compared.err
    assert json.loads(compared.out)["n"] == 2
    broken = nofluke("score", "A=broken.out", "--metric", "bracket_f1", cwd=folder)
    assert "broken.out line 5: this is not a row of evalb's table" in broken.err
    trees = nofluke("score", "A=gold.mrg", "--metric", "bracket_f1", cwd=folder)
    assert "gold.mrg: trees need gold trees." in trees.err
    none = nofluke("score", "A=gold.mrg", "--metric", "bleu", cwd=folder)
    assert "bleu compares outputs with gold, and none was given." in none.err


def test_tags_that_make_no_span_may_be_dropped(folder: Path) -> None:
    typed = ["score", "B=bad.tags", "--metric", "span_f1", "--gold", "gold.tags", "--metric-option", "mode=strict"]
    run = nofluke(*typed, "--metric-option", "invalid=drop", cwd=folder)
    assert run.code == 0
    assert "make no valid iob2 span and count as none: bad.tags line 4" in " ".join(run.out.split())
